/// The bytes a client says. Masked with zeros, which RFC 6455 (section 5.3) allows to a client that needs no secrecy from
/// caches on the way, changes nothing and costs nothing.
enum WebSocketFrames {
    static let text: UInt8 = 1
    static let binary: UInt8 = 2
    static let close: UInt8 = 8
    static let pong: UInt8 = 10

    static func upgrade(authority: String, path: String, subprotocol: String) -> [UInt8] {
        Array(
            ("GET \(path) HTTP/1.1\r\nHost: \(authority)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Protocol: \(subprotocol)\r\n\r\n").utf8)
    }

    /// Bytes before a payload of this length: 6, or 8 from 126 bytes on. Longer than 65 535 is nothing that is sent here.
    static func headerBytes(_ payload: Int) -> Int { payload < 126 ? 6 : 8 }

    /// Writes the header; the payload follows.
    static func writeHeader(_ opcode: UInt8, payload: Int, to bytes: UnsafeMutableRawPointer) {
        bytes.storeBytes(of: 0x80 | opcode, as: UInt8.self)
        if payload < 126 {
            bytes.storeBytes(of: 0x80 | UInt8(payload), toByteOffset: 1, as: UInt8.self)
            bytes.storeBytes(of: UInt32(0), toByteOffset: 2, as: UInt32.self)
        } else {
            bytes.storeBytes(of: 0xFE, toByteOffset: 1, as: UInt8.self)
            bytes.storeBytes(of: UInt16(payload).bigEndian, toByteOffset: 2, as: UInt16.self)
            bytes.storeBytes(of: UInt32(0), toByteOffset: 4, as: UInt32.self)
        }
    }

    static func frame(_ opcode: UInt8, _ payload: some Collection<UInt8>) -> [UInt8] {
        precondition(payload.count < 65_536, "nothing that the harness says is this long")
        let header = headerBytes(payload.count)
        var bytes = [UInt8](repeating: 0, count: header)
        bytes.withUnsafeMutableBytes { writeHeader(opcode, payload: payload.count, to: $0.baseAddress!) }
        return bytes + payload
    }
}
