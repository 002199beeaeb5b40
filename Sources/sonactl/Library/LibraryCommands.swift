internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct LibraryCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Finds, plays and looks after the music of the server.",
        discussion: """
            TRACK is an identifier of 26 letters and digits, as search and list show it.

              sonactl library search beyonce halo
              sonactl library list albums --sort added
              sonactl library download 01K9F3Z6T3Q1V8M5N7R2X4C6B0
            """,
        subcommands: [
            LibrarySearchCommand.self, LibraryListCommand.self, LibraryShow.self, LibraryLyrics.self,
            LibraryUpload.self,
            LibraryDownload.self, LibraryUsage.self,
            LibraryEdit.self, LibraryRemove.self, LibraryScanCommand.self, LibraryFoldersCommand.self,
            LibraryShare.self, LibraryProblemsCommand.self, LibrarySimilar.self, LibraryRadio.self,
            LibraryRecountCommand.self,
        ])
}

// MARK: - Finding

struct LibrarySearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Finds tracks, albums, artists, genres and public playlists.",
        discussion: """
            Every word, or what begins with it, must stand in title, artist or album. Case and accents do not count.
            """)

    /// A field of tracks.
    enum Field: String, CaseIterable, ExpressibleByArgument {
        case title, artist, album

        var field: MusicField {
            switch self {
            case .title: .title
            case .artist: .artist
            case .album: .album
            }
        }
    }

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Words, or their beginnings.") var words: [String]
    @Option(help: "Look in one field of tracks only.") var field: Field?
    @Option(help: "The most items of each group, 1 to 100.") var limit = Limits.musicSearchCountDefault
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func validate() throws {
        guard Limits.musicQueryBytes.contains(words.joined(separator: " ").utf8.count) else {
            throw ValidationError("A search is one line of at most \(Limits.musicQueryBytes.upperBound) bytes.")
        }
        guard Limits.musicPageCount.contains(Int64(limit)) else { throw ValidationError("--limit takes 1 to 100.") }
    }

    func run() async throws {
        let found = try await global.withClient(.anybody) { client in
            try await client.call(
                MusicSearch(query: words.joined(separator: " "), field: field?.field, limit: limit))
        }
        if json { return Console.out(json: found) }
        found.tracks.show()
        found.albums.show()
        found.artists.show(as: "artist")
        found.genres.show(as: "genre")
        found.playlists.show()
        if found.tracks.isEmpty, found.albums.isEmpty, found.artists.isEmpty, found.genres.isEmpty,
            found.playlists.isEmpty
        {
            Console.say("Nothing was found.")
        }
    }
}

struct LibraryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists tracks, albums, artists or genres.")

    /// The items of a list.
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case tracks, albums, artists, genres

        var kind: LibraryKind {
            switch self {
            case .tracks: .tracks
            case .albums: .albums
            case .artists: .artists
            case .genres: .genres
            }
        }
    }

    /// The order of a list.
    enum Order: String, CaseIterable, ExpressibleByArgument {
        case title, artist, added, plays, popular

        var sort: LibrarySort {
            switch self {
            case .title: .title
            case .artist: .artist
            case .added: .added
            case .plays: .plays
            case .popular: .popular
            }
        }
    }

    @OptionGroup var global: GlobalOptions
    @Argument(help: "What to list.") var kind = Kind.tracks
    @Option(help: "The order; tracks have all of them, albums all but plays and popular.") var sort = Order.title
    @Option(help: "Only of the artist with this identifier.") var artist: MusicID?
    @Option(help: "Only of the genre with this identifier.") var genre: MusicID?
    @Flag(help: "Only what you have uploaded.") var own = false
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"tracks\": […]}, or albums, artists, genres.") var json = false

    func run() async throws {
        func ask(_ client: Client, _ limit: Int, _ cursor: String?) async throws -> LibraryPage {
            try await client.call(
                LibraryList(
                    kind: kind.kind, scope: own ? .own : .all, sort: sort.sort, artist: artist, genre: genre,
                    limit: limit, cursor: cursor))
        }
        let need: SignIn.Need = own ? .account : .anybody
        let pageMax = Int(Limits.musicPageCount.upperBound)
        let hasMore: Bool
        switch kind {
        case .tracks:
            let (tracks, more) = try await global.withClient(need) { client in
                try await list.collect(pageMax: pageMax) { limit, cursor in
                    let page = try await ask(client, limit, cursor)
                    return (page.tracks, page.nextCursor)
                }
            }
            if json { return Console.out { $0.member("tracks", tracks) } }
            tracks.show()
            hasMore = more
        case .albums:
            let (albums, more) = try await global.withClient(need) { client in
                try await list.collect(pageMax: pageMax) { limit, cursor in
                    let page = try await ask(client, limit, cursor)
                    return (page.albums, page.nextCursor)
                }
            }
            if json { return Console.out { $0.member("albums", albums) } }
            albums.show()
            hasMore = more
        case .artists, .genres:
            let (groups, more) = try await global.withClient(need) { client in
                try await list.collect(pageMax: pageMax) { limit, cursor in
                    let page = try await ask(client, limit, cursor)
                    return (page.artists + page.genres, page.nextCursor)
                }
            }
            if json { return Console.out { $0.member(kind == .artists ? "artists" : "genres", groups) } }
            groups.show(as: kind == .artists ? "artist" : "genre")
            hasMore = more
        }
        list.tell(hasMore: hasMore)
    }
}

