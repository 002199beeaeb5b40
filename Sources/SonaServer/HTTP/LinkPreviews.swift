internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// What a link to a page of this server is about, for programs that show links: as a card in the page itself, and by
/// oEmbed. Only of what every guest may see.
struct LinkPreviews: Sendable {
    let rooms: RoomMethods
    let library: Library

    enum Subject: Sendable {
        case room(RoomNow)
        case track(MusicTrack)
        case album(MusicAlbum)
        case playlist(Playlist)
    }

    /// - Parameter path: Of a page.
    func subject(_ path: String) async -> Subject? {
        if let reference = SiteRoutes.room(path) { return await rooms.publicRoom(reference).map { .room($0) } }
        switch SiteRoutes.music(path) {
        case .track(let id): return (try? await library.finder.track(id, for: library.anyGuest)).map { .track($0) }
        case .album(let id):
            return (try? await library.finder.album(id, for: library.anyGuest)).map { .album($0.album) }
        case .playlist(let id):
            let page = try? await library.playlists.get(PlaylistGet(playlist: id, limit: 1), for: library.anyGuest)
            return page.map { .playlist($0.playlist) }
        case nil: return nil
        }
    }
}

extension LinkPreviews.Subject {
    /// - Parameters:
    ///   - base: The address of the server.
    ///   - path: Of the page.
    ///   - seconds: The moment of a track that the link names.
    func card(base: String?, path: String, at seconds: Int? = nil) -> PageCard {
        switch self {
        case .room(let now):
            PageCard(now, base: base, path: SiteRoutes.room(path).map { "/r/\($0.text)" } ?? path)
        case .track(let track): PageCard(track, at: seconds, base: base, path: path)
        case .album(let album): PageCard(album, base: base, path: path)
        case .playlist(let playlist): PageCard(playlist, base: base, path: path)
        }
    }
}

extension LinkPreviews.Subject {
    /// The path and the sides, in pixels, of a picture of music. Covers are squares of 256.
    fileprivate var thumbnail: (path: String, width: Int, height: Int)? {
        let cover: MusicCover?
        switch self {
        case .room: return nil
        case .track(let track): cover = track.cover
        case .album(let album): cover = album.cover
        case .playlist(let playlist):
            if let picture = playlist.picture { return (picture.path(.full), picture.width, picture.height) }
            cover = playlist.covers.first
        }
        return cover.map { ("\($0.path)/\(CoverSize.medium.rawValue)", 256, 256) }
    }
}

/// `GET /oembed?url=…`: what a link to this server shows on other people's pages.
///
/// Source: oEmbed 1.0 (oembed.com); Protocol/spec/sharing.md, "Links".
struct OEmbed {
    static let pagePath = "/oembed"
    /// The player of a room on another page, in pixels.
    static let (width, height) = (480, 152)

    /// The path that a link to this server leads to.
    ///
    /// - Returns: `nil` for links to elsewhere, and for what is no link.
    static func path(_ link: String, base: String) -> String? {
        guard link.hasPrefix(base) else { return nil }
        let rest = link.dropFirst(base.count).prefix { $0 != "#" && $0 != "?" }
        return rest.first == "/" ? String(rest) : nil
    }

    /// The moment that the query of a link names.
    static func moment(_ link: String) -> Int? {
        let query = link.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let value = query.split(separator: "&").first { $0.hasPrefix("\(SiteRoutes.momentKey)=") }
        return SiteRoutes.moment(value.map { String($0.dropFirst(SiteRoutes.momentKey.count + 1)) })
    }

    static func answer(
        _ subject: LinkPreviews.Subject, _ card: PageCard, base: String, serverTitle: String, maxWidth: Int?
    ) -> [UInt8] {
        var writer = JSONWriter(reserving: 1_024)
        writer.object { writer in
            writer.member("version", "1.0")
            writer.member("title", card.title)
            writer.member("provider_name", serverTitle)
            writer.member("provider_url", base)
            if case .room(let now) = subject {
                let width = min(maxWidth ?? Self.width, Self.width)
                let source = HTMLText.escaped("\(base)/embed/r/\(now.room.id.rawValue)")
                writer.member("type", "rich")
                writer.member("width", width)
                writer.member("height", Self.height)
                writer.member(
                    "html",
                    "<iframe src=\"\(source)\" width=\"\(width)\" height=\"\(Self.height)\" title=\"\(HTMLText.escaped(card.title))\""
                        + " allow=\"autoplay\" style=\"border:0\"></iframe>")
            } else {
                writer.member("type", "link")
            }
            if let thumbnail = subject.thumbnail {
                writer.member("thumbnail_url", "\(base)\(thumbnail.path)")
                writer.member("thumbnail_width", thumbnail.width)
                writer.member("thumbnail_height", thumbnail.height)
            }
        }
        return writer.bytes
    }
}

extension ShardCore {
    func showEmbed(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        let base = PageCard.base(
            publicAddress: services.live.publicAddress, host: request.host, isSecure: request.isSecure,
            isForwarded: request.isForwarded && request.remote == request.peer)
        guard let base, let link = request.queryValue("url"), let path = OEmbed.path(link, base: base) else {
            return exchange.respond(.text(404, "This is no link to this server."))
        }
        if let format = request.queryValue("format"), format != "json" {
            return exchange.respond(.text(501, "Only JSON is known here."))
        }
        let (previews, title) = (
            LinkPreviews(rooms: methods.rooms, library: services.library), services.live.profile.title
        )
        let maxWidth = request.queryValue("maxwidth").flatMap { Int($0) }.map { max(200, $0) }
        Task {
            guard let subject = await previews.subject(path) else {
                return exchange.respond(.text(404, "There is nothing that everybody may see."))
            }
            let card = subject.card(base: base, path: path, at: OEmbed.moment(link))
            var answer = HTTPResponse.json(
                200, OEmbed.answer(subject, card, base: base, serverTitle: title, maxWidth: maxWidth))
            answer.headers.append((name: "access-control-allow-origin", value: "*"))
            exchange.respond(answer)
        }
    }
}
