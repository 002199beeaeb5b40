internal import SonaBase

/// Decides which address a client has and how much HTTP one address may use. Shared by all loops of a server.
public final class ClientPolicy: Sendable {
    /// The settings that can change while the server runs.
    public struct Rules: Sendable {
        /// Reverse proxies whose statement about a client's address is trusted.
        public var trustedProxies: [AddressRange]
        /// Addresses to which no limit for addresses applies, in the form of `RemoteAddress.text`.
        public var exempt: Set<String>

        public init(trustedProxies: [AddressRange] = [], exempt: Set<String> = []) {
            self.trustedProxies = trustedProxies
            self.exempt = exempt
        }
    }

    private let currentRules: Monitor<Rules>

    /// The present rules. Connections that stand are not looked at again when they change.
    public var rules: Rules {
        get { currentRules.withLock { $0 } }
        set { currentRules.withLock { $0 = newValue } }
    }

    /// Connections that one address may hold.
    public let connectionsPerAddressMax: Int
    /// How many connections each address holds.
    public let census: ConnectionCensus?
    /// HTTP requests that one address may make in a second.
    public let requestsPerSecond: Int
    /// Called with a peer that sends forwarding headers without being trusted, at most once a minute. On any thread.
    private let onUntrustedHeader: (@Sendable (RemoteAddress) -> Void)?

    private struct State {
        var buckets: [String: TokenBucket] = [:]
        var nextWarning: Int64 = 0
    }
    private let state = Monitor(State())
    /// Above this number of addresses, those whose budget is full again are forgotten.
    private static let addressesMax = 16_384

    /// - Parameters:
    ///   - trustedProxies: Peers whose forwarding headers and PROXY headers name the client. Their own connections are
    ///     not counted.
    ///   - exempt: Addresses without limits, in the form of `RemoteAddress.text`. Connections of a Unix socket are
    ///     always exempt.
    ///   - connectionsPerAddressMax: Connections that one address or network (`RemoteAddress.group`) may have open,
    ///     over all loops. Enforced only with a `census`.
    ///   - requestsPerSecond: HTTP requests that one address or network may make in a second.
    ///   - census: Counts the open connections of each address, over all loops. `nil`: they are neither counted nor
    ///     limited.
    ///   - onUntrustedHeader: Called with a peer that sends forwarding headers without being trusted, at most once a
    ///     minute. On any thread.
    public init(
        trustedProxies: [AddressRange] = [], exempt: Set<String> = [], connectionsPerAddressMax: Int = 512,
        requestsPerSecond: Int = 1000, census: ConnectionCensus? = nil,
        onUntrustedHeader: (@Sendable (RemoteAddress) -> Void)? = nil
    ) {
        currentRules = Monitor(Rules(trustedProxies: trustedProxies, exempt: exempt))
        self.connectionsPerAddressMax = connectionsPerAddressMax
        self.requestsPerSecond = requestsPerSecond
        self.census = census
        self.onUntrustedHeader = onUntrustedHeader
    }

    /// Whether what an address says of others is taken for true.
    public func trusts(_ address: RemoteAddress) -> Bool {
        let trusted = rules.trustedProxies
        return !trusted.isEmpty && trusted.contains { $0.contains(address) }
    }

    /// Whether no limit applies: the address is exempt, or the connection came by a Unix socket.
    public func isExempt(_ address: RemoteAddress) -> Bool {
        address.isLocal || rules.exempt.contains(address.text)
    }

    /// Takes one request from an address' budget.
    ///
    /// - Returns: nil if it may be made, else the milliseconds until it might.
    func takeRequest(of address: RemoteAddress) -> Int? {
        guard !isExempt(address) else { return nil }
        let (group, now) = (address.group, MonotonicClock.nowMicroseconds())
        return state.withLock { state in
            if state.buckets.count >= Self.addressesMax {
                state.buckets = state.buckets.filter { !$1.isFull(now: now) }
            }
            return state.buckets[group, default: TokenBucket(perSecond: requestsPerSecond)].take(now: now)
        }
    }

