internal import Glibc
public import SonaBase

/// An answer to an HTTP request: whole and in memory, but for a body that is read from a file.
public struct HTTPResponse: Sendable {
    /// The status code (RFC 9110 §15).
    public var status: Int
    /// Names in lower case. `content-length` and `content-type` are set by what follows.
    public var headers: [(name: String, value: String)]
    /// The `Content-Type` header.
    public var contentType: String
    /// The whole body.
    public var body: [UInt8]
    /// A body that is read from a file while it is sent; it takes the place of `body`.
    public var file: FileBody?
    /// A body that is read from a file while somebody writes that; it takes the place of `body`. Its length is not known,
    /// so it goes out in chunks, or until the end of the connection to a client of HTTP/1.0.
    public var growing: GrowingFile?
    /// Counts the body, if it is of a kind that is counted.
    public var meter: BodyMeter?
    /// Whether the connection ends after it.
    public var closes = false
    /// Whether the length of the body is known. False for an answer that goes on until the connection ends, and for the
    /// answer to a HEAD for one.
    public var hasLength = true

    /// - Parameter headers: Names in lower case, without `content-length` and `content-type`.
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

    /// A JSON answer that no cache may store.
    ///
    /// - Parameter body: The encoded document, in UTF-8.
    public static func json(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: status, contentType: "application/json", body: body,
            headers: [(name: "cache-control", value: "no-store")])
    }

    /// The reason phrases of the statuses used here (RFC 9110 §15); others go without, as they may (RFC 9112 §4).
    static func phrase(_ status: Int) -> StaticString {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 206: "Partial Content"
        case 304: "Not Modified"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 423: "Locked"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 507: "Insufficient Storage"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }

    /// Status line and header fields as they go over the wire.
    ///
    /// - Parameters:
    ///   - date: The value of `Date` (RFC 9110 §6.6.1).
    ///   - connection: The value of `Connection`; `nil` leaves it out.
    ///   - isChunked: Whether the client reads chunks (RFC 9112 §7.1).
    func head(date: String, connection: StaticString?, isChunked: Bool = true) -> [UInt8] {
        var head: [UInt8] = []
        head.reserveCapacity(256 + headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
        func add(_ text: StaticString) { text.withUTF8Buffer { head.append(contentsOf: $0) } }
        func add(_ text: String) { head.append(contentsOf: text.utf8) }
        add("HTTP/1.1 ")
        add(String(status))
        add(" ")
        add(Self.phrase(status))
        add("\r\ndate: ")
        add(date)
        // A status that allows no body gets neither header (RFC 9110 §8.6). A 304 gives the type of the representation
        // the client has.
        if status >= 200, status != 204 {
            add("\r\ncontent-type: ")
            add(contentType)
            if growing != nil {
                if isChunked { add("\r\ntransfer-encoding: chunked") }
            } else if status != 304, hasLength {
                add("\r\ncontent-length: ")
                add(String(file?.count ?? Int64(body.count)))
            }
        }
        for (name, value) in headers {
            // A line break in a value sent by a client must not start another header.
            guard !value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { continue }
            add("\r\n")
            add(name)
            add(": ")
            add(value)
        }
        if let connection {
            add("\r\nconnection: ")
            add(connection)
        }
        add("\r\n\r\n")
        return head
    }
}

/// The value of `Date`, made once a second.
struct HTTPDate {
    private var second: time_t = 0
    private var text = ""

    /// The time of day as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    mutating func now() -> String {
        var second = time(nil)
        guard second != self.second else { return text }
        self.second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = Self.days[Int(parts.tm_wday)]
        let month = Self.months[Int(parts.tm_mon)]
        text =
            "\(day), \(two(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
        return text
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
