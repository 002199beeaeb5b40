internal import SonaEventLoop
internal import SonaWire

/// Decides whether a request is answered at all, by the page that caused it.
///
/// A browser sends requests for any page it shows. A page of another origin must therefore not speak through its
/// visitors (`Origin`, RFC 6454 §7). Nor may this server answer to a name that somebody else owns and points at it
/// (`Host`): by DNS rebinding, such a page would be of this server's origin.
struct RequestGate: Sendable {
    private let origins: Set<String>
    /// The origin of `--public-url`.
    private let publicOrigin: String?
    private let hosts: Set<String>
    private let takesAnyHost: Bool

    /// Names that nobody outside a local network can own: RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa),
    /// and names that ICANN and router makers reserve for the same use.
    private static let localSuffixes = [".localhost", ".local", ".home.arpa", ".internal", ".lan", ".home"]

    init(_ configuration: ServerConfiguration) {
        var origins = Set(configuration.allowedOrigins.map { $0.lowercased() })
        var hosts = Set(configuration.allowedHosts.map { $0.lowercased() })
        if let address = configuration.publicAddress, let host = Self.authority(of: address).flatMap(HostName.name) {
            hosts.insert(host)
            origins.insert(address.lowercased())
        }
        self.origins = origins
        publicOrigin = configuration.publicAddress?.lowercased()
        // With TLS a page of another name fails at the certificate, before it can make a request.
        takesAnyHost = hosts.contains("*") || configuration.identity != nil
        self.hosts = hosts
    }

    /// The part of an address between its scheme and its path.
    private static func authority(of address: String) -> String? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        return String(address[scheme.upperBound...].prefix { $0 != "/" })
    }

    /// The codes of the errors that `refusal` returns, and that of a banned address.
    static let codes: [ErrorCode] = [
        .requestHostUnknown, .requestOriginForbidden, .requestMediaType, .requestAddressBanned,
    ]

    /// The error with which a request is refused; `nil` if it is not.
    func refusal(of request: HTTPRequest) -> WireError? {
        // Monitoring may use any name, and these answers tell nothing about users.
        if request.path == "/healthz" || request.path == "/readyz" || request.remote.isLocal { return nil }
        if !isHostKnown(request) { return WireError(.requestHostUnknown) }
        if !isOriginAllowed(request) { return WireError(.requestOriginForbidden) }
        let usesCookie = request.path.hasPrefix(Limits.cookiePath + "/")
        // The browser adds the cookie by itself, so the page must be this server's own, and must say so.
        if usesCookie, !isOriginOurs(request) { return WireError(.requestOriginForbidden) }
        if usesCookie || request.path.hasPrefix(Limits.rpcPathPrefix), request.method == .post, !isJSON(request) {
            return WireError(.requestMediaType)
        }
        return nil
    }

    /// The origin of a page of another server that may ask this one; `nil` for pages of this server and for programs.
    func foreignOrigin(of request: HTTPRequest) -> String? {
        guard let origin = request.origin, origins.contains(origin.lowercased()), !isOriginOurs(request) else {
            return nil
        }
        return origin
    }

    private func isOriginOurs(_ request: HTTPRequest) -> Bool {
        guard let origin = request.origin?.lowercased() else { return false }
        return origin == publicOrigin || Self.authority(of: origin) == request.host?.lowercased()
    }

    private func isHostKnown(_ request: HTTPRequest) -> Bool {
        // A trusted proxy has chosen this server by that name.
        if takesAnyHost || request.remote != request.peer { return true }
        // A request of HTTP/1.0 may have no `Host`, and browsers do not use HTTP/1.0.
        guard let header = request.host else { return true }
        guard let name = HostName.name(header) else { return false }
        return name == "localhost" || !name.utf8.contains(UInt8(ascii: ".")) || RemoteAddress(numeric: name) != nil
            || Self.localSuffixes.contains { name.hasSuffix($0) } || hosts.contains(name)
    }

    private func isOriginAllowed(_ request: HTTPRequest) -> Bool {
        guard let origin = request.origin?.lowercased() else { return true }
        if origins.contains(origin) { return true }
        // Songs are asked for from pages of any origin, and never in the name of whoever has that page open.
        if ShardCore.songRequestsPath(request.path) != nil { return true }
        // Whether a page may listen is asked before it does.
        if request.path.hasPrefix(Limits.listenPathPrefix), request.method == .options { return true }
        // Who asks is said in the request itself, so a page speaks for nobody whose password it does not know.
        if request.path.hasPrefix(SubsonicDoor.pathPrefix) { return true }
        // Pages and modules may be read from any page; only requests that act are restricted.
        guard request.method != .get || request.headers.has("upgrade"), request.method != .head else { return true }
        return isOriginOurs(request)
    }

    private func isJSON(_ request: HTTPRequest) -> Bool {
        guard let type = request.contentType else { return !request.headers.has("content-length") || request.isEmpty }
        let essence = type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        return essence.lowercased() == "application/json"
    }
}

extension HTTPRequest {
    /// Whether the request states that it has no body.
    fileprivate var isEmpty: Bool { headers["content-length"] == "0" }
}
