internal import Glibc
internal import SonaCrypto
internal import SonaEventLoop

/// The files of a folder, read once at the start and served from memory.
///
/// A path is looked up whole in a table of what was there, so nothing outside of the folder can be reached by any
/// spelling of it.
struct WebSite: Sendable {
    private struct File: Sendable {
        var contentType: String
        var body: [UInt8]
        var tag: String
    }

    private var files: [String: File] = [:]

    /// A file may have this many bytes; larger ones are left out.
    private static let fileBytesMax = 8 << 20

    /// An empty site.
    init() {}

    /// - Parameter files: Paths beginning with `/` and their contents.
    init(files: [(path: String, body: [UInt8])]) {
        for (path, body) in files { add(path, body) }
    }

    private mutating func add(_ path: String, _ body: [UInt8]) {
        guard body.count <= Self.fileBytesMax else { return }
        let tag = "\"\(Base64.encode(Digest.sha256(body).prefix(15)))\""
        files[path] = File(contentType: Self.contentType(path), body: body, tag: tag)
    }

    func response(to request: HTTPRequest) -> HTTPResponse {
        // A room's link shows the same page, which finds the room in its own address.
        let isPage = request.path == "/" || request.path.hasPrefix("/r/")
        let isAccount = AccountPage.paths.contains(request.path)
        guard let file = files[isPage ? "/index.html" : isAccount ? "/account.html" : request.path] else {
            return .text(404, "There is nothing here.")
        }
        let headers: [(name: String, value: String)] = [
            (name: "etag", value: file.tag), (name: "cache-control", value: "no-cache"),
            (name: "x-content-type-options", value: "nosniff"), (name: "referrer-policy", value: "same-origin"),
            (
                name: "content-security-policy",
                value: "default-src 'self'; connect-src 'self' ws: wss:; frame-ancestors 'none'"
            ),
        ]
        if request.knows(file.tag) {
            return HTTPResponse(status: 304, contentType: file.contentType, headers: headers)
        }
        return HTTPResponse(contentType: file.contentType, body: file.body, headers: headers)
    }

    private static func contentType(_ path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "json": "application/json"
        default: "application/octet-stream"
        }
    }
}
