internal import SonaLibrary
internal import SonaWire

/// Folders, artists, albums and songs.
extension Call {
    /// Uploads, beside the folders of the operator.
    static let uploadsFolder = (number: Int64(0), name: "Uploads")

    private var folders: [(number: Int64, name: String)] {
        get { library.folders.named(for: listener) + [Self.uploadsFolder] }
    }

    func musicFolders() -> Element {
        let told = folders.map { folder in
            var element = Element()
            element.set("id", folder.number)
            element.set("name", folder.name)
            return element
        }
        return Element("musicFolders", Element("musicFolder", told))
    }

    private func index(_ artists: [ShelvedArtist]) -> [Element] {
        var letters: [(name: String, artists: [Element])] = []
        for artist in artists {
            if letters.last?.name != artist.letter { letters.append((artist.letter, [])) }
            letters[letters.count - 1].artists.append(artist.element)
        }
        return letters.map { letter in
            var index = Element()
            index.set("name", letter.name)
            index.set("artist", letter.artists)
            return index
        }
    }

    func indexes() async throws -> Element {
        let folder = try parameters.number("musicFolderId").map(Int64.init)
        let artists = try await finder.shelvedArtists(folder: folder, for: listener)
        var told = Element()
        told.set("lastModified", try await finder.lastAddedMilliseconds())
        told.set("ignoredArticles", "The")
        told.set("index", index(artists))
        return Element("indexes", told)
    }

    func artists() async throws -> Element {
        let folder = try parameters.number("musicFolderId").map(Int64.init)
        var told = Element()
        told.set("ignoredArticles", "The")
        told.set("index", index(try await finder.shelvedArtists(folder: folder, for: listener)))
        return Element("artists", told)
    }

    /// Folders have artists in them, artists albums, and albums songs.
    func directory() async throws -> Element {
        let text = try parameters.required("id")
        var told = Element()
        told.set("id", text)
        if let number = Int64(text) {
            guard let folder = folders.first(where: { $0.number == number }) else { throw SubsonicError.notFound }
            told.set("name", folder.name)
            told.set("child", try await finder.shelvedArtists(folder: number, for: listener).map(\.folder))
            return Element("directory", told)
        }
        let id = try parameters.id()
        switch try await finder.kind(of: id) {
        case .artist:
            let (artist, albums) = try await finder.shelvedArtist(id, for: listener)
            told.set("name", artist.name)
            told.set("starred", date(artist.likedMilliseconds))
            told.set("child", albums.map(\.folder))
        case .album:
            let (album, tracks) = try await finder.shelvedAlbum(id, for: listener)
            told.set("parent", album.album.artists.first?.id.rawValue)
            told.set("name", album.album.name)
            told.set("starred", date(album.likedMilliseconds))
            told.set("playCount", album.plays)
            told.set("child", tracks.map(\.element))
        case .track, .playlist, nil: throw SubsonicError.notFound
        }
        return Element("directory", told)
    }

    func genres() async throws -> Element {
        let genres = try await finder.shelvedGenres(for: listener).map { genre in
            var told = Element()
            told.set("songCount", genre.trackCount)
            told.set("albumCount", genre.albumCount)
            told.set("value", genre.name)
            return told
        }
        return Element("genres", Element("genre", genres))
    }

    func artist() async throws -> Element {
        let (artist, albums) = try await finder.shelvedArtist(try parameters.id(), for: listener)
        var told = artist.element
        told.set("album", albums.map(\.element))
        return Element("artist", told)
    }

    func album() async throws -> Element {
        let (album, tracks) = try await finder.shelvedAlbum(try parameters.id(), for: listener)
        var told = album.element
        told.set("song", tracks.map(\.element))
        return Element("album", told)
    }

    func song() async throws -> Element {
        guard let track = try await finder.shelvedTracks([try parameters.id()], for: listener).first else {
            throw SubsonicError.notFound
        }
        return Element("song", track.element)
    }

    // MARK: About

    /// There is nothing but the cover and artists who are alike.
    func artistInfo(_ name: StaticString) async throws -> Element {
        let id = try parameters.id()
        let count = min(max(try parameters.number("count") ?? 20, 0), 100)
        // Apps that browse folders ask for the artist of an album or a song.
        guard let artist = try await artistID(id) else { throw SubsonicError.notFound }
        _ = try await finder.shelvedArtist(artist, for: listener)
        let near = try await ask(RadioStart(from: .artist(artist), limit: Int(Limits.discoveredCount.upperBound)))
        var (similar, known) = ([MusicID](), Set([artist]))
        for track in near.tracks {
            for other in track.artists where known.insert(other.id).inserted { similar.append(other.id) }
        }
        var told = Element()
        let cover = try await finder.cover(of: artist, .artist, for: listener)
        addPictures(of: cover, to: &told)
        let others = try await finder.shelvedArtists(Array(similar.prefix(count)), for: listener)
        told.set("similarArtist", others.map(\.element))
        return Element(name, told)
    }

    private func artistID(_ id: MusicID) async throws -> MusicID? {
        switch try await finder.kind(of: id) {
        case .artist: id
        case .album: try await finder.shelvedAlbum(id, for: listener).album.album.artists.first?.id
        case .track: try await finder.track(id, for: listener).artists.first?.id
        case .playlist, nil: nil
        }
    }

    func albumInfo() async throws -> Element {
        let id = try parameters.id()
        let album =
            try await finder.kind(of: id) == .track ? try await finder.track(id, for: listener).album?.id ?? id : id
        let cover = try await finder.shelvedAlbum(album, for: listener).album.album.cover
        var told = Element()
        addPictures(of: cover, to: &told)
        return Element("albumInfo", told)
    }

    private func addPictures(of cover: MusicCover?, to told: inout Element) {
        guard let cover else { return }
        let address = "\(request.origin)\(cover.path)"
        told.set("smallImageUrl", "\(address)/64")
        told.set("mediumImageUrl", "\(address)/256")
        told.set("largeImageUrl", "\(address)/full")
    }
}