    // MARK: Who asks

    /// The address of the client of a request. If the peer is a trusted proxy, its headers name it.
    ///
    /// It is the rightmost address that is not itself a trusted proxy's: that client sent everything left of it. An
    /// entry that cannot be read as an address ends the search, and the proxy that passed it on is taken for the
    /// client.
    /// - Throws: `.bad` where `X-Forwarded-For` and `Forwarded` name different clients. A proxy that writes one of them
    ///   passes the other on as a stranger has sent it.
    func client(of request: HTTPRequest) throws(HTTPRequest.Fault) -> RemoteAddress {
        let peer = request.peer
        guard trusts(peer) else {
            if request.headers.has("x-forwarded-for") || request.headers.has("forwarded") { warn(of: peer) }
            return peer
        }
        let lists = [
            request.headers.items("x-forwarded-for").map { ForwardedHeader.address($0) },
            request.headers.items("forwarded").map { ForwardedHeader.node($0, "for").flatMap(ForwardedHeader.address) },
        ].filter { !$0.isEmpty }
        let clients = lists.map { rightmostUntrusted($0, peer) }
        guard let client = clients.first else { return peer }
        guard clients.allSatisfy({ $0 == client }) else {
            throw .bad(
                "X-Forwarded-For and Forwarded name different clients: the proxy must remove the one it does not set")
        }
        return client
    }

    private func rightmostUntrusted(_ hops: [RemoteAddress?], _ peer: RemoteAddress) -> RemoteAddress {
        var nearest = peer
        for hop in hops.reversed() {
            guard let hop else { return nearest }
            nearest = hop
            if !trusts(hop) { return hop }
        }
        return nearest
    }

    /// Whether the client speaks TLS with the proxy that a request came through.
    func saysSecure(_ request: HTTPRequest) -> Bool {
        if let scheme = request.headers.items("x-forwarded-proto").last { return scheme.lowercased() == "https" }
        return request.headers.items("forwarded").last.flatMap { ForwardedHeader.node($0, "proto") }?.lowercased()
            == "https"
    }

    private func warn(of peer: RemoteAddress) {
        guard let onUntrustedHeader else { return }
        let now = MonotonicClock.nowMicroseconds()
        let isDue = state.withLock { state in
            guard now >= state.nextWarning else { return false }
            state.nextWarning = now + 60_000_000
            return true
        }
        if isDue { onUntrustedHeader(peer) }
    }
}

/// The forms in which proxies name a client.
enum ForwardedHeader {
    /// An address, perhaps with a port, IPv6 in brackets then: an element of `X-Forwarded-For`, or a node of RFC 7239 §6.
    static func address(_ text: String) -> RemoteAddress? {
        var text = text[...]
        if text.hasPrefix("\""), text.hasSuffix("\""), text.count >= 2 { text = text.dropFirst().dropLast() }
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            return RemoteAddress(numeric: String(text[text.index(after: text.startIndex)..<end]))
        }
        if let whole = RemoteAddress(numeric: String(text)) { return whole }
        guard let colon = text.firstIndex(of: ":"),
            text[text.index(after: colon)...].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return RemoteAddress(numeric: String(text[..<colon]))
    }

    /// A parameter of an element of `Forwarded` (RFC 7239 §4).
    static func node(_ element: String, _ name: String) -> String? {
        for pair in element.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmed() }
            guard parts.count == 2, parts[0].lowercased() == name else { continue }
            var value = parts[1][...]
            if value.hasPrefix("\""), value.hasSuffix("\""), value.count >= 2 { value = value.dropFirst().dropLast() }
            return String(value)
        }
        return nil
    }
}

extension Substring {
    fileprivate func trimmed() -> String {
        var rest = self
        while rest.first == " " || rest.first == "\t" { rest = rest.dropFirst() }
        while rest.last == " " || rest.last == "\t" { rest = rest.dropLast() }
        return String(rest)
    }
}
