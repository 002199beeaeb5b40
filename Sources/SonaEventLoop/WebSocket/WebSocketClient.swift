internal import CLibwebsockets

/// Where a client goes.
public struct WebSocketTarget: Sendable {
    /// Host name or IP address of the server.
    public var host: String
    /// TCP port of the server.
    public var port: Int
    /// Path and query of the handshake request, beginning with `/`.
    public var path: String
    /// The subprotocol asked for (`Sec-WebSocket-Protocol`); `nil` asks for none.
    public var subprotocol: String?
    /// The user agent, as `name/version`.
    public var userAgent: String?
    /// The authorities trusted to vouch for the server; nil speaks without TLS.
    public var trust: TLSTrust?

    /// A target without TLS and without a user agent.
    public init(host: String, port: Int, path: String, subprotocol: String?) {
        self.host = host
        self.port = port
        self.path = path
        self.subprotocol = subprotocol
    }
}

extension EventLoop {
    /// Opens a WebSocket as a client. On the loop.
    ///
    /// The name is resolved with a blocking call: the loop of a client has nothing else to do.
    /// The handler hears `webSocketOpened`, or `webSocketClosed` with `failure` set; both only after this has returned.
    public func connect(
        to target: WebSocketTarget, limits: WebSocketLimits, handler: any WebSocketHandler
    ) -> WebSocketConnection {
        let core = self.core
        let socket = LoopSocket(
            number: core.newSocketNumber(), remote: RemoteAddress(text: target.host), core: core, census: nil)
        let connection = WebSocketConnection(
            number: socket.number, limits: limits, core: core, isClient: true)
        connection.handler = handler
        socket.become(connection)
        core.sockets[socket.number] = socket
        // One iteration later, so that a failure known at once is reported like every other.
        schedule(after: .zero) { core.dial(target, socket) }
        return connection
    }
}

extension LoopCore {
    func dial(_ target: WebSocketTarget, _ socket: LoopSocket) {
        var vhost = vhost
        if let trust = target.trust {
            do { vhost = try clientVhost(for: target.host, trust) } catch {
                if error.code == .badCertificate {
                    socket.webSocket?.distrusts(error.detail)
                } else {
                    socket.webSocket?.failed(error.detail)
                }
                return remove(socket)
            }
        }
        let isDefaultPort = target.port == (target.trust == nil ? 80 : 443)
        let name = target.host.utf8.contains(UInt8(ascii: ":")) ? "[\(target.host)]" : target.host
        let hostHeader = isDefaultPort ? name : "\(name):\(target.port)"
        let wsi: OpaquePointer? = target.host.withCString { host in
            target.path.withCString { path in
                hostHeader.withCString { hostHeader in
                    withOptionalCString(target.subprotocol) { subprotocol in
                        var info = lws_client_connect_info()
                        info.context = context
                        info.vhost = vhost
                        info.address = host
                        info.port = Int32(clamping: target.port)
                        info.path = path
                        info.host = hostHeader
                        info.protocol = subprotocol
                        info.local_protocol_name = clientProtocolName
                        info.ietf_version_or_minus_one = -1
                        if target.trust != nil {
                            // Name or address are checked by OpenSSL, which `TLSClientContext` has told them;
                            // libwebsockets takes an IPv6 address for something else.
                            info.ssl_connection =
                                Int32(LCCSCF_USE_SSL.rawValue) | Int32(LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue)
                            info.alpn = Self.alpn.cString
                        }
                        info.opaque_user_data = Unmanaged.passUnretained(socket).toOpaque()
                        return lws_client_connect_via_info(&info)
                    }
                }
            }
        }
        if wsi == nil, sockets[socket.number] != nil {
            socket.webSocket?.failed("the address could not be resolved or reached")
            remove(socket)
        }
        // Or the timers that libwebsockets has set would wait for a socket of the same context, see `cut`.
        loop.wake()
    }

    private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }
}
