internal import SonaConfiguration

/// The host and the port of a listening socket.
package struct ListenAddress: Sendable, Equatable {
    package var host: String
    /// 0 takes a free port.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`, or `[IPv6]:PORT`.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("[") && host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension ConfigurationForm where Value == ListenAddress {
    static var listenAddress: Self {
        Self(
            "HOST:PORT", expectation: "HOST:PORT (IPv6 hosts in brackets)", read: { ListenAddress($0) }, text: \.text)
    }
}
