internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct TakeDownCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "takedown", abstract: "Takes down what others have made. For administrators.",
        discussion: "ROOM is an identifier, a link or @username; USER is @username or an identifier.",
        subcommands: [
            TakeDownRoom.self, TakeDownMessage.self, TakeDownUser.self, TakeDownTrack.self, TakeDownList.self,
            TakeDownLift.self,
        ])
}

struct TakeDownRoom: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room", abstract: "Ends a room for good, or takes away its text or picture.")

    enum Part: String, EnumerableFlag {
        case text
        case picture

        static func help(for value: Part) -> ArgumentHelp? {
            switch value {
            case .text: "Only title, description and tags."
            case .picture: "Only the picture."
            }
        }
    }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Flag var part: Part?
    @Flag(help: "Do not ask whether it is meant.") var yes = false

    func run() async throws {
        let link = try room.link()
        if part == nil, !yes { try Self.confirm(link.reference) }
        let content: TakeDown =
            switch part {
            case nil: .room(link.reference)
            case .text: .roomText(link.reference)
            case .picture: .roomPicture(link.reference)
            }
        _ = try await global.asOperator(link: link) { try await $0.call(ContentTakeDown(content)) }
        Console.say("Taken down.")
    }

    private static func confirm(_ room: RoomReference) throws {
        guard let terminal = Terminal() else {
            throw Failure(64, "There is no terminal to ask whether this is meant; use --yes.")
        }
        let answer = terminal.ask("This ends the room \(room.text) for good. Type \"close\" if you mean it: ")
        guard answer == "close" else { throw Failure(1, "Nothing was taken down.") }
    }
}

struct TakeDownMessage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "Erases the text of a message in a room's chat.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Argument(help: "The message's number, as sonactl chat --json shows it.") var number: Int64

    func validate() throws {
        guard Limits.chatID.contains(number) else { throw ValidationError("Messages have numbers from 1.") }
    }

    func run() async throws {
        let link = try room.link()
        let request = ContentTakeDown(.message(link.reference, id: number))
        _ = try await global.asOperator(link: link) { try await $0.call(request) }
        Console.say("Taken down.")
    }
}

struct TakeDownUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "Takes away name, text and links of a profile, or its photo.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Flag(help: "The photo, and nothing else.") var photo = false

    func run() async throws {
        let reference = try user.reference()
        let request = ContentTakeDown(photo ? .photo(reference) : .profile(reference))
        _ = try await global.asOperator { try await $0.call(request) }
        Console.say("Taken down.")
    }
}

struct TakeDownTrack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track", abstract: "Removes an upload, and refuses its content from then on.",
        discussion: "Uploads of the same content go as well, whoever they belong to. Their owners are told.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "A track, by identifier.") var track: MusicID
    @Option(help: "Why: one line, which the owners are told.") var reason: String?
    @Flag(help: "Do not ask whether it is meant.") var yes = false

    func validate() throws {
        if let reason, !Limits.takeDownReasonBytes.contains(reason.utf8.count) {
            throw ValidationError("A reason is one line of at most \(Limits.takeDownReasonBytes.upperBound) bytes.")
        }
    }

    func run() async throws {
        if !yes {
            guard let terminal = Terminal() else {
                throw Failure(64, "There is no terminal to ask whether this is meant; use --yes.")
            }
            let answer = terminal.ask("This removes the track for good. Type \"remove\" if you mean it: ")
            guard answer == "remove" else { throw Failure(1, "Nothing was taken down.") }
        }
        let request = ContentTakeDown(.track(track, reason: reason))
        _ = try await global.asOperator { try await $0.call(request) }
        Console.say("Taken down.")
    }
}

struct TakeDownList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists contents of files that are refused, the newest first.",
        discussion: "A line for each: number, time, title, SHA-256, who took it down, the reason.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"contents\": […]}.") var json = false

    func run() async throws {
        let (contents, hasMore) = try await global.asOperator { client in
            try await list.collect(pageMax: Int(Limits.refusedContentPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(
                    ContentTakenDown(before: cursor.flatMap { Int64($0) }, limit: limit))
                return (page.contents, page.nextBefore.map { String($0) })
            }
        }
        if json { return Console.out { $0.member("contents", contents) } }
        for content in contents {
            let by = content.by.map { user in user.username.map { "@\($0.rawValue)" } ?? user.uid.rawValue }
            let parts = [
                "\(content.id)", UTC.text(milliseconds: content.atMilliseconds), content.title, content.sha256, by,
                content.reason,
            ]
            Console.out(Console.printable(parts.compactMap { $0 }.joined(separator: "  ")))
        }
        list.tell(hasMore: hasMore)
    }
}

struct TakeDownLift: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lift", abstract: "Takes a content again that was refused. Tracks that were removed stay gone.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Its number, as sonactl takedown list shows it.") var number: Int64

    func validate() throws {
        guard number >= 1 else { throw ValidationError("A content has a number from 1 on.") }
    }

    func run() async throws {
        _ = try await global.asOperator { try await $0.call(ContentAllow(id: number)) }
        Console.say("It may be uploaded again.")
    }
}
