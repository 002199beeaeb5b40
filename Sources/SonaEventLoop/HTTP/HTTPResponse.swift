/// An answer to an HTTP request, whole and in memory.
public struct HTTPResponse: Sendable {
    public var status: Int
    /// Names in lower case. `content-length` and `content-type` are set by what follows.
    public var headers: [(name: String, value: String)]
    public var contentType: String
    public var body: [UInt8]
    /// Whether the connection ends after it.
    public var closes = false

    public init(
        status: Int = 200, contentType: String = "text/plain; charset=utf-8", body: [UInt8] = [],
        headers: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.headers = headers
    }

    /// A line of text for people.
    public static func text(_ status: Int, _ line: String) -> HTTPResponse {
        HTTPResponse(status: status, body: Array((line + "\n").utf8))
    }

    public static func json(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: status, contentType: "application/json", body: body,
            headers: [(name: "cache-control", value: "no-store")])
    }

    /// The reason phrases of the statuses used before a request is a request (RFC 9110 §15).
    static func phrase(_ status: Int) -> String {
        switch status {
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}
