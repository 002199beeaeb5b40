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
    ///   - room: The room that the page shows, if everybody may see it, with the address of the server and the path that
    ///     its card names.
    ///   - profile: What the operator says of the server.
    func response(
        to request: HTTPRequest, room: (now: RoomNow, base: String?, path: String)? = nil, profile: ServerProfile
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
            to: asked, card: room.map { PageCard($0.now, base: $0.base, path: $0.path) },
            room: room.map { RoomFace($0.now) }, profile: profile)
    }
}
