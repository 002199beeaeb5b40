internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct PlaylistCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playlists", abstract: "Makes, edits, shares and moves playlists.",
        discussion: """
            PLAYLIST, TRACK and ENTRY are identifiers of 26 letters and digits, as list and show print them.

              sonactl playlists create "Lagos nights" --visibility public
              sonactl playlists add 01K9F3Z6T3Q1V8M5N7R2X4C6B0 01K9F3Z6T3Q1V8M5N7R2X4C6B1
              sonactl playlists export 01K9F3Z6T3Q1V8M5N7R2X4C6B0 --format m3u8 >nights.m3u8
            """,
        subcommands: [
            PlaylistListCommand.self, PlaylistShowCommand.self, PlaylistCreateCommand.self, PlaylistEditCommand.self,
            PlaylistAddCommand.self, PlaylistRemoveCommand.self, PlaylistMoveCommand.self, PlaylistDeleteCommand.self,
            PlaylistPinCommand.self, PlaylistUnpinCommand.self, PlaylistCopyCommand.self,
            PlaylistInviteCommand.self, PlaylistAcceptCommand.self, PlaylistCollaboratorsCommand.self,
            PlaylistLeaveCommand.self, PlaylistExportCommand.self, PlaylistImportCommand.self,
            PlaylistPictureCommand.self, PlaylistWatchCommand.self,
        ])
}

/// The playlist that a command is about.
struct PlaylistArgument: ParsableArguments {
    @Argument(help: "The playlist's identifier.") var playlist: MusicID
}

// MARK: - Looking

struct PlaylistListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists playlists, those first that changed last.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "own, pinned, shared (of others that you may edit), or public.") var scope = PlaylistScope.own
    @Option(help: "Only those of this user, with public: @ada, ada, or an identifier.") var owner: String?
    @Option(help: "Only those whose titles have words that begin so.") var query: String?
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"playlists\": […]}.") var json = false

    func run() async throws {
        let owner = try owner.map(UserArgument.reference)
        let (lists, hasMore) = try await global.withClient(scope == .public ? .anybody : .account) { client in
            try await list.collect(pageMax: Int(Limits.playlistPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(
                    PlaylistList(scope: scope, owner: owner, query: query, limit: limit, cursor: cursor))
                return (page.playlists, page.nextCursor)
            }
        }
        if json { return Console.out { $0.member("playlists", lists) } }
        lists.show()
        list.tell(hasMore: hasMore)
    }
}

struct PlaylistShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a playlist and its entries.",
        discussion: "A line for each entry: its identifier, the track, its length, artist and title.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument
    @Option(help: "Shuffled: the same number gives everybody the same order.") var shuffle: Int64?
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"playlist\": …, \"entries\": […]}.") var json = false

    func validate() throws {
        if let shuffle, !(0...Limits.integerMax ~= shuffle) { throw ValidationError("--shuffle takes 0 to 2^53 - 1.") }
    }

    func run() async throws {
        var playlist: Playlist?
        let (entries, hasMore) = try await global.withClient(.anybody) { client in
            try await list.collect(pageMax: Int(Limits.playlistPageCount.upperBound)) { limit, cursor in
                if let shuffle {
                    let from = cursor.flatMap { Int($0) } ?? 0
                    let page = try await client.call(
                        PlaylistShuffled(playlist: self.playlist.playlist, seed: shuffle, from: from, limit: limit))
                    playlist = page.playlist
                    let next = from + page.entries.count
                    return (page.entries, next < page.total && !page.entries.isEmpty ? "\(next)" : nil)
                }
                let page = try await client.call(
                    PlaylistGet(playlist: self.playlist.playlist, limit: limit, cursor: cursor))
                playlist = page.playlist
                return (page.entries, page.nextCursor)
            }
        }
        guard let playlist else { return }
        if json {
            return Console.out {
                $0.member("playlist", playlist)
                $0.member("entries", entries)
            }
        }
        [playlist].show()
        if !playlist.about.isEmpty { Console.out(Console.printable(playlist.about)) }
        var table = Table()
        for entry in entries {
            table.add(
                entry.id.rawValue, entry.track?.id.rawValue ?? "-",
                entry.track.map { length(ofMilliseconds: $0.durationMilliseconds) } ?? "",
                entry.track?.artistLine ?? "", entry.track?.title ?? "(not to be heard)")
        }
        table.show()
        list.tell(hasMore: hasMore)
    }
}

struct PlaylistWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints the changes of your playlists, each as a JSON object, until interrupted.")

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp("End after so many changes.", valueName: "n")) var count: Int?

    func run() async throws {
        try await global.withClient(.account) { client in
            Interruption.handle { client.interrupt() }
            var left = count ?? .max
            for await incoming in client.incoming where left > 0 {
                switch incoming {
                case .event(.playlistChanged(let changed), _, _):
                    Console.out(json: changed)
                    left -= 1
                    if left == 0 { return }
                case .interrupted: throw Interruption.failure
                case .closed(let error): throw error
                default: break
                }
            }
        }
    }
}

// MARK: - Making

