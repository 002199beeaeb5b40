/// An HTTP/1.1 request: what of it Sona looks at.
public struct HTTPRequest: Sendable {
    /// The methods of RFC 9110 §9 and RFC 5789 that an application can be asked with.
    public enum Method: String, Sendable {
        /// Spelled as on the wire.
        case get = "GET", head = "HEAD", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE", options =
            "OPTIONS"
    }

    /// The request method.
    public var method: Method
    /// The path, percent-decoded once and without dot segments (RFC 3986 §5.2.4), without the query. Begins with `/`.
    public var path: String
    /// Path and query as they came.
    public var target: String
    /// The query as it came, without the question mark.
    public var query: String
    /// All header fields, in the order they came.
    public var headers: HTTPHeaders
    /// The tokens of `Sec-WebSocket-Protocol`, in the client's order.
    public var subprotocols: [String] = []
    /// The whole body. Empty if the request has no body, and if the body went to a sink.
    public var body: [UInt8] = []
    /// The sink that the body went to (`BodyDecision.stream`); `nil` for other bodies.
    public var sink: (any BodySink)?
    /// The address of the client: the peer, or the address that a trusted proxy names (`ClientPolicy`).
    public var remote: RemoteAddress
    /// The address at the other end of the connection.
    public var peer: RemoteAddress
    /// Whether the client spoke TLS, with us or with a trusted proxy that says so.
    public var isSecure = false

    /// The `Host` header; `nil` if absent or empty, as for the headers that follow.
    public var host: String? { headers["host"] }
    /// The `Origin` header, which browsers add to requests that cross origins and to WebSocket handshakes.
    public var origin: String? { headers["origin"] }
    /// The `Authorization` header, with its scheme. A secret: keep it out of logs.
    public var authorization: String? { headers["authorization"] }
    /// The `If-None-Match` header: entity tags, or `*`.
    public var ifNoneMatch: String? { headers["if-none-match"] }
    /// The `Accept-Encoding` header, not parsed.
    public var acceptEncoding: String? { headers["accept-encoding"] }
    /// The `User-Agent` header, not parsed.
    public var userAgent: String? { headers["user-agent"] }
    /// The `Content-Type` header: the type that the client declares for its body.
    public var contentType: String? { headers["content-type"] }
    /// A header says that the request came through a proxy, trusted or not.
    public var isForwarded: Bool {
        headers.has("x-forwarded-for") || headers.has("forwarded") || headers.has("x-real-ip") || headers.has("via")
    }

    /// Why a request is not one that Sona can answer.
    enum Fault: Error {
        case bad(String)
        case lengthRequired
        case methodUnknown
        case versionUnknown
        case headTooLarge
        case tooManyFields
        case targetTooLong
        case expectationUnknown
    }

    /// The length of the body according to its framing.
    enum BodyLength: Equatable {
        case none
        case known(Int)
    }

    /// The request without its body.
    init(_ head: HTTPHead, from peer: RemoteAddress) throws(Fault) {
        method = head.method
        headers = head.headers
        remote = peer
        self.peer = peer
        switch headers.count(of: "host") {
        case 0: if head.isHTTP11 { throw .bad("the Host header is missing") }
        case 1: break
        default: throw .bad("there is more than one Host header")
        }
        // Only the path of an absolute target (RFC 9112 §3.2.2) counts: nothing is served for other hosts.
        var target = head.target[...]
        if target.utf8.first != UInt8(ascii: "/"), let scheme = target.firstRange(of: "://") {
            let rest = target[scheme.upperBound...]
            let path = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            target = rest[path...]
            if target.utf8.first != UInt8(ascii: "/") { target = "/" + target }
        }
        guard target.utf8.first == UInt8(ascii: "/") else { throw .bad("the path must begin with a slash") }
        self.target = String(target)
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        guard let path = RequestPath.decoded(target[..<(mark ?? target.endIndex)].utf8) else {
            throw .bad("the path is not percent-encoded UTF-8")
        }
        self.path = path
        query = mark.map { String(target[target.utf8.index(after: $0)...]) } ?? ""
    }

    /// Checks the body's framing: what two servers read in different ways is how one request hides in another.
    ///
    /// Source: RFC 9112 §6.3, §11.2 (request smuggling).
    func bodyLength() throws(Fault) -> BodyLength {
        if headers.has("transfer-encoding") {
            if headers.has("content-length") {
                throw .bad("Content-Length and Transfer-Encoding exclude each other")
            }
            throw .lengthRequired
        }
        guard headers.has("content-length") else { return .none }
        guard headers.count(of: "content-length") == 1, let length = headers["content-length"],
            (1...15).contains(length.utf8.count), length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int(length)
        else { throw .bad("the Content-Length is not a number") }
        return .known(count)
    }

    /// Whether the client waits with its body until it is told to go on (RFC 9110 §10.1.1).
    func expectsContinue() throws(Fault) -> Bool {
        guard headers.has("expect") else { return false }
        guard headers.value(of: "expect", is: "100-continue") else { throw .expectationUnknown }
        return true
    }
}

/// The path of a request's target.
enum RequestPath {
    /// The text, percent-decoded once; `nil` if the encoding or the UTF-8 is invalid, or it has a zero byte.
    static func decoded(_ raw: Substring.UTF8View) -> String? {
        guard raw.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ".") }) else { return String(raw) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var rest = raw.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0), let path = String(validating: bytes, as: UTF8.self) else { return nil }
        return path.utf8.contains(UInt8(ascii: ".")) ? withoutDotSegments(path) : path
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    private static func withoutDotSegments(_ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard segments.contains(where: { $0 == "." || $0 == ".." }) else { return path }
        var kept: [Substring] = []
        for segment in segments {
            switch segment {
            case ".": continue
            case "..": _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}