struct LibraryShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a track, an album or an artist.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The identifier.") var id: MusicID
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        try await global.withClient(.anybody) { client in
            if let found = try await Self.found({ try await client.call(TrackGet(track: id)) }) {
                return json ? Console.out(json: found.track) : found.track.show()
            }
            if let found = try await Self.found({ try await client.call(AlbumGet(album: id)) }) {
                if json { return Console.out(json: found) }
                [found.album].show()
                return found.tracks.show()
            }
            let found = try await client.call(ArtistGet(artist: id))
            if json { return Console.out(json: found) }
            [found.artist].show(as: "artist")
            found.albums.show()
            found.tracks.show()
        }
    }

    /// - Returns: `nil` if it is another kind of identifier.
    private static func found<Value>(_ body: () async throws -> Value) async throws -> Value? {
        do { return try await body() } catch let error as ClientError
            where error.code == .trackNotFound || error.code == .albumNotFound
        { return nil }
    }
}

// MARK: - Changing

struct LibraryEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Edits what a track says of itself. Its file stays as it is.",
        discussion: """
            An empty text and the number 0 mean "none". --reset takes a field from the file again: title, artists, \
            album, album_artists, genres, year, disc, place.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The track.") var track: MusicID
    @Option var title: String?
    @Option(help: "An artist; several times for several.") var artist: [String] = []
    @Option var album: String?
    @Option(help: "An artist of the album; several times for several.") var albumArtist: [String] = []
    @Option(help: "A genre; several times for several.") var genre: [String] = []
    @Option var year: Int?
    @Option var disc: Int?
    @Option(help: "The place on the disc.") var place: Int?
    @Option(help: "A field to take from the file again; several times for several.") var reset: [String] = []
    @Flag(help: "Print the track as one JSON object.") var json = false

    func run() async throws {
        func names(_ values: [String]) -> [String]? { values.isEmpty ? nil : values.filter { !$0.isEmpty } }
        let result = try await global.withClient(.account) { client in
            try await client.call(
                TrackUpdate(
                    track: track, title: title, artists: names(artist), album: album,
                    albumArtists: names(albumArtist), genres: names(genre), year: year, disc: disc, place: place,
                    reset: reset))
        }
        json ? Console.out(json: result.track) : result.track.show()
    }
}

struct LibraryRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes uploaded tracks with their files.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The tracks.") var tracks: [MusicID]

    func run() async throws {
        try await global.withClient(.account) { client in
            for track in tracks { _ = try await client.call(TrackRemove(track: track)) }
        }
        Console.say(tracks.count == 1 ? "The track is gone." : "\(tracks.count) tracks are gone.")
    }
}
