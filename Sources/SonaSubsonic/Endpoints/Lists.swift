internal import SonaLibrary
internal import SonaWire

/// Lists of albums and songs, search, and what goes together.
extension Call {
    // MARK: Albums

    private func listed() async throws -> [ShelvedAlbum] {
        let page = try page(size: "size", usually: 10)
        let order: AlbumOrder =
            switch try parameters.required("type") {
            case "random": .random
            case "newest": .newest
            case "highest": .rated
            case "frequent": .frequent
            case "recent": .recent
            case "alphabeticalByName": .name
            case "alphabeticalByArtist": .artist
            case "starred": .liked
            case "byYear": try years
            case "byGenre": .genre(try parameters.required("genre"))
            case let type: throw SubsonicError(.generic, "There is no list of the type \(type.prefix(40)).")
            }
        return try await albums(order, page)
    }

    private var years: AlbumOrder {
        get throws(SubsonicError) {
            guard let from = try parameters.number("fromYear") else { throw .missing("fromYear") }
            guard let to = try parameters.number("toYear") else { throw .missing("toYear") }
            return .years(from: from, to: to)
        }
    }

    func albumList() async throws -> Element {
        Element("albumList", Element("album", try await listed().map(\.folder)))
    }

    func albumList2() async throws -> Element {
        Element("albumList2", Element("album", try await listed().map(\.element)))
    }

    // MARK: Songs

    func randomSongs() async throws -> Element {
        let order = TrackOrder.random(
            genre: parameters.first("genre"), from: try parameters.number("fromYear"),
            to: try parameters.number("toYear"))
        let tracks = try await tracks(order, try page(size: "size", usually: 10))
        return Element("randomSongs", Element("song", tracks.map(\.element)))
    }

    func songsByGenre() async throws -> Element {
        let genre = try parameters.required("genre")
        let tracks = try await tracks(.genre(genre), try page(size: "count", usually: 10))
        return Element("songsByGenre", Element("song", tracks.map(\.element)))
    }

    func topSongs() async throws -> Element {
        let artist = try parameters.required("artist")
        let tracks = try await tracks(.top(artist: artist), try page(size: "count", usually: 50))
        return Element("topSongs", Element("song", tracks.map(\.element)))
    }

    func similarSongs(_ name: StaticString) async throws -> Element {
        let id = try parameters.id()
        let count = try parameters.number("count") ?? 50
        let seed: RadioSeed =
            switch try await finder.kind(of: id) {
            case .track: .track(id)
            case .artist: .artist(id)
            case .album:
                .artist(try await finder.shelvedAlbum(id, for: listener).album.album.artists.first?.id ?? id)
            case .playlist, nil: throw SubsonicError.notFound
            }
        let limit = min(max(count, 0), Int(Limits.discoveredCount.upperBound) - 1)
        guard limit > 0 else { return Element(name, Element("song", [])) }
        // A radio begins with the track that it is about.
        let radio = try await ask(RadioStart(from: seed, limit: limit + 1))
        let ids = radio.tracks.map(\.id).filter { $0 != id }.prefix(limit)
        let tracks = try await finder.shelvedTracks(Array(ids), for: listener)
        return Element(name, Element("song", tracks.map(\.element)))
    }

    // MARK: Starred

    /// Most starred things of a kind in one answer.
    private static let starredMax = 10_000

    func starred(_ name: StaticString) async throws -> Element {
        let isFolders = name.description == "starred"
        var told = Element()
        let artists = try await finder.shelvedArtists(try await liked(.artist), for: listener)
        told.set("artist", artists.map(\.element))
        let albums = try await albums(.liked, ShelfPage(limit: ShelfPage.limitMax))
        told.set("album", albums.map { isFolders ? $0.folder : $0.element })
        let tracks = try await finder.shelvedTracks(try await liked(.track), for: listener)
        told.set("song", tracks.map(\.element))
        return Element(name, told)
    }

    /// What the account likes, the last like first.
    private func liked(_ kind: LikeKind) async throws -> [MusicID] {
        var (ids, cursor): ([MusicID], String?) = ([], nil)
        repeat {
            let page = try await finder.likes(
                LikeList(kind: kind, limit: Int(Limits.musicPageCount.upperBound), cursor: cursor), for: listener)
            ids += page.likes.map(\.id)
            cursor = page.nextCursor
        } while cursor != nil && ids.count < Self.starredMax
        return ids
    }

    // MARK: Search

    func search(_ name: StaticString) async throws -> Element {
        let isFolders = name.description == "searchResult2"
        // Apps that keep the whole library ask for everything with an empty query, some with two quotes.
        let text = (parameters.text("query") ?? "").trimmingPrefix("\"")
        let query = text.hasSuffix("\"") ? String(text.dropLast()) : String(text)
        let isAll = query.allSatisfy(\.isWhitespace)
        var told = Element()
        let artists = try page(size: "artistCount", usually: 20, offset: "artistOffset")
        let albums = try page(size: "albumCount", usually: 20, offset: "albumOffset")
        let songs = try page(size: "songCount", usually: 20, offset: "songOffset")
        if isAll {
            let all = artists.limit > 0 ? try await finder.shelvedArtists(folder: artists.folder, for: listener) : []
            told.set("artist", all.dropFirst(artists.offset).prefix(artists.limit).map(\.element))
            let found = albums.limit > 0 ? try await self.albums(.name, albums) : []
            told.set("album", found.map { isFolders ? $0.folder : $0.element })
            let tracks = songs.limit > 0 ? try await self.tracks(.title, songs) : []
            told.set("song", tracks.map(\.element))
        } else {
            let named = try await finder.shelvedArtists(try await found(query, .artists, artists), for: listener)
            told.set("artist", named.map(\.element))
            let found = try await finder.albums(try await self.found(query, .albums, albums), for: listener)
            told.set("album", found.map { isFolders ? $0.folder : $0.element })
            let tracks = try await finder.shelvedTracks(try await self.found(query, .tracks, songs), for: listener)
            told.set("song", tracks.map(\.element))
        }
        return Element(name, told)
    }

    /// A page of what is found, however many pages of the library's own search that takes.
    private func found(_ query: String, _ kind: MusicSearchGroup, _ page: ShelfPage) async throws -> [MusicID] {
        var ids: [MusicID] = []
        let step = Int(Limits.musicPageCount.upperBound)
        while ids.count < page.limit, page.offset + ids.count <= Limits.musicSearchDepthMax {
            let limit = min(step, page.limit - ids.count)
            let result = try await finder.search(
                MusicSearch(query: query, kind: kind, limit: limit, offset: page.offset + ids.count), for: listener)
            let more: [MusicID] =
                switch kind {
                case .tracks: result.tracks.map(\.id)
                case .albums: result.albums.map(\.id)
                case .artists: result.artists.map(\.id)
                case .genres, .playlists: []
                }
            ids += more
            if more.count < limit { break }
        }
        return ids
    }
}