/// The rule of a smart playlist on the command line: every option is a condition.
struct RuleOptions: ParsableArguments {
    @Flag(help: "Smart: the list is made by the conditions that follow, each time it is shown.") var smart = false
    @Option(help: "Smart: of the genre with this identifier.") var genre: [MusicID] = []
    @Option(help: "Smart: by the artist with this identifier.") var artist: [MusicID] = []
    @Option(help: "Smart: of the album with this identifier.") var album: [MusicID] = []
    @Option(help: "Smart: of this year or later.") var since: Int64?
    @Option(help: "Smart: of this year or earlier.") var until: Int64?
    @Option(help: "Smart: came into the library within so many days.") var addedDays: Int64?
    @Option(help: "Smart: heard so often at least.") var playsMin: Int64?
    @Option(help: "Smart: heard so often at most.") var playsMax: Int64?
    @Flag(help: "Smart: you like it.") var liked = false
    @Option(help: "Smart: you rate it so at least, 1 to 5.") var ratingMin: Int64?
    @Option(help: "Smart: you heard it so often at least.") var heardMin: Int64?
    @Option(help: "Smart: you have not heard it for so many days.") var notPlayedDays: Int64?
    @Flag(help: "Smart: one condition is enough, in place of all.") var any = false
    @Option(help: "Smart: title, artist, album, added, year, plays or random.") var sort = PlaylistSort.added
    @Option(help: "Smart: the most tracks, 1 to 10000.") var tracksMax = Limits.playlistRuleLimitDefault

    var rule: PlaylistRule? {
        guard smart else { return nil }
        var conditions = genre.map { PlaylistCondition(field: .genre, id: $0) }
        conditions += artist.map { PlaylistCondition(field: .artist, id: $0) }
        conditions += album.map { PlaylistCondition(field: .album, id: $0) }
        if since != nil || until != nil {
            conditions.append(PlaylistCondition(field: .year, minimum: since, maximum: until))
        }
        if let addedDays { conditions.append(PlaylistCondition(field: .added, days: addedDays)) }
        if playsMin != nil || playsMax != nil {
            conditions.append(PlaylistCondition(field: .plays, minimum: playsMin, maximum: playsMax))
        }
        if liked { conditions.append(PlaylistCondition(field: .liked)) }
        if let ratingMin { conditions.append(PlaylistCondition(field: .rating, minimum: ratingMin)) }
        if let heardMin { conditions.append(PlaylistCondition(field: .heard, minimum: heardMin)) }
        if let notPlayedDays {
            conditions.append(PlaylistCondition(field: .played, days: notPlayedDays, isNot: true))
        }
        return PlaylistRule(match: any ? .any : .all, conditions: conditions, sort: sort, limit: tracksMax)
    }
}

struct PlaylistCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a playlist and prints its identifier.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Its title.") var title: String
    @Argument(help: "Its first tracks.") var tracks: [MusicID] = []
    @Option(help: "A description.") var description: String?
    @Option(help: "private, unlisted (seen by whoever knows the identifier) or public.")
    var visibility = PlaylistVisibility.private
    @OptionGroup(title: "Smart playlists") var rule: RuleOptions
    @Flag(help: "Print the playlist as one JSON object.") var json = false

    func run() async throws {
        let made = try await global.withClient(.account) { client in
            try await client.call(
                PlaylistCreate(
                    title: title, about: description ?? "", visibility: visibility, rule: rule.rule, tracks: tracks))
        }.playlist
        if json { return Console.out(json: made) }
        Console.out(made.id.rawValue)
    }
}

struct PlaylistEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes title, description, visibility or rule.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument
    @Option(help: "Another title.") var title: String?
    @Option(help: "Another description; \"\" for none.") var description: String?
    @Option(help: "private, unlisted or public.") var visibility: PlaylistVisibility?
    @OptionGroup(title: "Smart playlists") var rule: RuleOptions

    func run() async throws {
        let changed = try await global.withClient(.account) { client in
            try await client.call(
                PlaylistUpdate(
                    playlist: playlist.playlist, title: title, about: description, visibility: visibility,
                    rule: rule.rule))
        }
        [changed.playlist].show()
    }
}

struct PlaylistCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copies a playlist into one of your own and prints its identifier.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument
    @Option(help: "The title of the copy.") var title: String?

    func run() async throws {
        let copy = try await global.withClient(.account) { client in
            try await client.call(PlaylistCopy(playlist: playlist.playlist, title: title))
        }
        Console.out(copy.playlist.id.rawValue)
    }
}

struct PlaylistDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Erases a playlist of your own, for everybody.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument

    func run() async throws {
        _ = try await global.withClient(.account) { client in
            try await client.call(PlaylistDelete(playlist: playlist.playlist))
        }
    }
}

struct PlaylistPinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Keeps a playlist among your own.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument

    func run() async throws {
        _ = try await global.withClient(.account) { client in
            try await client.call(PlaylistPin(playlist: playlist.playlist))
        }
    }
}

struct PlaylistUnpinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: "Keeps a playlist among your own no longer.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument

    func run() async throws {
        _ = try await global.withClient(.account) { client in
            try await client.call(PlaylistPin(playlist: playlist.playlist, isPinned: false))
        }
    }
}
