internal import SonaCompression
internal import SonaCrypto
internal import SonaEventLoop

/// The web player: its files, compressed once, and the rules by which they are served from memory.
///
/// A path is looked up whole in a table of the files, so no spelling of it can reach anything else. Modules, styles and
/// texts are under `/assets/<hash of all of them>/…`: they may be cached for ever, and a page never meets the modules
/// of another version. The page itself, the service worker and the manifest keep their addresses, and browsers
/// revalidate them each time.
struct Site: Sendable {
    /// The content of one address, plain and compressed.
    struct Resource: Sendable {
        var contentType: String
        var body: [UInt8]
        /// `nil` unless it is shorter than `body`.
        var gzip: [UInt8]?
        /// A strong entity tag, without its quotation marks.
        var tag: String
        var isImmutable: Bool

        /// Bytes that it takes in memory, about.
        var heldBytes: Int { body.count + (gzip?.count ?? 0) + 1_024 }
    }

    private var resources: [String: Resource] = [:]
    /// The page without its card.
    private var page = ""
    /// Pages that were made for links.
    let pages = CardedPages()
    private let isFinal: Bool
    /// 12 characters of a hash over all paths and contents.
    let hash: String

    /// Addresses of modules for players that do not change, for importers other than our page.
    private static let stableModules = [
        "/clock.js": "wire/clock.js", "/frames.js": "wire/frames.js", "/playback.js": "wire/playback.js",
    ]
    /// Files that browsers look for at addresses of their own, beside the page.
    private static let rootFiles: Set = ["sw.js", "manifest.webmanifest"]
    private static let favicon = "icons/icon.svg"

    /// - Parameter isFinal: Whether the files are compressed and stripped. False for a site that is served once, to a
    ///   developer who wants to see the files as they are.
    init(_ files: SiteFiles, isFinal: Bool = true) {
        self.isFinal = isFinal
        let paths = files.contents.keys.sorted()
        var all: [UInt8] = []
        for path in paths {
            let body = files.contents[path] ?? []
            all += Array("\(path)\0\(body.count)\0".utf8) + body
        }
        hash = Base64.encode(Digest.sha256(all).prefix(9))
        let assets = "/assets/\(hash)"
        for path in paths {
            let body = files.contents[path] ?? []
            func add(_ address: String, _ body: [UInt8], isImmutable: Bool = false) {
                resources[address] = Self.resource(path, body, isImmutable: isImmutable, isFinal: isFinal)
            }
            switch path {
            case "index.html":
                page = String(decoding: Self.fill(body, assets: assets), as: UTF8.self)
                add("/index.html", Array(Self.carded(page, Self.card).utf8))
            case let path where Self.rootFiles.contains(path):
                add("/" + path, Self.fill(body, assets: assets))
            default: add("\(assets)/\(path)", body, isImmutable: true)
            }
            if path == Self.favicon { add("/favicon.ico", body) }
        }
        for (address, path) in Self.stableModules {
            guard var resource = resources["\(assets)/\(path)"] else { continue }
            resource.isImmutable = false
            resources[address] = resource
        }
    }

    private static func resource(
        _ path: String, _ body: [UInt8], isImmutable: Bool = false, isFinal: Bool
    ) -> Resource {
        let type = contentType(path)
        var body = body
        if isFinal, type.hasPrefix("text/javascript") || type.hasPrefix("text/css") {
            body = Array(SourceText.lean(String(decoding: body, as: UTF8.self)).utf8)
        }
        let gzip = isFinal && isCompressible(type) ? Gzip.compress(body) : body
        return Resource(
            contentType: type, body: body, gzip: gzip.count < body.count ? gzip : nil,
            tag: Base64.encode(Digest.sha256(body).prefix(15)), isImmutable: isImmutable)
    }

    /// Puts the address of the assets in place of `{{assets}}`, by which the page and the service worker name other
    /// files.
    private static func fill(_ body: [UInt8], assets: String) -> [UInt8] {
        Array(String(decoding: body, as: UTF8.self).replacing("{{assets}}", with: assets).utf8)
    }

    /// The page with a card in place of its line `{{card}}`.
    private static func carded(_ page: String, _ card: PageCard) -> String {
        page.replacing("{{card}}", with: card.markup)
    }

    /// The card of every page that is about nothing in particular.
    private static let card = PageCard(
        title: "Sona", description: "Somebody plays music; everybody in the room hears the same moment of it.",
        path: "/")

    private static func isCompressible(_ type: String) -> Bool {
        type.hasPrefix("text/") || type.hasPrefix("application/") || type == "image/svg+xml"
    }

    private static func contentType(_ path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "json": "application/json"
        case "webmanifest": "application/manifest+json"
        case "png": "image/png"
        case "wav": "audio/wav"
        case "txt", "md": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}

// MARK: Answering

extension Site {
    /// The parts of a request that decide the response.
    struct Request {
        var path: String
        /// The `Host` header: the host that the page may open a WebSocket to.
        var host: String?
        var acceptEncoding: String?
        var ifNoneMatch: String?
    }

    /// - Parameter card: For a page: the card of the room that it shows.
    func response(to request: Request, card: PageCard? = nil) -> HTTPResponse {
        if let resource = resources[request.path], request.path != "/index.html" {
            return respond(resource, request)
        }
        guard let page = resources["/index.html"] else { return .text(503, "This server was built without its page.") }
        if SiteRoutes.isPage(request.path) {
            let own = card.map { card in
                pages.page(card) {
                    Self.resource("index.html", Array(Self.carded(self.page, card).utf8), isFinal: isFinal)
                }
            }
            return respond(own ?? page, request, isPage: true)
        }
        // Programs get a line; a person who mistyped an address gets the page, which says so.
        if SiteRoutes.isForPrograms(request.path) { return .text(404, "There is nothing here.") }
        return respond(page, request, status: 404, isPage: true)
    }

    private func respond(
        _ resource: Resource, _ request: Request, status: Int = 200, isPage: Bool = false
    ) -> HTTPResponse {
        let gzip = AcceptEncoding(request.acceptEncoding).prefersGzip ? resource.gzip : nil
        // Another coding is another representation, and a strong tag names only one (RFC 9110 §8.8.3.3).
        let tag = "\"\(resource.tag)\(gzip == nil ? "" : "-gzip")\""
        var headers: [(name: String, value: String)] = [
            (name: "etag", value: tag),
            (
                name: "cache-control",
                value: resource.isImmutable ? "public, max-age=31536000, immutable" : "no-cache"
            ),
        ]
        if resource.gzip != nil { headers.append((name: "vary", value: "accept-encoding")) }
        headers += SitePolicy.headers(
            host: request.host, isPage: isPage, mayBeFramed: isPage && SiteRoutes.mayBeFramed(request.path))
        if status == 200, EntityTags(request.ifNoneMatch).contains(tag) {
            return HTTPResponse(status: 304, contentType: resource.contentType, headers: headers)
        }
        if gzip != nil { headers.append((name: "content-encoding", value: "gzip")) }
        return HTTPResponse(
            status: status, contentType: resource.contentType, body: gzip ?? resource.body, headers: headers)
    }
}
