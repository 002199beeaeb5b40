internal import SonaCompression
internal import SonaCrypto
internal import SonaEventLoop
internal import SonaWire

/// The web player: its files, compressed once, and the rules by which they are served from memory.
///
/// A path is looked up whole in a table of the files, so no spelling of it can reach anything else. Modules, styles and
/// texts are under `/assets/<hash of all of them>/…`: they may be cached for ever, and a page never meets the modules
/// of another version. The page itself, the service worker and the manifest keep their addresses, and browsers
/// revalidate them each time.
///
/// On a slow line each request costs, so a final site has its modules in packs (`Packs`), its styles in one file and
/// the words of a language that every page needs in one file. All three are made here from the files of the site.
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
        /// Whether pages of other origins may have it.
        var isShared = false

        /// Bytes that it takes in memory, about.
        var heldBytes: Int { body.count + (gzip?.count ?? 0) + 1_024 }
    }

    private var resources: [String: Resource] = [:]
    private let template: PageTemplate
    /// Pages as they were last made.
    let pages = CardedPages()
    private let isFinal: Bool
    /// 12 characters of a hash over all paths and contents.
    let hash: String
    /// Why modules of a final site are served one by one; empty if all are in packs.
    let refusals: [ModuleText.Refusal]

    /// Addresses of modules for players that do not change, for importers other than our page.
    private static let stableModules = [
        "/clock.js": "wire/clock.js", "/frames.js": "wire/frames.js", "/playback.js": "wire/playback.js",
    ]
    /// Files that browsers look for at addresses of their own, beside the page.
    private static let rootFiles: Set = ["sw.js", "manifest.webmanifest"]
    private static let favicon = "icons/icon.svg"

    /// - Parameter isFinal: Whether the files are packed, compressed and stripped. False for a site that is served once,
    ///   to a developer who wants to see the files as they are.
    /// - Parameter hasPages: Whether documents have something to be seen in them, which takes a while to prepare.
    init(_ files: SiteFiles, isFinal: Bool = true, hasPages: Bool = true) {
        self.isFinal = isFinal
        let client = ClientLibrary(files)
        var contents = files.contents.filter { !ClientLibrary.owns($0.key) }
        contents.merge(FirstWords.files(of: contents)) { _, made in made }
        let index = String(decoding: contents.removeValue(forKey: "index.html") ?? [], as: UTF8.self)
        let screen = hasPages ? FirstScreen(contents) : nil
        var packs: Packs?
        var refusals: [ModuleText.Refusal] = []
        if isFinal {
            (packs, refusals) = Self.packs(contents)
            for (path, text) in packs?.files ?? [:] { contents[path] = Array(text.utf8) }
            contents[PageTemplate.style] = PageTemplate.styles(of: index).flatMap { contents[$0] ?? [] }
        }
        self.refusals = refusals
        let paths = contents.keys.sorted()
        // The page first: what it says of the files does not follow from their contents.
        var all = Array("\(index.utf8.count)\0\(index)".utf8)
        for path in paths {
            let body = contents[path] ?? []
            all += Array("\(path)\0\(body.count)\0".utf8) + body
        }
        hash = Base64.encode(Digest.sha256(all).prefix(9))
        let assets = "/assets/\(hash)"
        template = PageTemplate(
            index, assets: assets, packs: packs?.ofPages ?? [:], hasOneStyle: isFinal,
            languages: FirstWords.languages(of: contents), screen: screen)
        for path in paths {
            let body = contents[path] ?? []
            func add(_ address: String, _ body: [UInt8], isImmutable: Bool = false) {
                resources[address] = Self.resource(path, body, isImmutable: isImmutable, isFinal: isFinal)
            }
            if Self.rootFiles.contains(path) {
                add("/" + path, Array(String(decoding: body, as: UTF8.self).replacing("{{assets}}", with: assets).utf8))
            } else {
                add("\(assets)/\(path)", body, isImmutable: true)
            }
            if path == Self.favicon { add("/favicon.ico", body) }
        }
        for (address, path) in Self.stableModules {
            guard var resource = resources["\(assets)/\(path)"] else { continue }
            resource.isImmutable = false
            resources[address] = resource
        }
        for (address, path, body) in client.files {
            var resource = Self.resource(path, body, isFinal: isFinal)
            resource.isShared = true
            resources[address] = resource
        }
    }

    /// The modules in packs, and the reasons why some, or all, have to be served one by one.
    private static func packs(_ contents: [String: [UInt8]]) -> (Packs?, [ModuleText.Refusal]) {
        let modules = contents.filter { $0.key.hasSuffix(".js") && !rootFiles.contains($0.key) }
        do {
            let texts = modules.mapValues { String(decoding: $0, as: UTF8.self) }
            let packs = try Packs(texts, others: stableModules.values)
            return (packs, packs.refusals)
        } catch {
            return (nil, [error as? ModuleText.Refusal ?? ModuleText.Refusal(path: "", reason: "\(error)")])
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
        /// Without the question mark.
        var query = ""
        /// The `Host` header: the host that the page may open a WebSocket to.
        var host: String?
        var acceptEncoding: String?
        var acceptLanguage: String?
        var ifNoneMatch: String?
    }

    /// - Parameters:
    ///   - card: For a page: the card of the room that it shows.
    ///   - room: The same for what is seen of that room.
    ///   - profile: What the operator says of the server.
    func response(
        to request: Request, card: PageCard? = nil, room: RoomFace? = nil, profile: ServerProfile = ServerProfile()
    ) -> HTTPResponse {
        if let resource = resources[request.path] { return respond(resource, request) }
        guard !template.isEmpty else { return .text(503, "This server was built without its page.") }
        let isPage = SiteRoutes.isPage(request.path)
        // Programs get a line; a person who mistyped an address gets the page, which says so.
        if !isPage, SiteRoutes.isForPrograms(request.path) { return .text(404, "There is nothing here.") }
        let face = PageFace(
            page: isPage ? SiteRoutes.page(request.path, query: request.query) : "lost",
            language: template.language(request.acceptLanguage),
            serverTitle: profile.title, serverLogo: profile.logo,
            takesAccounts: profile.registration != .closed, card: isPage ? card : nil, room: isPage ? room : nil)
        let page = pages.page(face) {
            Self.resource("index.html", Array(template.text(face).utf8), isFinal: isFinal)
        }
        return respond(page, request, status: isPage ? 200 : 404, isPage: true)
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
        let varying = (resource.gzip != nil ? ["accept-encoding"] : []) + (isPage ? ["accept-language"] : [])
        if !varying.isEmpty { headers.append((name: "vary", value: varying.joined(separator: ", "))) }
        headers +=
            resource.isShared
            ? SitePolicy.shared
            : SitePolicy.headers(
                host: request.host, isPage: isPage, mayBeFramed: isPage && SiteRoutes.mayBeFramed(request.path))
        if status == 200, EntityTags(request.ifNoneMatch).contains(tag) {
            return HTTPResponse(status: 304, contentType: resource.contentType, headers: headers)
        }
        if gzip != nil { headers.append((name: "content-encoding", value: "gzip")) }
        return HTTPResponse(
            status: status, contentType: resource.contentType, body: gzip ?? resource.body, headers: headers)
    }
}
