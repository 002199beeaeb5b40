/// The comment header, the second packet of an Ogg Opus stream: who made it and what it is called.
///
///     "OpusTags" | u32 length, vendor | u32 count | count × (u32 length, "KEY=value")
///
/// Text is UTF-8; invalid bytes become U+FFFD. Comments without a key are left out. At most 64 KiB of text are kept,
/// in the order of the file, and no embedded pictures: those are passed over however large they are.
///
/// Source: RFC 7845 §5.2.
public struct OpusTags: Sendable, Equatable {
    /// The software that encoded the stream, such as "libopus 1.3.1".
    public var vendor: String
    /// "KEY=value", in the order of the file. Keys are ASCII, any case, and may repeat.
    public var comments: [String]

    /// Most text kept from one header, in bytes, counting 16 more for each comment.
    public static let bytesMax = 65_536

    static let magic: StaticString = "OpusTags"

    /// - Parameter comments: Each `NAME=value`, in the order of the header.
    public init(vendor: String, comments: [String]) {
        self.vendor = vendor
        self.comments = comments
    }

    /// Parses the packet.
    ///
    /// - Throws: `.badHeader` if it is not an OpusTags, or ends inside one of its strings.
    public init(parsing packet: [UInt8]) throws(AudioError) {
        var parser = OpusTagsParser()
        packet.withUnsafeBytes { parser.feed($0) }
        self = try parser.finish()
    }

    /// The packet. Strings longer than 4 GiB do not fit the format and are left out.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(Self.magic)
        bytes.append(text: vendor)
        let fitting = comments.filter { UInt32(exactly: $0.utf8.count) != nil }
        bytes.append(littleEndian: UInt32(clamping: fitting.count))
        for comment in fitting { bytes.append(text: comment) }
        return bytes
    }

    /// The value of the first comment with this key, compared as ASCII without regard to case.
    public subscript(first key: String) -> String? {
        for comment in comments {
            guard let split = comment.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            if Self.isSameKey(comment.utf8[..<split], key.utf8) {
                return String(comment[comment.utf8.index(after: split)...])
            }
        }
        return nil
    }

    /// The first TITLE comment; `nil` if there is none.
    public var title: String? { self[first: "TITLE"] }
    /// The first ARTIST comment; `nil` if there is none.
    public var artist: String? { self[first: "ARTIST"] }
    /// The first ALBUM comment; `nil` if there is none.
    public var album: String? { self[first: "ALBUM"] }

    /// Gain to bring the track to −23 LUFS, Q7.8 dB on top of the head's gain, if the file names one
    /// (RFC 7845 §5.2.1).
    public var trackGain: Int? {
        self[first: "R128_TRACK_GAIN"].flatMap { Int($0) }.flatMap { Int16(exactly: $0) }.map(Int.init)
    }

    static func isSameKey(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
        func lowered(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }
        return left.lazy.map(lowered).elementsEqual(right.lazy.map(lowered))
    }
}

extension [UInt8] {
    fileprivate mutating func append(text: String) {
        append(littleEndian: UInt32(clamping: text.utf8.count))
        append(contentsOf: text.utf8)
    }
}
