internal import SonaEventLoop

/// `/v1/echo`: every message comes back as it is. For suites that test WebSockets, and only with `--echo`.
final class EchoHandler: WebSocketHandler {
    static let bytesMax = 16 << 20
    func webSocketOpened(_ connection: WebSocketConnection) {}
    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {
        let message = Array(bytes)
        isText ? connection.send(text: message) : connection.send(binary: message)
    }
    func webSocketWritable(_ connection: WebSocketConnection) {}
    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {}
}
