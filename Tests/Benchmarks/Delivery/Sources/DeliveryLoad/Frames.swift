/// The messages that a client sends before it listens.
enum Frames {
    static func upgrade(path: String, port: UInt16, subprotocol: String?) -> [UInt8] {
        var head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        if let subprotocol { head += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
        return Array((head + "\r\n").utf8)
    }

    static func text(_ message: String) -> [UInt8] { masked(opcode: 1, Array(message.utf8)) }

    static func pong(_ payload: UnsafeBufferPointer<UInt8>) -> [UInt8] { masked(opcode: 10, Array(payload)) }

    /// Masked with zeros.
    private static func masked(opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = [0x80 | opcode]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else {
            frame += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        }
        return frame + [0, 0, 0, 0] + payload
    }

    static func hello(token: String?) -> [UInt8] {
        let auth = token.map { #"{"token":"\#($0)"}"# } ?? #"{"guest":true}"#
        return text(
            #"{"type":"hello","id":1,"data":{"client":{"name":"delivery-load","version":"1"},"auth":\#(auth)}}"#)
    }

    static func join(room: String, audio: Bool) -> [UInt8] {
        text(#"{"type":"room.join","id":2,"data":{"room":"\#(room)","audio":\#(audio)}}"#)
    }

    static func hostStart() -> [UInt8] {
        text(
            #"{"type":"host.start","id":3,"data":{"pacing":"server","#
                + #""stream":{"codec":"opus","channels":2,"pre_skip":0}}}"#)
    }
}
