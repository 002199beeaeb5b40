internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Finding music: `search`, `library.list`, `library.outline`, `album.get`, `artist.get`, `genre.list`.
struct LibraryMethods: MethodArea {
    let library: Library

    static func area(of methods: Methods) -> LibraryMethods { methods.library }

    static var methods: [Method] {
        [
            signedIn(search, .apart), signedIn(list, .apart), signedIn(outline, .apart), signedIn(album, .apart),
            signedIn(artist, .apart), signedIn(genres, .apart),
        ]
    }

    func search(_ request: MusicSearch, _ asker: Asker) async throws -> MusicSearchResult {
        try await library.finder.search(request, for: try await library.listener(for: asker.account))
    }

    func list(_ request: LibraryList, _ asker: Asker) async throws -> LibraryPage {
        try await library.finder.list(request, for: try await library.listener(for: asker.account))
    }

    func outline(_ request: LibraryOutline, _ asker: Asker) async throws -> LibraryOutlineResult {
        try await library.finder.outline(request, for: try await library.listener(for: asker.account))
    }

    func album(_ request: AlbumGet, _ asker: Asker) async throws -> AlbumDetails {
        try await library.finder.album(request.album, for: try await library.listener(for: asker.account))
    }

    func artist(_ request: ArtistGet, _ asker: Asker) async throws -> ArtistDetails {
        try await library.finder.artist(request.artist, for: try await library.listener(for: asker.account))
    }

    func genres(_ request: GenreList, _ asker: Asker) async throws -> GenreListResult {
        GenreListResult(genres: try await library.finder.genres(for: try await library.listener(for: asker.account)))
    }
}

/// `track.*`: single tracks.
struct TrackMethods: MethodArea {
    let library: Library
    let shard: Shard

    static func area(of methods: Methods) -> TrackMethods { methods.tracks }

    static var methods: [Method] {
        [signedIn(get, .apart), signedIn(update), signedIn(remove), signedIn(open, .apart), signedIn(lyrics, .apart)]
    }

    func get(_ request: TrackGet, _ asker: Asker) async throws -> TrackResult {
        TrackResult(
            track: try await library.finder.track(request.track, for: try await library.listener(for: asker.account)))
    }

    func update(_ request: TrackUpdate, _ asker: Asker) async throws -> TrackResult {
        // A curator does not see all tracks, and edits those that are seen.
        _ = try await get(TrackGet(track: request.track), asker)
        try await library.tracks.update(request, by: asker.uid)
        return try await get(TrackGet(track: request.track), asker)
    }

    func remove(_ request: TrackRemove, _ asker: Asker) async throws -> Empty {
        try await library.tracks.remove(request.track, by: asker.uid)
        await shard.perform { $0.silence(request.track) }
        return Empty()
    }

    func lyrics(_ request: TrackLyrics, _ asker: Asker) async throws -> TrackLyricsResult {
        try await library.finder.lyrics(of: request.track, for: try await library.listener(for: asker.account))
    }

    func open(_ request: TrackOpen, _ asker: Asker) async throws -> MediaTicket {
        let track = try await library.finder.track(
            request.track, for: try await library.listener(for: asker.account))
        let (token, expires) = library.tokens.make(
            for: asker.account, track.id, track.access, now: library.clock.nowMilliseconds())
        return MediaTicket(
            token: token, stream: "\(Limits.tracksPathPrefix)\(track.id.rawValue)/stream?t=\(token)",
            access: track.access, expiresMilliseconds: expires)
    }
}

/// `library.folders` and what administrators do with music folders.
struct FolderMethods: MethodArea {
    let library: Library

    static func area(of methods: Methods) -> FolderMethods { methods.folders }

    static var methods: [Method] {
        [signedIn(folders, .apart), signedIn(update), signedIn(scan), signedIn(cancel), signedIn(problems, .apart)]
    }

    func folders(_ request: LibraryFolders, _ asker: Asker?) async throws -> LibraryFoldersResult {
        LibraryFoldersResult(folders: try await library.folders.list())
    }

    func update(_ request: LibraryFolderUpdate, _ asker: Asker?) async throws -> LibraryFoldersResult {
        try await library.folders.update(request, by: asker?.uid)
        return LibraryFoldersResult(folders: try await library.folders.list())
    }

    func scan(_ request: LibraryScan, _ asker: Asker?) async throws -> LibraryFoldersResult {
        try await library.folders.scan(request.folder)
        return LibraryFoldersResult(folders: try await library.folders.list())
    }

    func cancel(_ request: LibraryScanCancel, _ asker: Asker?) async throws -> LibraryFoldersResult {
        try await library.folders.cancel(request.folder)
        return LibraryFoldersResult(folders: try await library.folders.list())
    }

    func problems(_ request: LibraryProblems, _ asker: Asker?) async throws -> LibraryProblemsPage {
        try await library.folders.problems(limit: request.limit, cursor: request.cursor)
    }
}
