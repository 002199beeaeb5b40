/// The observer of a WebSocket. All calls come on the connection's loop.
public protocol WebSocketHandler: AnyObject {
    /// The handshake is through: messages may be sent from now on.
    func webSocketOpened(_ connection: WebSocketConnection)
    /// A whole message. `bytes` is valid during the call only.
    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool)
    /// The peer has answered a ping.
    func webSocketHeard(_ connection: WebSocketConnection)
    /// The socket takes more, and nothing sent earlier waits. Comes after `requestWritable`, and at other times.
    func webSocketWritable(_ connection: WebSocketConnection)
    /// The end, however it came about; the last call. Comes also for a connection that never opened.
    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding)
}

extension WebSocketHandler {
    /// The default: ignores answers to pings.
    public func webSocketHeard(_ connection: WebSocketConnection) {}
}

/// How a WebSocket ended.
public struct WebSocketEnding: Sendable {
    /// The close code received from the peer, nil if it sent none.
    public var code: UInt16?
    /// The reason in the peer's close frame; empty if there was none.
    public var reason = ""
    /// The close code this side sent or meant to send; nil if the connection ended before it came to that.
    public var ownCode: UInt16?
    /// For connections of ours that could not be opened: what went wrong.
    public var failure: String?
    /// For those, whether the other side could not prove who it is: coming back will not help.
    public var isUntrusted = false
}

/// Most bytes of a message; one byte more closes with 1009 (RFC 6455 §7.4.1).
///
/// An object, so that all connections of a kind share one.
public final class WebSocketLimits: Sendable {
    /// Most bytes of a text message received.
    public let text: Int
    /// Most bytes of a binary message received.
    public let binary: Int
    /// Most bytes that may wait for a peer that does not read, beyond which it is closed with `tooSlowCode`.
    public let queue: Int
    /// The close code for a peer that does not read, or is silent for too long.
    public let tooSlowCode: UInt16
    /// Seconds without a sign of life (any data, or the PONG to our PING each 15 s) until the connection is closed
    /// with `tooSlowCode`; nil sends no pings and waits for ever.
    public let silence: Int?

    /// - Parameters:
    ///   - text: Most bytes of a text message.
    ///   - binary: Most bytes of a binary message.
    ///   - queue: Most bytes that may wait for the peer; 1 MiB by default.
    ///   - tooSlowCode: Close code for slow and silent peers; by default 1008, policy violation (RFC 6455 §7.4.1).
    ///   - silence: Seconds; `nil` sends no pings.
    public init(text: Int, binary: Int, queue: Int = 1 << 20, tooSlowCode: UInt16 = 1008, silence: Int? = 40) {
        self.text = text
        self.binary = binary
        self.queue = queue
        self.tooSlowCode = tooSlowCode
        self.silence = silence
    }
}
