internal import SonaEventLoop

/// Where a server's site comes from.
enum SiteSource: Sendable {
    /// The files in the program itself: made once.
    case fixed(Site)
    /// A folder that a developer works on, read at each request.
    case folder(String)

    init(folder: String?) {
        self = folder.map(SiteSource.folder) ?? .fixed(Site(.embedded))
    }

    /// - Parameter card: The card of the room that the page shows; `nil` if there is none.
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
