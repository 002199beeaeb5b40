/// Plain HTTP at a port where TLS is spoken: people are sent to the right address, programs told of it.
extension LoopSocket {
    /// The answer that a request without TLS gets instead of its own; nil where it may have its own.
    func answerWithoutTLS(_ request: HTTPRequest) -> HTTPResponse? {
        guard isBesideTLS else { return nil }
        let isReading = request.method == .get || request.method == .head
        if isReading, request.remote.isLoopback, core.loop.options.pathsWithoutTLS.contains(request.path) { return nil }
        guard isReading else { return Self.upgradeToTLS }
        guard let host = request.host, HostName.isValid(host) else {
            return .text(400, "Bad request: the Host header can't be understood.")
        }
        return HTTPResponse(status: 308, headers: [(name: "location", value: "https://\(host)\(request.target)")])
    }

    /// RFC 9110 §15.5.22: with the protocol that is wanted.
    static var upgradeToTLS: HTTPResponse {
        HTTPResponse(
            status: 426, body: Array("TLS is spoken here: use https:// and wss:// addresses.\n".utf8),
            headers: [(name: "upgrade", value: "TLS/1.2, HTTP/1.1")])
    }
}

/// The value of a `Host` header.
public enum HostName {
    /// A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port: nothing else gets into a `Location`.
    public static func isValid(_ text: String) -> Bool {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = rest[rest.index(after: rest.startIndex)..<end]
            guard !address.isEmpty, address.allSatisfy(isOfAddress) else { return false }
            rest = rest[rest.index(after: end)...]
        } else {
            let name = rest.prefix { $0 != UInt8(ascii: ":") }
            guard (1...253).contains(name.count), name.allSatisfy(isOfName) else { return false }
            rest = rest[name.endIndex...]
        }
        guard rest.first == UInt8(ascii: ":") else { return rest.isEmpty }
        let port = rest.dropFirst()
        return (1...5).contains(port.count) && port.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The name or address without its port, in lower case and without brackets; `nil` where it is invalid.
    public static func name(_ text: String) -> String? {
        guard isValid(text) else { return nil }
        if text.hasPrefix("[") { return text.dropFirst().prefix { $0 != "]" }.lowercased() }
        return text.prefix { $0 != ":" }.lowercased()
    }

    /// The port; `nil` where none is said or the whole is invalid.
    public static func port(_ text: String) -> String? {
        guard isValid(text), let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else { return nil }
        return String(text[text.index(after: colon)...])
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20) || byte == 0x3A || byte == 0x2E
    }
}
