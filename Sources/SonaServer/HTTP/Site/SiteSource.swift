internal import SonaEventLoop
internal import SonaWire

/// Where a server's site comes from.
enum SiteSource: Sendable {
    /// The files in the program itself: made once.
    case fixed(Site)
    /// A folder that a developer works on, read at each request.
    case folder(String)

    init(folder: String?) {
        self = folder.map(SiteSource.folder) ?? .fixed(Site(.embedded))
    }

    /// - Parameters:
    ///   - card: Of what the page shows, if everybody may see it.
    ///   - room: The room that it shows, if everybody may see it.
    ///   - profile: What the operator says of the server.
    func response(
        to request: HTTPRequest, card: PageCard? = nil, room: RoomNow? = nil, profile: ServerProfile
    ) -> HTTPResponse {
        let asked = Site.Request(
            path: request.path, query: request.query, host: request.host, acceptEncoding: request.acceptEncoding,
            acceptLanguage: request.headers["accept-language"], ifNoneMatch: request.ifNoneMatch)
        let site =
            switch self {
            case .fixed(let site): site
            case .folder(let path):
                Site(SiteFiles(folder: path), isFinal: false, hasPages: SiteRoutes.isPage(request.path))
            }
        return site.response(
            to: asked, card: card, room: room.map { RoomFace($0) }, profile: profile)
    }
}
