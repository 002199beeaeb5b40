/// POSITION, both ways: a room's playback. From the host of a room without audio, and from the server to everybody.
///
/// ```
/// offset size type  field
///      0    1 u8    0x30
///      1    1 u8    state, 0 to 3
///      2    2 u16   epoch
///      4    4 u32   revision; from a host ignored
///      8    8 i64   anchor, server time, µs
///     16    8 i64   position at the anchor, µs
///     24    4 i32   rate, millionths of normal speed, 0 to 4 000 000
///     28    4 u32   how far off the anchor may be, µs
/// ```
///
/// Source: Protocol/spec/playback.md, "POSITION".
public struct PositionFrame: Hashable, Sendable {
    /// Bytes of the frame, which has no variable part.
    public static let byteCount = 32

    /// State, anchor, position and rate. The server ignores the revision a host sends.
    public var playback: Playback
    /// How far the anchor may be from the truth, µs.
    public var errorMicroseconds: UInt32

    public init(playback: Playback, errorMicroseconds: UInt32 = 0) {
        self.playback = playback
        self.errorMicroseconds = errorMicroseconds
    }

    /// - Throws: `frame.malformed`.
    init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
        try FrameType.checkLength(bytes, exactly: Self.byteCount)
        guard let state = PlaybackState(rawValue: bytes[1]) else {
            throw WireError(.frameMalformed, "There is no state \(bytes[1]).")
        }
        playback = Playback(
            state: state, anchorMicroseconds: bytes.bigEndian(at: 8), positionMicroseconds: bytes.bigEndian(at: 16),
            ratePPM: bytes.bigEndian(at: 24), revision: bytes.bigEndian(at: 4), epoch: bytes.bigEndian(at: 2))
        errorMicroseconds = bytes.bigEndian(at: 28)
        try FrameType.check(playback.anchorMicroseconds, in: FrameType.anyTime, "anchor_us")
        try FrameType.check(playback.positionMicroseconds, in: FrameType.notNegative, "position_us")
        try FrameType.check(Int64(playback.ratePPM), in: Limits.ratePPM, "rate_ppm")
    }

    /// Appends the 32 bytes of the frame.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(FrameType.position)
        bytes.append(playback.state.rawValue)
        bytes.appendBigEndian(playback.epoch)
        bytes.appendBigEndian(playback.revision)
        bytes.appendBigEndian(playback.anchorMicroseconds)
        bytes.appendBigEndian(playback.positionMicroseconds)
        bytes.appendBigEndian(playback.ratePPM)
        bytes.appendBigEndian(errorMicroseconds)
    }

    public func encode() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        append(to: &bytes)
        return bytes
    }
}

/// CAPTURE, live host to server: when, by the server's clock, a sample was captured.
///
/// ```
/// offset size type  field
///      0    1 u8    0x31
///      1    1 u8    0, ignored
///      2    2 u16   epoch
///      4    8 i64   place of the sample, as in AUDIO_UP
///     12    8 i64   server time of its capture by the host's estimate, µs
///     20    4 u32   how far off that may be, µs
/// ```
///
/// Source: Protocol/spec/hosting.md, "CAPTURE".
public struct CaptureFrame: Hashable, Sendable {
    /// Bytes of the frame, which has no variable part.
    public static let byteCount = 24

    /// The epoch of the host's audio that the sample belongs to.
    public var epoch: UInt16
    /// Place of the sample at 48 kHz, counted as in AUDIO_UP.
    public var samplePosition: Int64
    /// Server time of the sample's capture by the host's estimate, µs.
    public var serverMicroseconds: Int64
    /// How far that estimate may be from the truth, µs.
    public var errorMicroseconds: UInt32

    public init(epoch: UInt16, samplePosition: Int64, serverMicroseconds: Int64, errorMicroseconds: UInt32) {
        self.epoch = epoch
        self.samplePosition = samplePosition
        self.serverMicroseconds = serverMicroseconds
        self.errorMicroseconds = errorMicroseconds
    }

    /// - Throws: `frame.malformed`.
    init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
        try FrameType.checkLength(bytes, exactly: Self.byteCount)
        epoch = bytes.bigEndian(at: 2)
        samplePosition = bytes.bigEndian(at: 4)
        serverMicroseconds = bytes.bigEndian(at: 12)
        errorMicroseconds = bytes.bigEndian(at: 20)
        try FrameType.check(samplePosition, in: FrameType.notNegative, "sample_pos")
        try FrameType.check(serverMicroseconds, in: FrameType.anyTime, "server_us")
    }

    /// Appends the 24 bytes of the frame.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(FrameType.capture)
        bytes.append(0)
        bytes.appendBigEndian(epoch)
        bytes.appendBigEndian(samplePosition)
        bytes.appendBigEndian(serverMicroseconds)
        bytes.appendBigEndian(errorMicroseconds)
    }

    public func encode() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        append(to: &bytes)
        return bytes
    }
}
