internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaEventLoop
internal import SonaWire

struct PlaysCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plays", abstract: "Shows what you heard, and says what is kept of it.",
        discussion: """
              sonactl plays list --limit 20
              sonactl plays stats 2026 --month 11
              sonactl plays settings --private
              sonactl plays clear --older-than-days 30
            """,
        subcommands: [
            PlaysListCommand.self, PlaysStatsCommand.self, PlaysReportCommand.self, PlaysClearCommand.self,
            PlaysSettingsCommand.self, PlaysFeedCommand.self, PlaysCommonCommand.self,
        ])
}

struct PlaysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists what you heard, the last first.",
        discussion: "A line for each: time, how long, identifier, artist, title.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"plays\": […]}.") var json = false

    func run() async throws {
        let (plays, hasMore) = try await global.withClient(.account) { client in
            try await list.collect(pageMax: Int(Limits.musicPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(PlayList(limit: limit, cursor: cursor))
                return (page.plays, page.nextCursor)
            }
        }
        if json { return Console.out { $0.member("plays", plays) } }
        var table = Table()
        for play in plays {
            table.add(
                UTC.text(milliseconds: play.atMilliseconds), "\(play.heardMilliseconds / 1_000) s",
                play.source.rawValue,
                play.id.rawValue, play.track?.artistLine ?? "", play.track?.title ?? "")
        }
        table.show()
        list.tell(hasMore: hasMore)
    }
}

struct PlaysStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Shows what you heard most in a year or a month.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The year.") var year: Int
    @Option(help: "The month, 1 to 12.") var month: Int?
    @Option(help: "Minutes by which your clock is ahead of UTC.") var offset = 0
    @Option(help: "Lines of each list, 1 to 20.") var limit = 10
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func validate() throws {
        guard Limits.statsYears.contains(Int64(year)) else { throw ValidationError("The year is 1970 to 9999.") }
        guard (1...12).contains(month ?? 1) else { throw ValidationError("--month takes 1 to 12.") }
        guard Limits.offsetMinutes.contains(Int64(offset)) else { throw ValidationError("--offset takes -840 to 840.") }
        guard (1...Limits.statsTopMax).contains(limit) else { throw ValidationError("--limit takes 1 to 20.") }
    }

    func run() async throws {
        let stats = try await global.withClient(.account) { client in
            try await client.call(StatsGet(year: year, month: month, offsetMinutes: offset, limit: limit))
        }
        if json { return Console.out(json: stats) }
        Console.out(
            "\(stats.plays) plays, \(stats.heardMilliseconds / 3_600_000) h "
                + "\(stats.heardMilliseconds / 60_000 % 60) min, \(stats.trackCount) tracks, "
                + "\(stats.artistCount) artists")
        var table = Table()
        for top in stats.tracks {
            table.add("track", "\(top.plays)", top.track?.artistLine ?? "", top.track?.title ?? "")
        }
        for top in stats.albums { table.add("album", "\(top.plays)", "", top.album?.name ?? "") }
        for top in stats.artists { table.add("artist", "\(top.plays)", "", top.artist?.name ?? "") }
        for top in stats.genres { table.add("genre", "\(top.plays)", "", top.genre?.name ?? "") }
        table.show()
    }
}

