/// A binary message as the server reads it. Payloads are ranges of the bytes given: nothing is copied.
///
/// ```swift
/// switch try ClientFrame(parsing: bytes) {
/// case .audioUp(let header, let packet): room.take(header, bytes[packet])
/// …
/// }
/// ```
///
/// Source: Protocol/spec/audio.md, playback.md and time.md.
public enum ClientFrame: Equatable, Sendable {
    /// TIME_REQUEST, type 0x01: a probe of the server's clock.
    case timeRequest(TimeRequest)
    /// AUDIO_UP, type 0x20: a host's packet. `packet` is where its Opus lies in the message.
    case audioUp(AudioUp, packet: Range<Int>)
    /// POSITION, type 0x30: where the host is in its track.
    case position(PositionFrame)
    /// CAPTURE, type 0x31: when a live host's sound card took a sample.
    case capture(CaptureFrame)
    /// A type that is unknown here and may be skipped without an answer.
    case ignorable(type: UInt8)

    /// Whether a message may come from a client that has not said hello: time probes, and what may be skipped.
    public static func mayPrecedeHello(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let type = bytes.first else { return false }
        return type == FrameType.timeRequest || type >= FrameType.ignorableBit
    }

    /// Whether a message is meant as a time probe, well-formed or not.
    public static func isTimeRequest(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.first == FrameType.timeRequest }
    /// Whether a message is meant as a packet of a host's, well-formed or not.
    public static func isAudio(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.first == FrameType.audioUp }
    /// Whether a message is of a type that only hosts may send, well-formed or not.
    public static func isForHosts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch bytes.first {
        case FrameType.audioUp, FrameType.position, FrameType.capture: true
        default: false
        }
    }
    /// Whether a message is of a type that may be skipped without an answer, from either side.
    public static func isIgnorable(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.first.map { $0 >= FrameType.ignorableBit } ?? false
    }

    /// - Throws: `frame.unknown` for other types, `frame.malformed` for an empty message, a wrong length or a value
    ///   out of range, `audio.malformed` for an impossible number of samples.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard let type = bytes.first else { throw WireError(.frameMalformed, "The frame is empty.") }
        switch type {
        case FrameType.timeRequest: self = .timeRequest(try TimeRequest(parsing: bytes))
        case FrameType.audioUp:
            let (header, packet) = try AudioUp.decode(bytes)
            self = .audioUp(header, packet: packet)
        case FrameType.position: self = .position(try PositionFrame(parsing: bytes))
        case FrameType.capture: self = .capture(try CaptureFrame(parsing: bytes))
        case FrameType.ignorableBit...: self = .ignorable(type: type)
        default: throw WireError(.frameUnknown)
        }
    }

    /// The same for bytes in an array.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        self = try bytes.withUnsafeBytes { buffer in
            Result { () throws(WireError) in try ClientFrame(parsing: buffer) }
        }.get()
    }
}

/// A binary message as a client reads it. Payloads are ranges of the bytes given: nothing is copied.
///
/// Source: Protocol/spec/audio.md, playback.md and time.md.
public enum ServerFrame: Equatable, Sendable {
    /// TIME_RESPONSE, type 0x02: the answer to a probe.
    case timeResponse(TimeResponse)
    /// AUDIO_DOWN, type 0x10: one packet. `packet` is where its Opus lies in the message.
    case audioDown(AudioDown, packet: Range<Int>)
    /// BUNDLE_DOWN, type 0x11: several packets in a row.
    case bundleDown(BundleDown)
    /// POSITION, type 0x30: where the room is in its track.
    case position(PositionFrame)
    /// A type that is unknown here and may be skipped.
    case ignorable(type: UInt8)

    /// - Throws: As `ClientFrame.init(parsing:)`. Clients skip what throws `frame.unknown`.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard let type = bytes.first else { throw WireError(.frameMalformed, "The frame is empty.") }
        switch type {
        case FrameType.timeResponse: self = .timeResponse(try TimeResponse(parsing: bytes))
        case FrameType.audioDown:
            let (header, packet) = try AudioDown.decode(bytes)
            self = .audioDown(header, packet: packet)
        case FrameType.bundleDown: self = .bundleDown(try BundleDown(parsing: bytes))
        case FrameType.position: self = .position(try PositionFrame(parsing: bytes))
        case FrameType.ignorableBit...: self = .ignorable(type: type)
        default: throw WireError(.frameUnknown)
        }
    }

    /// The same for bytes in an array.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        self = try bytes.withUnsafeBytes { buffer in
            Result { () throws(WireError) in try ServerFrame(parsing: buffer) }
        }.get()
    }
}
