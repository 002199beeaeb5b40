internal import SonaEventLoop
internal import SonaWire

/// Which requests are answered at all, by who has them made.
///
/// A browser sends requests for any page it shows. So a page of another origin must not speak through its visitors
/// (`Origin`, RFC 6454 §7), and a name that somebody else owns and points at this server must not be answered for (`Host`:
/// DNS rebinding, by which such a page would be of this server's origin).
struct RequestGate: Sendable {
    private let origins: Set<String>
    /// That of `--public-url`.
    private let publicOrigin: String?
    private let hosts: Set<String>
    private let takesAnyHost: Bool

    /// Names that nobody outside of a local network can own: RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa),
    /// and what ICANN and router makers keep for the same.
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
        // A certificate is for its names: a page of another name does not get as far as a request.
        takesAnyHost = hosts.contains("*") || configuration.identity != nil
        self.hosts = hosts
    }

    /// What follows the scheme of an address, up to its path.
    private static func authority(of address: String) -> String? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        return String(address[scheme.upperBound...].prefix { $0 != "/" })
    }

    /// The codes of what `refusal` says.
    static let codes: [ErrorCode] = [.requestHostUnknown, .requestOriginForbidden, .requestMediaType]

    /// Why a request is refused; nil where it is not.
    func refusal(of request: HTTPRequest) -> WireError? {
        // Whoever watches the server asks by any name and sees nothing of anybody.
        if request.path == "/healthz" || request.path == "/readyz" || request.remote.isLocal { return nil }
        if !isHostKnown(request) { return WireError(.requestHostUnknown) }
        if !isOriginAllowed(request) { return WireError(.requestOriginForbidden) }
        let usesCookie = request.path.hasPrefix(Limits.cookiePath + "/")
        // A cookie comes along by itself: the page has to be our own, and has to say so.
        if usesCookie, !isOriginOurs(request) { return WireError(.requestOriginForbidden) }
        if usesCookie || request.path.hasPrefix(Limits.rpcPathPrefix), request.method == .post, !isJSON(request) {
            return WireError(.requestMediaType)
        }
        return nil
    }

    private func isOriginOurs(_ request: HTTPRequest) -> Bool {
        guard let origin = request.origin?.lowercased() else { return false }
        return origin == publicOrigin || Self.authority(of: origin) == request.host?.lowercased()
    }

    private func isHostKnown(_ request: HTTPRequest) -> Bool {
        // A trusted proxy has chosen this server by the name.
        if takesAnyHost || request.remote != request.peer { return true }
        // HTTP/1.0 knows none, and browsers do not speak it.
        guard let header = request.host else { return true }
        guard let name = HostName.name(header) else { return false }
        return name == "localhost" || !name.utf8.contains(UInt8(ascii: ".")) || RemoteAddress(numeric: name) != nil
            || Self.localSuffixes.contains { name.hasSuffix($0) } || hosts.contains(name)
    }

    private func isOriginAllowed(_ request: HTTPRequest) -> Bool {
        guard let origin = request.origin?.lowercased() else { return true }
        if origins.contains(origin) { return true }
        // Pages and modules are for everybody who can see them; it is asking that is not.
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
    /// Whether it says that it has no body.
    fileprivate var isEmpty: Bool { headers["content-length"] == "0" }
}
