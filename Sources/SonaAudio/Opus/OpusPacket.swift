/// The properties of an Opus packet that its first bytes tell, after every rule for well-formed packets was checked.
///
///     TOC byte   | config (5 bits) | stereo (1) | code (2) |
///     code       0 one frame · 1 two of equal size · 2 two of different size · 3 a count byte follows
///     count byte | VBR (1) | padding (1) | frames (6) |
///
/// Nothing is decoded and nothing allocated: the cost is the few length bytes at the front of the packet.
/// libopus accepts every packet that passes, and refuses every other one with `OPUS_INVALID_PACKET`.
///
/// Source: RFC 6716 §3.1–3.4.
public struct OpusPacket: Sendable, Equatable {
    /// Duration, in samples at 48 kHz: 120 (2.5 ms) to 5760 (120 ms).
    public var samples: Int
    /// Number of frames, 1 to 48.
    public var frames: Int
    /// Duration of one frame, in samples at 48 kHz: 120, 240, 480, 960, 1920 or 2880.
    public var frameSamples: Int
    /// Whether the packet was coded in stereo. May change from packet to packet; a decoder follows.
    public var isStereo: Bool
    /// Mode, bandwidth and frame size in one number, 0 to 31 (RFC 6716 §3.1, table 2).
    public var configuration: Int

    /// Longest duration of a packet, in samples at 48 kHz: 120 ms (RFC 6716 §3.2.5, R5).
    public static let samplesMax = 5760
    /// Largest frame, in bytes (RFC 6716 §3.2.1, R2).
    public static let frameBytesMax = 1275
    /// Largest packet Sona takes, in bytes. Room for 48 frames of the largest size (RFC 7845 §6); the rest is padding.
    public static let bytesMax = 61_440

    /// Inspects one packet.
    ///
    /// - Throws: `.badPacket` if the packet breaks one of the rules R1–R7 or is longer than `bytesMax`.
    public init(inspecting bytes: UnsafeRawBufferPointer) throws(AudioError) {
        guard let toc = bytes.first else { throw .badPacket("An Opus packet has no bytes (R1).") }
        guard bytes.count <= Self.bytesMax else {
            throw .badPacket("An Opus packet of \(bytes.count) bytes is longer than \(Self.bytesMax).")
        }
        configuration = Int(toc >> 3)
        isStereo = toc & 0b100 != 0
        frameSamples = Self.frameSamples(configuration: configuration)
        frames = 1
        samples = frameSamples

        switch toc & 0b11 {
        case 0:
            try Self.check(frameBytes: bytes.count - 1)
        case 1:
            frames = 2
            guard (bytes.count - 1).isMultiple(of: 2) else {
                throw .badPacket("An Opus packet of two equal frames cannot hold \(bytes.count - 1) bytes (R3).")
            }
            try Self.check(frameBytes: (bytes.count - 1) / 2)
        case 2:
            frames = 2
            var rest = bytes[1...]
            guard let first = Self.takeFrameLength(&rest), first <= rest.count else {
                throw .badPacket("The first frame of an Opus packet is longer than the packet (R4).")
            }
            try Self.check(frameBytes: rest.count - first)
        default:
            frames = try Self.checkedFrameCount(bytes, frameSamples: frameSamples)
        }
        samples = frames * frameSamples
    }

    /// Inspects one packet held in an array. See `init(inspecting:)` for raw bytes.
    public init(inspecting bytes: [UInt8]) throws(AudioError) {
        // A typed error does not pass through withUnsafeBytes in every mode, so the result carries it out.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(AudioError) -> OpusPacket in try OpusPacket(inspecting: bytes) }
        }
        self = try result.get()
    }

    /// Duration of a packet in samples at 48 kHz, 120 to 5760.
    ///
    /// - Throws: `.badPacket` under the same rules as `init(inspecting:)`.
    public static func samples(inspecting bytes: UnsafeRawBufferPointer) throws(AudioError) -> Int {
        try OpusPacket(inspecting: bytes).samples
    }
}

extension OpusPacket {
    /// Frame duration of a configuration 0…31, in samples at 48 kHz (RFC 6716 §3.1, table 2).
    static func frameSamples(configuration: Int) -> Int {
        switch configuration {
        case ..<12: max(480, 960 * (configuration & 3))  // SILK: 10, 20, 40, 60 ms.
        case ..<16: 480 << (configuration & 1)  // Hybrid: 10, 20 ms.
        default: 120 << (configuration & 3)  // CELT: 2.5, 5, 10, 20 ms.
        }
    }

    /// Checks a packet of code 3 and returns its number of frames (RFC 6716 §3.2.5).
    private static func checkedFrameCount(
        _ bytes: UnsafeRawBufferPointer, frameSamples: Int
    ) throws(AudioError) -> Int {
        guard bytes.count >= 2 else { throw .badPacket("An Opus packet of code 3 lacks its frame count (R6, R7).") }
        let frames = Int(bytes[1] & 0x3F)
        guard frames > 0 else { throw .badPacket("An Opus packet of code 3 has no frames (R5).") }
        guard frames * frameSamples <= samplesMax else {
            throw .badPacket("An Opus packet lasts \(frames * frameSamples / 48) ms; 120 are allowed (R5).")
        }
        var rest = bytes[2...]
        if bytes[1] & 0x40 != 0 {
            guard let padding = takePaddingLength(&rest), padding <= rest.count else {
                throw .badPacket("The padding of an Opus packet is longer than the packet (R6, R7).")
            }
            rest = rest.dropLast(padding)
        }
        if bytes[1] & 0x80 == 0 {
            guard rest.count.isMultiple(of: frames) else {
                throw .badPacket("An Opus packet of \(frames) equal frames cannot hold \(rest.count) bytes (R6).")
            }
            try check(frameBytes: rest.count / frames)
        } else {
            var told = 0
            for _ in 1..<frames {
                guard let length = takeFrameLength(&rest) else {
                    throw .badPacket("An Opus packet ends inside its list of frame lengths (R7).")
                }
                told += length
            }
            guard told <= rest.count else {
                throw .badPacket("The frames of an Opus packet are longer than the packet (R7).")
            }
            try check(frameBytes: rest.count - told)
        }
        return frames
    }

    private static func check(frameBytes: Int) throws(AudioError) {
        guard frameBytes <= frameBytesMax else {
            throw .badPacket("An Opus frame has \(frameBytes) bytes; \(frameBytesMax) are allowed (R2).")
        }
    }

    /// Takes a frame length of one or two bytes off the front, 0…1275 (RFC 6716 §3.2.1). Nil if the bytes run out.
    private static func takeFrameLength(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Int? {
        guard let first = rest.popFirst() else { return nil }
        guard first >= 252 else { return Int(first) }
        guard let second = rest.popFirst() else { return nil }
        return Int(second) * 4 + Int(first)
    }

    /// Takes the padding length off the front: 255 stands for 254 bytes and "more follows" (RFC 6716 §3.2.5).
    private static func takePaddingLength(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Int? {
        var padding = 0
        while let byte = rest.popFirst() {
            guard byte == 255 else { return padding + Int(byte) }
            padding += 254
        }
        return nil
    }
}
