internal import CHTTPParser
internal import Glibc

/// The head of one HTTP/1 request, read by Debian's `libhttp-parser` (the parser of Node.js up to version 11).
///
/// libwebsockets has a parser of its own. Its 4.1.6 never answers a request with a header whose name is a beginning of one
/// it knows (`X-Auth`, `X-Real`, `If`, `Proxy`), nor one with the method CONNECT, keeps no limit it would report, and reads
/// a second `Content-Length` as the next request.
struct HTTPHead {
    var method: HTTPRequest.Method
    /// The target as it came: path and query.
    var target: String
    var headers: HTTPHeaders
    var isHTTP11: Bool
    /// Whether the connection goes on after the answer, as far as the client is concerned (RFC 9112 §9.3).
    var keepsAlive: Bool
    /// Something else than HTTP is asked for (RFC 9110 §7.8).
    var asksForUpgrade: Bool

    /// Header fields that one request may have.
    static let fieldsMax = 100
    /// Bytes of a request's first line.
    static let lineBytesMax = 8 * 1024

    /// The end of a head, after its empty line; `nil` if the head is not whole yet.
    ///
    /// - Parameter start: Number of bytes that were examined before.
    static func end(of bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        // The empty line may have begun in the bytes examined before.
        var offset = max(0, start - 3)
        while offset < bytes.count, let found = memchr(base + offset, 0x0A, bytes.count - offset) {
            let place = found - UnsafeMutableRawPointer(mutating: base)
            if place >= 3, bytes[place - 1] == 0x0D, bytes[place - 2] == 0x0A { return place + 1 }
            // A head with bare line feeds ends too, and is refused then.
            if place >= 1, bytes[place - 1] == 0x0A { return place + 1 }
            offset = place + 1
        }
        return nil
    }

    /// Reads a head that is whole, its empty line included.
    init(parsing bytes: UnsafeRawBufferPointer, scratch: HeadScratch) throws(HTTPRequest.Fault) {
        guard Self.hasProperLines(bytes), let base = bytes.baseAddress else {
            throw .bad("each line must end with CR LF, and none may go on in the next")
        }
        scratch.begin(base)
        var parser = http_parser()
        http_parser_init(&parser, HTTP_REQUEST)
        parser.data = Unmanaged.passUnretained(scratch).toOpaque()
        let parsed = http_parser_execute(
            &parser, &scratch.settings, base.assumingMemoryBound(to: CChar.self), bytes.count)
        if scratch.hasTooManyFields { throw .tooManyFields }
        let code = http_errno(UInt32(sona_http_errno(&parser)))
        guard code == HPE_OK, scratch.isWhole, parsed == bytes.count || parser.upgrade != 0 else {
            throw Self.fault(code)
        }
        guard parser.http_major == 1 else { throw .versionUnknown }
        guard let method = HTTPRequest.Method(parser: http_method(UInt32(sona_http_method(&parser)))) else {
            throw .methodUnknown
        }
        self.method = method
        target = String(decoding: bytes[scratch.target], as: UTF8.self)
        let copy = Array(bytes)
        // The parser as Debian builds it takes spaces in names, which servers read in different ways.
        for field in scratch.fields where copy[field.name].contains(0x20) || field.name.isEmpty {
            throw .bad("a header's name is a token")
        }
        headers = HTTPHeaders(copy, scratch.fields)
        isHTTP11 = parser.http_minor >= 1
        keepsAlive = http_should_keep_alive(&parser) != 0
        asksForUpgrade = headers.has("upgrade")
    }

    private static func hasProperLines(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return false }
        var offset = 0
        while offset < bytes.count, let found = memchr(base + offset, 0x0A, bytes.count - offset) {
            let place = found - UnsafeMutableRawPointer(mutating: base)
            guard place > 0, bytes[place - 1] == 0x0D else { return false }
            offset = place + 1
            // A line that goes on in the next (obs-fold, RFC 9112 §5.2) is read in different ways by different servers.
            if offset < bytes.count, bytes[offset] == 0x20 || bytes[offset] == 0x09 { return false }
        }
        return true
    }

    private static func fault(_ code: http_errno) -> HTTPRequest.Fault {
        switch code {
        case HPE_INVALID_METHOD: .methodUnknown
        case HPE_INVALID_VERSION: .versionUnknown
        case HPE_HEADER_OVERFLOW: .headTooLarge
        case HPE_OK: .bad("the head is not whole")
        default: .bad(String(cString: http_errno_description(code)))
        }
    }
}

/// Collects what the parser reports about a head. Each loop has one and uses it again for every request.
final class HeadScratch {
    var settings = http_parser_settings()
    fileprivate var target = 0..<0
    fileprivate var fields: [HTTPHeaders.Field] = []
    fileprivate var isWhole = false
    fileprivate var hasTooManyFields = false
    private var base: UnsafeRawPointer?
    private var isInName = false

    init() {
        fields.reserveCapacity(HTTPHead.fieldsMax)
        http_parser_settings_init(&settings)
        settings.on_url = { scratch(of: $0).target($1, $2) }
        settings.on_header_field = { scratch(of: $0).name($1, $2) }
        settings.on_header_value = { scratch(of: $0).value($1, $2) }
        settings.on_headers_complete = { parser in
            scratch(of: parser).isWhole = true
            // The code that reads the head counts the body.
            return 1
        }
    }

    fileprivate func begin(_ base: UnsafeRawPointer) {
        self.base = base
        target = 0..<0
        fields.removeAll(keepingCapacity: true)
        isWhole = false
        hasTooManyFields = false
        isInName = false
    }

    private func place(_ start: UnsafePointer<CChar>?, _ count: Int) -> Range<Int> {
        guard let start, let base else { return 0..<0 }
        let offset = UnsafeRawPointer(start) - base
        return offset..<offset + count
    }

    // A whole head is one call, so each of these comes once for a text; the parser may still report a text in two parts.

    fileprivate func target(_ start: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
        let part = place(start, count)
        target = target.isEmpty ? part : target.lowerBound..<part.upperBound
        return 0
    }

    fileprivate func name(_ start: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
        let part = place(start, count)
        if isInName, let last = fields.indices.last {
            fields[last].name = fields[last].name.lowerBound..<part.upperBound
            return 0
        }
        guard fields.count < HTTPHead.fieldsMax else {
            hasTooManyFields = true
            return 1
        }
        isInName = true
        fields.append(HTTPHeaders.Field(name: part, value: part.upperBound..<part.upperBound))
        return 0
    }

    fileprivate func value(_ start: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
        let part = place(start, count)
        guard let last = fields.indices.last else { return 1 }
        fields[last].value = isInName ? part : fields[last].value.lowerBound..<part.upperBound
        isInName = false
        return 0
    }
}

private func scratch(of parser: UnsafeMutablePointer<http_parser>?) -> HeadScratch {
    guard let data = parser?.pointee.data else {
        preconditionFailure("A parser is given its scratch before it begins.")
    }
    return Unmanaged<HeadScratch>.fromOpaque(data).takeUnretainedValue()
}

extension HTTPRequest.Method {
    fileprivate init?(parser method: http_method) {
        switch method {
        case HTTP_GET: self = .get
        case HTTP_HEAD: self = .head
        case HTTP_POST: self = .post
        case HTTP_PUT: self = .put
        case HTTP_PATCH: self = .patch
        case HTTP_DELETE: self = .delete
        case HTTP_OPTIONS: self = .options
        default: return nil
        }
    }
}
