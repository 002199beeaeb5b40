internal import CLibwebsockets

/// An HTTP/1.1 request: what of it Sona looks at.
public struct HTTPRequest: Sendable {
    public enum Method: String, Sendable {
        case get = "GET", head = "HEAD", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE", options =
            "OPTIONS"
    }

    public var method: Method
    /// The path, percent-decoded once, without the query. Begins with `/`.
    public var path: String
    /// The query without the question mark, percent-decoded like the path.
    public var query: String
    public var host: String?
    public var origin: String?
    public var authorization: String?
    public var ifNoneMatch: String?
    public var acceptEncoding: String?
    public var userAgent: String?
    /// What the client says its body is.
    public var contentType: String?
    /// `X-Forwarded-For`, `Forwarded` or `X-Real-IP` is there: the peer's address is a proxy's.
    public var isForwarded = false
    public var forwardedFor: String?
    /// The tokens of `Sec-WebSocket-Protocol`, in the client's order.
    public var subprotocols: [String] = []
    public var body: [UInt8] = []
    public var remote: RemoteAddress

    /// Why a request is not one that Sona can answer.
    enum Fault: Error {
        case bad(String)
        case lengthRequired
        case methodUnknown
    }

    /// What the framing of the body says.
    enum BodyLength: Equatable {
        case none
        case known(Int)
    }
}

/// Reads headers of the request that a socket holds just now. Only inside libwebsockets' request callbacks.
struct HeaderReader {
    let wsi: OpaquePointer

    func value(_ token: lws_token_indexes) -> String? {
        withValue(token) { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// The bytes of a header, `nil` where it is not there or empty: for what need not become a string.
    func withValue<Result>(_ token: lws_token_indexes, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        let count = Int(lws_hdr_total_length(wsi, token))
        guard count > 0 else { return body(nil) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 2) { buffer in
            let copied = lws_hdr_copy(wsi, buffer.baseAddress, Int32(count + 1), token)
            guard copied > 0 else { return body(nil) }
            return body(UnsafeRawBufferPointer(start: buffer.baseAddress, count: Int(copied)))
        }
    }

    /// Whether a header's value is a text, in lower or upper case; `text` in lower case.
    func value(_ token: lws_token_indexes, is text: StaticString) -> Bool {
        withValue(token) { $0.map { Self.matches($0, text) } ?? false }
    }

    /// Whether the request says that it is of HTTP/1.1.
    var isHTTP11: Bool {
        withValue(WSI_TOKEN_HTTP) { bytes in bytes.map { $0.suffix(3).elementsEqual("1.1".utf8) } ?? false }
    }

    private static func matches(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            bytes.count == text.count
                && zip(bytes, text).allSatisfy {
                    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 == $1 : $0 == $1
                }
        }
    }

    /// libwebsockets keeps the parts of a query one by one, and would put commas between them.
    private var query: String {
        var parts: [String] = []
        withUnsafeTemporaryAllocation(
            of: CChar.self, capacity: Int(lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_URI_ARGS)) + 2
        ) { buffer in
            while true {
                let count = lws_hdr_copy_fragment(
                    wsi, buffer.baseAddress, Int32(buffer.count), WSI_TOKEN_HTTP_URI_ARGS, Int32(parts.count))
                guard count >= 0 else { return }
                let bytes = UnsafeRawBufferPointer(start: buffer.baseAddress, count: Int(count))
                parts.append(String(decoding: bytes, as: UTF8.self))
            }
        }
        return parts.joined(separator: "&")
    }

    /// Whether a header is there, and not empty.
    func has(_ token: lws_token_indexes) -> Bool { lws_hdr_total_length(wsi, token) > 0 }