struct PlaysReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Says how much of a track was heard, for programs that play streams.",
        discussion: """
            The server believes as much as it has sent to you. --key names the hearing: repeat it with more seconds as the \
            hearing goes on.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The track.") var track: MusicID
    @Option(help: "A name for this hearing.") var key: String
    @Option(help: "Seconds that were heard so far.") var seconds: Double
    @Option(help: "The token of the stream's address, if it has one.") var streamToken: String?
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard Limits.playKeyBytes.contains(key.utf8.count) else { throw ValidationError("--key takes 1 to 64 bytes.") }
        guard (0...86_400).contains(seconds) else { throw ValidationError("--seconds takes 0 to 86400.") }
    }

    func run() async throws {
        let heard = Int64(seconds * 1_000)
        let receipt = try await global.withClient(.account) { client in
            try await client.call(
                PlayReport(
                    track: track, token: streamToken, key: key, heardMilliseconds: heard,
                    startedMilliseconds: MonotonicClock.wallMilliseconds() - heard))
        }
        if json { return Console.out(json: receipt) }
        Console.out(
            receipt.isCounted
                ? "A play of \(receipt.heardMilliseconds / 1_000) s."
                : "No play yet: the server believes \(receipt.heardMilliseconds / 1_000) s.")
    }
}

struct PlaysClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Takes your name off what you heard, for good.")

    @OptionGroup var global: GlobalOptions
    @Option(help: "Only what you heard more than so many days ago.") var olderThanDays: Int?
    @Option(help: "Only plays of this track.") var track: MusicID?
    @Flag(help: "All plays.") var all = false

    private var beforeMilliseconds: Int64? {
        olderThanDays.map { MonotonicClock.wallMilliseconds() - Int64($0) * 86_400_000 }
    }

    func validate() throws {
        if olderThanDays == nil, track == nil, !all {
            throw ValidationError("Say what: --older-than-days, --track or --all.")
        }
        guard (0...20_000).contains(olderThanDays ?? 0) else {
            throw ValidationError("--older-than-days takes 0 or more.")
        }
    }

    func run() async throws {
        let result = try await global.withClient(.account) { client in
            try await client.call(PlayClear(beforeMilliseconds: beforeMilliseconds, track: track))
        }
        Console.out(result.cleared == 1 ? "1 play was forgotten." : "\(result.cleared) plays were forgotten.")
    }
}

struct PlaysSettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Says what is kept of your plays, and who sees it.",
        discussion: "Without options the settings are shown.")

    @OptionGroup var global: GlobalOptions
    @Flag(inversion: .prefixedNo, help: "Private listening: nothing you hear is kept.") var `private`: Bool?
    @Flag(inversion: .prefixedNo, help: "Friends see what you play from now on.") var sharePlays: Bool?
    @Flag(inversion: .prefixedNo, help: "Friends may ask what music you have in common.") var shareTaste: Bool?
    @Option(help: "Days for which plays are kept; 0 for good.") var keepDays: Int?
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard Limits.playDays.contains(Int64(keepDays ?? 0)) else {
            throw ValidationError("--keep-days takes 0 to 3650.")
        }
    }

    func run() async throws {
        let request = PlaySettings(
            isPrivate: self.private, sharesPlays: sharePlays, sharesTaste: shareTaste, keepDays: keepDays)
        let settings = try await global.withClient(.account) { try await $0.call(request) }.settings
        if json { return Console.out(json: settings) }
        var table = Table()
        table.add("private", settings.isPrivate ? "on" : "off")
        table.add("share plays", settings.sharesPlays ? "on" : "off")
        table.add("share taste", settings.sharesTaste ? "on" : "off")
        table.add("keep", settings.keepDays == 0 ? "for good" : "\(settings.keepDays) days")
        table.show()
    }
}

struct PlaysFeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed", abstract: "Lists what friends play who let you see it.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"plays\": […]}.") var json = false

    func run() async throws {
        let (plays, hasMore) = try await global.withClient(.account) { client in
            try await list.collect(pageMax: Int(Limits.musicPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(PlaysFeed(limit: limit, cursor: cursor))
                return (page.plays, page.nextCursor)
            }
        }
        if json { return Console.out { $0.member("plays", plays) } }
        var table = Table()
        for play in plays {
            table.add(
                UTC.text(milliseconds: play.atMilliseconds),
                play.user.user.label, play.track.artistLine, play.track.title)
        }
        table.show()
        list.tell(hasMore: hasMore)
    }
}

struct PlaysCommonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "common", abstract: "Lists tracks that you and friends play or like.",
        discussion: "They must allow it: sonactl plays settings --share-taste.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Friends, 1 to 10: @ada, ada, or identifiers.") var users: [String]
    @Option(help: "The most tracks, 1 to 100.") var limit = Limits.discoveredCountDefault
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func validate() throws {
        guard Limits.intersectedUsers.contains(users.count) else { throw ValidationError("Name 1 to 10 people.") }
        guard Limits.discoveredCount.contains(Int64(limit)) else { throw ValidationError("--limit takes 1 to 100.") }
    }

    func run() async throws {
        let references = try users.map { try UserArgument.reference($0) }
        let common = try await global.withClient(.account) { client in
            var uids: [UserID] = []
            for reference in references {
                if case .id(let uid) = reference {
                    uids.append(uid)
                } else {
                    uids.append(try await client.call(UserGet(user: reference)).user.uid)
                }
            }
            return try await client.call(PlaylistIntersect(users: uids, limit: limit))
        }
        if json { return Console.out(json: common) }
        common.tracks.show()
    }
}

struct LibrarySimilar: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "similar", abstract: "Lists tracks that the listeners of one play and like, too.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The track.") var track: MusicID
    @Option(help: "The most tracks, 1 to 100.") var limit = Limits.discoveredCountDefault
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func validate() throws {
        guard Limits.discoveredCount.contains(Int64(limit)) else { throw ValidationError("--limit takes 1 to 100.") }
    }

    func run() async throws {
        let found = try await global.withClient(.anybody) {
            try await $0.call(TrackSimilar(track: track, limit: limit))
        }
        if json { return Console.out(json: found) }
        found.tracks.show()
    }
}

struct LibraryRadio: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "radio", abstract: "Lists tracks that go with a track, an artist or a genre.")

    @OptionGroup var global: GlobalOptions
    @Option(help: "Begin with this track.") var track: MusicID?
    @Option(help: "Begin with this artist.") var artist: MusicID?
    @Option(help: "Begin with this genre.") var genre: MusicID?
    @Option(help: "Begin with this playlist.") var playlist: MusicID?
    @Option(help: "The most tracks, 1 to 100.") var limit = Limits.discoveredCountDefault
    @Option(help: "The same number gives the same tracks.") var seed: Int64?
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    private var from: RadioSeed? {
        let seeds = [
            track.map(RadioSeed.track), artist.map(RadioSeed.artist), genre.map(RadioSeed.genre),
            playlist.map(RadioSeed.playlist),
        ]
        .compactMap { $0 }
        return seeds.count == 1 ? seeds[0] : nil
    }

    func validate() throws {
        if from == nil { throw ValidationError("Name one beginning: --track, --artist, --genre or --playlist.") }
        guard Limits.discoveredCount.contains(Int64(limit)) else { throw ValidationError("--limit takes 1 to 100.") }
        if let seed, !(0...Limits.integerMax).contains(seed) { throw ValidationError("--seed takes 0 or more.") }
    }

    func run() async throws {
        guard let from else { return }
        let radio = try await global.withClient(.anybody) { client in
            try await client.call(RadioStart(from: from, limit: limit, seed: seed))
        }
        if json { return Console.out(json: radio) }
        radio.tracks.show()
    }
}

struct LibraryRecountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recount", abstract: "Makes the counters of tracks and artists anew from the plays.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let result = try await global.asOperator { try await $0.call(LibraryRecount()) }
        if json { return Console.out(json: result) }
        Console.out(
            "\(result.plays) plays. Counters that were wrong: \(result.tracks) of tracks, \(result.artists) of artists."
        )
    }
}
