import Glibc

/// A failure of a file, a packet or the codec, with one sentence about it for a person.
///
/// Match on `code`; show `description`. The sentence names the file and the byte it is about where there is one.
public struct AudioError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, open to pattern matching.
    public var code: Code
    /// A complete sentence: what is wrong, where, and what to do if something can be done.
    public var detail: String

    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// The bytes are not an Ogg file at all.
        case notOgg
        /// An Ogg file without an Opus stream; `found` names what is in it, such as "Vorbis" or "FLAC".
        case notOpus(found: String)
        /// The bytes are not a WAV file, where one was expected.
        case notWAV
        /// A page whose checksum does not match: bytes changed after the file was written.
        case badChecksum
        /// A page, an OpusHead or an OpusTags that breaks its own format, or bytes that are no page between two pages.
        case badHeader
        /// An Opus packet that no decoder would take, or one that is too large.
        case badPacket
        /// Nothing to play: no bytes, or headers without a packet.
        case empty
        /// Well-formed, but something Sona does not do, such as surround sound.
        case unsupported
        /// The system refused; `errno` is its number.
        case io(errno: Int32)
        /// libopus refused; the number is one of its `OPUS_*` errors.
        case codec(Int32)
    }

    /// - Parameter detail: A complete sentence for the person who chose the file or the settings.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// `detail`, as it is.
    public var description: String { detail }
}

extension AudioError {
    /// A failed system call on a file, such as "Cannot open /x.opus: No such file or directory."
    static func io(_ attempted: String, _ path: String, errno number: Int32) -> AudioError {
        AudioError(.io(errno: number), "Cannot \(attempted) \(path): \(String(cString: strerror(number))).")
    }

    static func badPacket(_ detail: String) -> AudioError { AudioError(.badPacket, detail) }
    static func badHeader(_ detail: String) -> AudioError { AudioError(.badHeader, detail) }
    static func unsupported(_ detail: String) -> AudioError { AudioError(.unsupported, detail) }
}
