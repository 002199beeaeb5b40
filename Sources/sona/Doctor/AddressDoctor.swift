import Glibc
import SonaEventLoop
import SonaServer

/// The certificate, and the way to the server from outside.
struct AddressDoctor {
    let configuration: ServerConfiguration
    var nowSeconds = time(nil)

    func findings() -> [Finding] { [certificate()].compactMap { $0 } + [address()] + proxy() }

    // MARK: The certificate

    private func certificate() -> Finding? {
        guard let certificate = configuration.tlsCertificateFile, let key = configuration.tlsKeyFile else { return nil }
        do throws(EventLoopError) {
            let identity = try TLSIdentity(certificateFile: certificate, keyFile: key)
            guard identity.isValid(atSeconds: nowSeconds) || identity.endsAtSeconds.map({ $0 < nowSeconds }) == true
            else {
                return .fail("certificate", "\(certificate) is not valid yet.", "Look at the machine's clock.")
            }
            return Self.certificate(certificate, endsAtSeconds: identity.endsAtSeconds, nowSeconds: nowSeconds)
        } catch {
            return .fail(
                "certificate", "\(error.detail).", "A server does not start so: deploy/README.md, TLS.")
        }
    }

    static func certificate(_ file: String, endsAtSeconds: Int?, nowSeconds: Int) -> Finding {
        guard let end = endsAtSeconds else {
            return .fail("certificate", "\(file) has no readable end.", "Get another one.")
        }
        let days = (end - nowSeconds) / 86_400
        let advice = "Have it renewed, then systemctl reload sona (or SIGHUP), which reads the new one."
        if end <= nowSeconds { return .fail("certificate", "\(file) has expired.", advice) }
        let saw = "\(file) is good for \(days) more days."
        // As the server's own warning.
        return days < 14 ? .warn("certificate", saw, advice) : .ok("certificate", saw)
    }

    // MARK: From outside

    private func address() -> Finding {
        guard let url = configuration.publicAddress else {
            return .warn(
                "address", "public-url is not set, so links in mails and previews have no beginning.",
                "Set public-url to the address that people type, such as https://sona.example.")
        }
        guard let place = HTTPPlace(url: url) else {
            return .fail("address", "\(url) is no address of a site.", "Set public-url to https://HOST.")
        }
        switch place.ask("/healthz") {
        case .failure(let fault): return Self.finding(url, fault)
        case .success(let answer) where answer.status != 200:
            return .fail(
                "address", "\(url)/healthz answers with \(answer.status).",
                answer.status == 421
                    ? "The name is not the server's: have the proxy pass Host on, or set allow-host."
                    : "Look whether the proxy leads to this server: deploy/proxies has samples.")
        case .success:
            return upgrade(url, place)
        }
    }

    private static func finding(_ url: String, _ fault: HTTPPlace.Fault) -> Finding {
        switch fault {
        case .unreachable(let why):
            .fail("address", "\(url) can't be reached from here: \(why).", "Look at name, firewall and proxy.")
        case .untrusted(let why):
            .fail(
                "address", "\(url) does not prove its name: \(why).",
                "Serve the whole chain (fullchain.pem) of a certificate for that name.")
        case .silent: .fail("address", "\(url) does not answer.", "Look at the firewall and the proxy.")
        case .noHTTP: .fail("address", "\(url) does not speak HTTP.", "Look whether the port is the right one.")
        }
    }

    /// The key of RFC 6455 §1.3, whose answer is known.
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    private func upgrade(_ url: String, _ place: HTTPPlace) -> Finding {
        let answer = place.ask(
            "/v1/ws",
            headers: [
                ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", Self.key), ("Sec-WebSocket-Protocol", "sona.v1"),
            ])
        if case .success(let answer) = answer, answer.status == 101,
            answer.headers["sec-websocket-accept"] == Self.accept
        {
            return .ok("address", "\(url) answers and lets WebSockets through.")
        }
        let saw: String =
            if case .success(let answer) = answer { "it answers \(answer.status)" } else { "it does not answer" }
        return .fail(
            "address", "\(url) answers, but lets no WebSocket through: \(saw).",
            "Have the proxy pass Upgrade and Connection on for /v1/ws: deploy/proxies has samples.")
    }

    private func proxy() -> [Finding] {
        guard let url = configuration.publicAddress else { return [] }
        let hasOwnTLS = configuration.tlsCertificateFile != nil
        let trusted = configuration.trustedProxies.map { "\($0)" }
        return [Self.proxy(url, hasOwnTLS: hasOwnTLS, trusted: trusted)].compactMap { $0 }
    }

    /// Somebody else speaks TLS for the server where it has no certificate: a proxy.
    static func proxy(_ url: String, hasOwnTLS: Bool, trusted: [String]) -> Finding? {
        if !trusted.isEmpty {
            return .ok("proxy", "Clients' addresses are taken from \(trusted.joined(separator: ", ")).")
        }
        guard url.hasPrefix("https://"), !hasOwnTLS else { return nil }
        return .fail(
            "proxy",
            "A proxy speaks TLS for \(url), and trusted-proxy names none: all clients share one address and its limits.",
            "Set trusted-proxy to the proxy's address, 127.0.0.1 if it runs here.")
    }
}
