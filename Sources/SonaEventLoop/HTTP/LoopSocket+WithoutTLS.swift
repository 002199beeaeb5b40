/// Plain HTTP at a port where TLS is spoken: people are sent to the right address, programs told of it.
extension LoopSocket {
    /// What a request without TLS gets in place of its answer; nil where it may have that.
    func answerWithoutTLS(_ request: HTTPRequest) -> HTTPResponse? {
        guard isBesideTLS else { return nil }
        let isReading = request.method == .get || request.method == .head
        if isReading, remote.isLoopback, core.loop.options.pathsWithoutTLS.contains(request.path) { return nil }
        guard isReading else { return Self.upgradeToTLS }
        guard let host = request.host, Self.isHost(host) else {
            return .text(400, "Bad request: the Host header can't be understood.")
        }
        var location = "https://\(host)\(Self.encoded(request.path, besides: "/"))"
        if !request.query.isEmpty { location += "?\(Self.encoded(request.query, besides: "/?&="))" }
        return HTTPResponse(status: 308, headers: [(name: "location", value: location)])
    }

    /// RFC 9110 §15.5.22: with the protocol that is wanted.
    static var upgradeToTLS: HTTPResponse {
        HTTPResponse(
            status: 426, body: Array("TLS is spoken here: use https:// and wss:// addresses.\n".utf8),
            headers: [(name: "upgrade", value: "TLS/1.2, HTTP/1.1")])
    }

    /// A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port: nothing else gets into a `Location`.
    static func isHost(_ text: String) -> Bool {
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

    private static func isOfName(_ byte: UInt8) -> Bool {
        isUnreserved(byte) && byte != UInt8(ascii: "~")
    }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20) || byte == 0x3A || byte == 0x2E
    }

    /// RFC 3986 §2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// What libwebsockets has decoded, encoded again: a line break in a path must not become one in a header.
    private static func encoded(_ text: String, besides kept: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || kept.utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
