package import SonaEventLoop
internal import SonaWire

/// The address of a server: a host and a port, as a person writes them.
///
/// `https://HOST:PORT`, `http://HOST:PORT`, `HOST:PORT` and `HOST` are understood; IPv6 addresses stand in brackets. The
/// port defaults to 443 with `https`, to 80 with `http`, to Sona's own 8337 without a scheme, which means `http`.
package struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address, IPv6 without its brackets.
    package let host: String
    /// 1 to 65535.
    package let port: Int
    /// Whether TLS is spoken there, and then with nobody who can't prove to be `host`.
    package let isSecure: Bool
    /// The path of a PEM file with certificates to trust in place of the system's. It is not part of the written
    /// address.
    package var authorityFile: String?

    package static let portDefault = 8337
    /// The address at which `sona serve` listens by default.
    package static let standard = ServerAddress(host: "127.0.0.1", port: portDefault, isSecure: false)

    /// Why a text is no address, in one sentence.
    package struct Invalid: Error, Equatable, Sendable, CustomStringConvertible {
        package var description: String
    }

    private init(host: String, port: Int, isSecure: Bool) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
    }

    /// - Throws: `Invalid` for other schemes, paths, and ports outside of 1 to 65535.
    package init(_ text: String) throws(Invalid) {
        var rest = Substring(text)
        var port = Self.portDefault
        var isSecure = false
        if let (scheme, after) = Self.split(rest, at: "://") {
            switch scheme.lowercased() {
            case "http": port = 80
            case "https":
                port = 443
                isSecure = true
            case "unix": throw Invalid(description: Self.isOperators(text))
            default: throw Invalid(description: "\(text) is no server address; write https://HOST or http://HOST:PORT.")
            }
            rest = after
        } else if rest.hasPrefix("unix:") {
            throw Invalid(description: Self.isOperators(text))
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        let host: Substring
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest[host.endIndex...]
        }
        if !rest.isEmpty {
            guard rest.hasPrefix(":"), let number = Int(rest.dropFirst()), 1...65535 ~= number,
                rest.utf8.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 })
            else { throw Invalid(description: "\(text) has no valid port; write http://HOST:PORT.") }
            port = number
        }
        guard !host.isEmpty, host.unicodeScalars.allSatisfy(Self.isAllowed) else {
            throw Invalid(description: "\(text) is no server address; write https://HOST or http://HOST:PORT.")
        }
        self.init(host: String(host), port: port, isSecure: isSecure)
    }

    /// Whether a character may be part of a host name or of an IPv4 or IPv6 address with its zone. Keeps spaces, line
    /// breaks and slashes out of the request that the host is written into.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_", ":", "%": true
        default: false
        }
    }

    private static func isOperators(_ text: String) -> String {
        "\(text) is the operator's socket, which takes what administrators do and nothing else; "
            + "this takes https://HOST or http://HOST:PORT."
    }

    private static func split(_ text: Substring, at mark: String) -> (Substring, Substring)? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].hasPrefix(mark) {
                return (text[..<index], text[text.index(index, offsetBy: mark.count)...])
            }
            index = text.index(after: index)
        }
        return nil
    }

    /// `HOST:PORT`, IPv6 in brackets.
    package var authority: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
    /// The address with its scheme, which `init` takes again.
    package var description: String { "\(isSecure ? "https" : "http")://\(authority)" }

    /// The authorities trusted there; nil for an address without TLS.
    var trust: TLSTrust? { isSecure ? TLSTrust(authorityFile: authorityFile) : nil }

    /// Where the WebSocket of the protocol is (Protocol/spec/connection.md).
    package var webSocketTarget: WebSocketTarget {
        var target = WebSocketTarget(
            host: host, port: port, path: Limits.webSocketPath, subprotocol: Limits.subprotocol)
        target.trust = trust
        return target
    }
}