    /// A header that libwebsockets has no token for; `name` in lower case with its colon.
    func hasCustom(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                lws_hdr_custom_length(wsi, $0.baseAddress, Int32($0.count)) >= 0
            }
        }
    }

    private static let methods: [(lws_token_indexes, HTTPRequest.Method)] = [
        (WSI_TOKEN_GET_URI, .get), (WSI_TOKEN_POST_URI, .post), (WSI_TOKEN_HEAD_URI, .head),
        (WSI_TOKEN_PUT_URI, .put), (WSI_TOKEN_PATCH_URI, .patch), (WSI_TOKEN_DELETE_URI, .delete),
        (WSI_TOKEN_OPTIONS_URI, .options),
    ]

    /// The request without its body.
    func request(from remote: RemoteAddress) throws(HTTPRequest.Fault) -> HTTPRequest {
        var found: (HTTPRequest.Method, String)?
        for (token, method) in Self.methods {
            if let path = value(token) {
                found = (method, path)
                break
            }
        }
        guard let (method, path) = found else { throw .methodUnknown }
        guard path.utf8.first == UInt8(ascii: "/") else { throw .bad("the path must begin with a slash") }
        let host = value(WSI_TOKEN_HOST)
        if isHTTP11, host == nil { throw .bad("the Host header is missing") }
        // Repeated headers arrive joined by a comma.
        if let host, host.utf8.contains(UInt8(ascii: ",")) { throw .bad("there is more than one Host header") }
        var request = HTTPRequest(
            method: method, path: path, query: query, remote: remote)
        request.host = host
        request.origin = value(WSI_TOKEN_ORIGIN)
        request.authorization = value(WSI_TOKEN_HTTP_AUTHORIZATION)
        request.ifNoneMatch = value(WSI_TOKEN_HTTP_IF_NONE_MATCH)
        request.acceptEncoding = value(WSI_TOKEN_HTTP_ACCEPT_ENCODING)
        request.userAgent = value(WSI_TOKEN_HTTP_USER_AGENT)
        request.contentType = value(WSI_TOKEN_HTTP_CONTENT_TYPE)
        request.forwardedFor = value(WSI_TOKEN_X_FORWARDED_FOR)
        request.isForwarded = request.forwardedFor != nil || hasCustom("forwarded:") || hasCustom("x-real-ip:")
        return request
    }

    /// Checks the body's framing, which 4.1.6 does not: a second Content-Length would be read as the next request.
    ///
    /// Source: RFC 9112 §6.3, §11.2 (request smuggling).
    func bodyLength() throws(HTTPRequest.Fault) -> HTTPRequest.BodyLength {
        let length = value(WSI_TOKEN_HTTP_CONTENT_LENGTH)
        if value(WSI_TOKEN_HTTP_TRANSFER_ENCODING) != nil {
            if length != nil { throw .bad("Content-Length and Transfer-Encoding exclude each other") }
            throw .lengthRequired
        }
        guard let length else { return .none }
        let digits = length.utf8
        guard (1...15).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int(length)
        else { throw .bad("the Content-Length is not a number") }
        return .known(count)
    }

    /// Whether the client waits with its body until it is told to go on (RFC 9110 §10.1.1).
    var expectsContinue: Bool { value(WSI_TOKEN_HTTP_EXPECT, is: "100-continue") }

    /// Whether a comma-separated header has a token, in lower or upper case; `name` in lower case.
    func has(_ name: StaticString, in token: lws_token_indexes) -> Bool {
        withValue(token) { Self.parts($0).contains { Self.matches($0, name) } }
    }

    /// The tokens of a comma-separated header.
    func tokens(_ token: lws_token_indexes) -> [String] {
        withValue(token) { Self.parts($0).map { String(decoding: $0, as: UTF8.self) } }
    }

    /// What stands between commas, without the white space around it (RFC 9110 §5.6.1).
    private static func parts(_ bytes: UnsafeRawBufferPointer?) -> [UnsafeRawBufferPointer] {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return (bytes?.split(separator: UInt8(ascii: ",")) ?? []).compactMap { part in
            let trimmed = part.drop(while: isSpace)
            let end = trimmed.lastIndex { !isSpace($0) }
            return end.map { UnsafeRawBufferPointer(rebasing: trimmed[...$0]) }
        }
    }
}
