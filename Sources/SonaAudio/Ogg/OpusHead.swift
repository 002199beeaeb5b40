/// The identification header, the first packet of an Ogg Opus stream.
///
///     offset  size  field
///     0       8     "OpusHead"
///     8       1     version, 1; the high nibble 0 is compatible
///     9       1     channels
///     10      2     pre-skip, samples at 48 kHz
///     12      4     input sample rate, Hz, informative
///     16      2     output gain, signed, Q7.8 dB
///     18      1     mapping family; a table follows unless 0
///
/// Only mapping family 0 (mono and stereo) is accepted. Source: RFC 7845 §5.1.
public struct OpusHead: Sendable, Equatable {
    /// 0…15; 1 today.
    public var version: Int
    /// 1 or 2.
    public var channels: Int
    /// Decoded samples at 48 kHz to drop before the first one heard, 0…65535. The encoder's lookahead, at least.
    public var preSkip: Int
    /// Sample rate of the sound before encoding, Hz; 0 is unknown. Decoding is at 48 kHz regardless.
    public var inputSampleRate: Int
    /// Gain a player must apply, Q7.8 dB (256 is one decibel), −32768…32767.
    public var outputGain: Int
    /// 0: mono or stereo in one Opus stream.
    public var mappingFamily: Int

    static let magic: StaticString = "OpusHead"
    static let bytesMin = 19

    /// A head of version 1 and family 0. Values beyond their fields' ranges are clamped when encoded.
    public init(channels: Int, preSkip: Int, inputSampleRate: Int = 48_000, outputGain: Int = 0) {
        version = 1
        self.channels = channels
        self.preSkip = preSkip
        self.inputSampleRate = inputSampleRate
        self.outputGain = outputGain
        mappingFamily = 0
    }

    /// Parses the packet. Bytes after a well-formed header are ignored.
    ///
    /// - Throws: `.badHeader` if it is not an OpusHead or too short; `.unsupported` for a later version or for
    ///   surround and ambisonic streams (family other than 0).
    public init(parsing packet: [UInt8]) throws(AudioError) {
        let result = packet.withUnsafeBytes { bytes in
            Result { () throws(AudioError) -> OpusHead in try OpusHead(parsing: bytes) }
        }
        self = try result.get()
    }

    init(parsing bytes: UnsafeRawBufferPointer) throws(AudioError) {
        guard bytes.starts(with: Self.magic) else { throw .badHeader("The stream header is not an OpusHead.") }
        guard bytes.count >= Self.bytesMin else {
            throw .badHeader("The OpusHead has \(bytes.count) bytes; \(Self.bytesMin) are the least.")
        }
        version = Int(bytes[8])
        channels = Int(bytes[9])
        preSkip = Int(bytes.littleEndian(at: 10, as: UInt16.self))
        inputSampleRate = Int(bytes.littleEndian(at: 12, as: UInt32.self))
        outputGain = Int(bytes.littleEndian(at: 16, as: Int16.self))
        mappingFamily = Int(bytes[18])
        guard version < 16 else { throw .unsupported("The OpusHead has version \(version); 1 is known.") }
        guard channels > 0 else { throw .badHeader("The OpusHead names no channels.") }
        guard mappingFamily == 0 else {
            throw .unsupported(
                "The stream has \(channels) channels in mapping family \(mappingFamily); mono and stereo can be played."
            )
        }
        guard channels <= 2 else { throw .badHeader("The OpusHead names \(channels) channels; 1 or 2 are possible.") }
    }

    /// The packet, 19 bytes.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(Self.magic)
        bytes.append(UInt8(clamping: version))
        bytes.append(UInt8(clamping: channels))
        bytes.append(littleEndian: UInt16(clamping: preSkip))
        bytes.append(littleEndian: UInt32(clamping: inputSampleRate))
        bytes.append(littleEndian: Int16(clamping: outputGain))
        bytes.append(UInt8(clamping: mappingFamily))
        return bytes
    }
}
