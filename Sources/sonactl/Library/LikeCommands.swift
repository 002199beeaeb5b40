internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct LikeCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "likes", abstract: "Likes and rates tracks, albums and artists, and lists what you like.",
        discussion: """
              sonactl likes add 01K9F3Z6T3Q1V8M5N7R2X4C6B0
              sonactl likes add --kind album 01K9F3Z6T3Q1V8M5N7R2X4C6B1
              sonactl likes rate 01K9F3Z6T3Q1V8M5N7R2X4C6B0 5
              sonactl likes list --kind artist
            """,
        subcommands: [LikeAddCommand.self, LikeRemoveCommand.self, LikeRateCommand.self, LikeListCommand.self])
}

/// The kind of a thing, and its identifier.
struct LikedArgument: ParsableArguments {
    /// The kinds of things that can be liked.
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case track, album, artist, playlist

        var kind: LikeKind {
            switch self {
            case .track: .track
            case .album: .album
            case .artist: .artist
            case .playlist: .playlist
            }
        }
    }

    @Option(help: "What the identifier names.") var kind = Kind.track
    @Argument(help: "The identifier, as sonactl library list shows it.") var id: MusicID

    var target: LikeTarget { .item(kind.kind, id) }
}

struct LikeAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Likes a track, an album or an artist.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var thing: LikedArgument
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let result = try await global.withClient(.account) {
            try await $0.call(LikeSet(target: thing.target, isLiked: true))
        }
        result.opinion.show(asJSON: json)
    }
}

struct LikeRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Takes a like back.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var thing: LikedArgument
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let result = try await global.withClient(.account) {
            try await $0.call(LikeSet(target: thing.target, isLiked: false))
        }
        result.opinion.show(asJSON: json)
    }
}

struct LikeRateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rate", abstract: "Gives one to five stars; 0 takes them back.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var thing: LikedArgument
    @Argument(help: "1 to 5, or 0.") var stars: Int
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard stars == 0 || Limits.ratings.contains(Int64(stars)) else {
            throw ValidationError("A rating is 1 to 5 stars; 0 takes it back.")
        }
    }

    func run() async throws {
        let result = try await global.withClient(.account) {
            try await $0.call(RatingSet(target: thing.target, rating: stars == 0 ? nil : stars))
        }
        result.opinion.show(asJSON: json)
    }
}

struct LikeListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists what you like, the last like first.",
        discussion: "A line for each: time, identifier, name. A thing that you no longer see has no name.")

    @OptionGroup var global: GlobalOptions
    @Option(help: "What to list.") var kind = LikedArgument.Kind.track
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"likes\": […]}.") var json = false

    func run() async throws {
        let (likes, hasMore) = try await global.withClient(.account) { client in
            try await list.collect(pageMax: Int(Limits.musicPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(LikeList(kind: kind.kind, limit: limit, cursor: cursor))
                return (page.likes, page.nextCursor)
            }
        }
        if json { return Console.out { $0.member("likes", likes) } }
        var table = Table()
        for like in likes {
            table.add(
                UTC.text(milliseconds: like.likedMilliseconds), like.id.rawValue,
                like.track?.artistLine ?? "",
                like.track?.title ?? like.album?.name ?? like.artist?.name ?? like.playlist?.title ?? "")
        }
        table.show()
        list.tell(hasMore: hasMore)
    }
}

extension Opinion {
    fileprivate func show(asJSON json: Bool) {
        if json { return Console.out(json: self) }
        let stars = rating.map { $0 == 1 ? ", 1 star" : ", \($0) stars" } ?? ""
        Console.out("\(kind.rawValue) \(id.rawValue): \(isLiked ? "liked" : "not liked")\(stars)")
    }
}
