internal import CLibwebsockets
internal import Glibc

/// One outgoing message of a server, encoded once and shared by every connection it goes to.
///
/// Layout: `LWS_PRE` bytes that libwebsockets may scribble on, then the frame as it goes over the wire: header (2, 4
/// or 10 bytes, unmasked: RFC 6455 §5.2) and payload. Sharing is sound because nothing is written into it after init
/// and every send happens on the loop's thread.
public final class WebSocketFrame: @unchecked Sendable {
    // Safe to share: immutable after init.
    private let storage: UnsafeMutableRawPointer
    let start: UnsafeMutablePointer<UInt8>
    /// Bytes on the wire, header included.
    public let count: Int
    /// Messages it is.
    let messages: Int

    enum Opcode: UInt8 { case text = 1, binary = 2, close = 8, ping = 9, pong = 10 }

    /// A text message. `bytes` must be UTF-8.
    public convenience init(text bytes: [UInt8]) {
        self.init(.text, bytes)
    }

    /// A binary message, framed once for any number of connections.
    public convenience init(binary bytes: [UInt8]) {
        self.init(.binary, bytes)
    }

    /// A close frame (RFC 6455 §5.5.1); of the reason at most 123 bytes, cut between characters.
    convenience init(closing code: UInt16, _ reason: String) {
        var text: [UInt8] = []
        for character in reason.unicodeScalars {
            let bytes = Array(String(character).utf8)
            if text.count + bytes.count > 123 { break }
            text += bytes
        }
        self.init(.close, [UInt8(code >> 8), UInt8(code & 0xFF)] + text)
    }

    init(_ opcode: Opcode, _ payload: [UInt8]) {
        let header = Self.headerBytes(payload.count)
        count = header + payload.count
        messages = 1
        let headroom = Int(sona_lws_pre)
        storage = .allocate(byteCount: headroom + count, alignment: 16)
        start = (storage + headroom).assumingMemoryBound(to: UInt8.self)
        Self.writeHeader(opcode, payload.count, to: start)
        payload.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { memcpy(start + header, base, bytes.count) }
        }
    }

    /// Bytes that a connection of `EventLoop.stream` is sent as they are.
    public init(raw bytes: [UInt8]) {
        count = bytes.count
        messages = 1
        let headroom = Int(sona_lws_pre)
        storage = .allocate(byteCount: headroom + count, alignment: 16)
        start = (storage + headroom).assumingMemoryBound(to: UInt8.self)
        bytes.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { memcpy(start, base, bytes.count) }
        }
    }

    /// Several messages that go out in one write.
    public init(of frames: [WebSocketFrame]) {
        count = frames.reduce(0) { $0 + $1.count }
        messages = frames.reduce(0) { $0 + $1.messages }
        let headroom = Int(sona_lws_pre)
        storage = .allocate(byteCount: headroom + count, alignment: 16)
        start = (storage + headroom).assumingMemoryBound(to: UInt8.self)
        var end = start
        for frame in frames {
            memcpy(end, frame.start, frame.count)
            end += frame.count
        }
    }

    deinit { storage.deallocate() }

    /// The text of a message, without its header. Not for several messages in one.
    public var text: [UInt8] {
        let lengthByte = start[1]
        let header = lengthByte < 126 ? 2 : lengthByte == 126 ? 4 : 10
        return Array(UnsafeBufferPointer(start: start + header, count: count - header))
    }

    /// Bytes of the header of an unmasked frame.
    static func headerBytes(_ payloadCount: Int) -> Int { payloadCount < 126 ? 2 : payloadCount < 65536 ? 4 : 10 }

    static func writeHeader(_ opcode: Opcode, _ count: Int, to start: UnsafeMutablePointer<UInt8>) {
        start[0] = 0x80 | opcode.rawValue
        switch headerBytes(count) {
        case 2: start[1] = UInt8(count)
        case 4:
            start[1] = 126
            start[2] = UInt8(truncatingIfNeeded: count >> 8)
            start[3] = UInt8(truncatingIfNeeded: count)
        default:
            start[1] = 127
            for index in 0..<8 { start[2 + index] = UInt8(truncatingIfNeeded: count >> (56 - 8 * index)) }
        }
    }
}
