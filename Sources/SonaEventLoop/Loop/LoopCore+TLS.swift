internal import CLibwebsockets
internal import Glibc

/// The additional state of a loop for TLS.
struct LoopTLS {
    /// The vhost of connections accepted with TLS; nil where plain HTTP is spoken.
    var vhost: OpaquePointer?
    /// The `SSL_CTX` of those.
    fileprivate var context: OpaquePointer?
    /// The vhosts of connections opened with TLS, by the `SSL_CTX` that verifies the server.
    fileprivate var clientVhosts: [OpaquePointer: OpaquePointer] = [:]
    /// The identity of new connections, once it is not that of the options any more.
    fileprivate var newIdentity: TLSIdentity?
}

/// How a connection comes in.
enum Greeting {
    case tls
    case plain
    /// Without TLS where TLS is spoken.
    case plainBesideTLS
}

extension LoopCore {
    // MARK: Serving

    /// Makes the virtual host of connections with TLS; `info` has what it shares with the plain one.
    func makeTLSVhost(_ info: lws_context_creation_info) throws(EventLoopError) {
        var info = info
        info.vhost_name = Self.tlsVhostName.cString
        // The certificate is set in `prepareTLS`, which libwebsockets calls with the context it makes here. As a client
        // this one goes nowhere, so the system's certificates stay where they are.
        info.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
        info.options |= UInt64(LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX)
        info.options |= UInt64(LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)
        // Not HTTP/2: uploads are several times slower with it, and frames could not be written directly.
        info.alpn = Self.alpn.cString
        guard let vhost = lws_create_vhost(context, &info), tls.context != nil else {
            throw EventLoopError(.system, "libwebsockets could not set up TLS: \(TLSErrors.take())")
        }
        tls.vhost = vhost
    }

    // libwebsockets keeps pointers to these.
    private static let tlsVhostName: StaticString = "(sona-tls)"
    private static let clientVhostName: StaticString = "(sona-client)"
    static let alpn: StaticString = "http/1.1"

    /// Called back while the virtual host is made. Returns what libwebsockets is told.
    func prepareTLS(_ context: OpaquePointer) -> Int32 {
        guard let identity = loop.options.identity, identity.apply(to: context) else { return -1 }
        tls.context = context
        renewTicketKeys(identity)
        return 0
    }

    /// Gives connections from now on another certificate. Those that stand keep theirs, and go on.
    ///
    /// The `SSL_CTX` keeps its first certificate, because OpenSSL can't take one out of it: an RSA certificate would be
    /// offered beside an EC one that replaces it.
    func replaceIdentity(_ identity: TLSIdentity) {
        guard let context = tls.context else { return }
        let isFirst = tls.newIdentity == nil
        tls.newIdentity = identity
        guard isFirst else { return }
        // Safe: the core lives as long as its contexts, and handshakes are made on its thread.
        SSL_CTX_set_cert_cb(context, offerNewIdentity, Unmanaged.passUnretained(self).toOpaque())
    }

    fileprivate func offerIdentity(to session: OpaquePointer) -> Bool {
        tls.newIdentity?.apply(toConnection: session) ?? true
    }

    /// Takes the day's keys, and comes again when they end: all loops at the same moment, up to their timers.
    private func renewTicketKeys(_ identity: TLSIdentity) {
        guard let context = tls.context else { return }
        guard var keys = identity.tickets.keys(now: MonotonicClock.nowMicroseconds()) else {
            // OpenSSL goes on with its own, or the old ones.
            return schedule(after: 60_000_000) { [unowned self] in renewTicketKeys(identity) }
        }
        _ = sona_tls_set_ticket_keys(context, &keys.bytes, keys.bytes.count)
        _ = schedule(due: keys.end) { [unowned self] in renewTicketKeys(identity) }
    }

    /// Looks at the first byte of a connection without taking it: a TLS record of a handshake begins with 22 (RFC 8446
    /// §5.1), which no request does. Who says nothing first waits for the other side: that is not HTTP.
    func greeting(of descriptor: Int32, _ remote: RemoteAddress) -> Greeting {
        guard tls.vhost != nil, !remote.isLocal else { return .plain }
        var first: UInt8 = 0
        let count = recv(descriptor, &first, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 1 && first != 0x16 ? .plainBesideTLS : .tls
    }

    // MARK: Connecting

    /// The virtual host of connections to `host` over TLS.
    ///
    /// - Throws: `.badCertificate`, `.system`.
    func clientVhost(for host: String, _ trust: TLSTrust) throws(EventLoopError) -> OpaquePointer {
        guard loop.options.opensTLS else {
            throw EventLoopError(.system, "the event loop \"\(loop.options.name)\" was not made for TLS")
        }
        let context = try trust.context(for: host)
        if let known = tls.clientVhosts[context.pointer] { return known }
        var info = lws_context_creation_info()
        info.port = CONTEXT_PORT_NO_LISTEN
        info.vhost_name = Self.clientVhostName.cString
        info.protocols = protocols
        info.options = UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
        info.provided_client_ssl_ctx = context.pointer
        info.retry_and_idle_policy = UnsafePointer(LoopContext.noRetries)
        info.timeout_secs = 30
        guard let vhost = lws_create_vhost(self.context, &info) else {
            throw EventLoopError(.system, "libwebsockets could not set up TLS")
        }
        tls.clientVhosts[context.pointer] = vhost
        return vhost
    }
}

/// Called by OpenSSL at the beginning of a handshake. 0 ends it with an alert.
///
/// Source: SSL_CTX_set_cert_cb(3ssl).
private let offerNewIdentity: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { session, core in
    guard let session, let core else { return 0 }
    return Unmanaged<LoopCore>.fromOpaque(core).takeUnretainedValue().offerIdentity(to: session) ? 1 : 0
}

extension ListeningSocket {
    /// Has the kernel keep connections until they have said something, or for some seconds (tcp(7), TCP_DEFER_ACCEPT), so
    /// that the first byte is there to be looked at.
    func waitForFirstByte() {
        guard !isLocal else { return }
        var seconds: Int32 = 3
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT, &seconds, socklen_t(MemoryLayout<Int32>.size))
    }
}
