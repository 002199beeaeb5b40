internal import SonaEventLoop

/// Where a server's site comes from.
enum SiteSource: Sendable {
    /// From the program itself: made once.
    case fixed(Site)
    /// From a folder that somebody works on, read at each request.
    case folder(String)

    init(folder: String?) {
        self = folder.map(SiteSource.folder) ?? .fixed(Site(.embedded))
    }

    /// - Parameter card: Of what the page is a link to; nil where nothing is known of that.
    func response(to request: HTTPRequest, card: PageCard? = nil) -> HTTPResponse {
        let asked = Site.Request(
            path: request.path, host: request.host, acceptEncoding: request.acceptEncoding,
            ifNoneMatch: request.ifNoneMatch)
        switch self {
        case .fixed(let site): return site.response(to: asked, card: card)
        case .folder(let path): return Site(SiteFiles(folder: path), isFinal: false).response(to: asked, card: card)
        }
    }
}
