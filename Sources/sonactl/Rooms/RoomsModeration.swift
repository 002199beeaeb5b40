internal import ArgumentParser
internal import SonaClient
internal import SonaWire

/// A command about a person in a room that needs no more than their two names.
protocol RoomUserCommand: AsyncParsableCommand {
    associatedtype Question: RoomUserRequest where Question.Response == Empty

    /// The result in words, printed after the user's name.
    static var done: String { get }

    var global: GlobalOptions { get }
    var room: RoomArgument { get }
    var user: UserArgument { get }
}

extension RoomUserCommand {
    mutating func run() async throws {
        let link = try room.link()
        let request = Question(room: link.reference, user: try user.reference())
        _ = try await global.withClient(.account, link: link) { try await $0.call(request) }
        Console.say("\(request.user.text) \(Self.done)")
    }
}

struct RoomsKick: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kick", abstract: "Puts somebody out of a room. They may come again.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var user: UserArgument
    @OptionGroup var reason: ReasonOption

    func run() async throws {
        let link = try room.link()
        let request = RoomKick(room: link.reference, user: try user.reference(), reason: reason.reason)
        _ = try await global.withClient(.account, link: link) { try await $0.call(request) }
        Console.say("\(request.user.text) is out.")
    }
}

struct RoomsBan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ban", abstract: "Puts somebody out of a room and keeps them out.",
        discussion: """
            They need not be there. What they were in the room they are no more, and an earlier ban is replaced. If \
            they came by an invite, no new guest comes by it either until the ban ends.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var user: UserArgument
    @OptionGroup var span: ForOption
    @OptionGroup var reason: ReasonOption

    func run() async throws {
        let link = try room.link()
        let request = RoomBan(
            room: link.reference, user: try user.reference(), seconds: span.seconds, reason: reason.reason)
        _ = try await global.withClient(.account, link: link) { try await $0.call(request) }
        Console.say("\(request.user.text) is banned from the room.")
    }
}

struct RoomsUnban: RoomUserCommand {
    typealias Question = RoomUnban
    static let configuration = CommandConfiguration(
        commandName: "unban", abstract: "Lifts a ban from a room.",
        discussion: "Name a banned guest by the identifier shown by sonactl rooms bans.")
    static let done = "is not banned from the room."

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var user: UserArgument
}

struct RoomsMute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Keeps somebody from writing and reacting in a room.",
        discussion: "They stay and hear. An earlier mute is replaced.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var user: UserArgument
    @OptionGroup var span: ForOption

    func run() async throws {
        let link = try room.link()
        let request = RoomMute(room: link.reference, user: try user.reference(), seconds: span.seconds)
        _ = try await global.withClient(.account, link: link) { try await $0.call(request) }
        Console.say("\(request.user.text) is muted.")
    }
}

struct RoomsUnmute: RoomUserCommand {
    typealias Question = RoomUnmute
    static let configuration = CommandConfiguration(
        commandName: "unmute", abstract: "Lets a muted person write again.")
    static let done = "is not muted."

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var user: UserArgument
}

struct RoomsBans: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bans", abstract: "Lists the people banned from a room, the newest ban first.",
        discussion: "A line for each: user, when the ban ends, who made it, why.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"bans\": […]}.") var json = false

    func run() async throws {
        let link = try room.link()
        let (bans, hasMore) = try await global.withClient(.account, link: link) { client in
            try await list.collect(pageMax: Int(Limits.userPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(RoomBans(room: link.reference, limit: limit, cursor: cursor))
                return (page.bans, page.nextCursor)
            }
        }
        if json { return Console.out { $0.member("bans", bans) } }
        var table = Table()
        for ban in bans {
            table.add(
                ban.user.label, ban.untilMilliseconds.map { Console.date(milliseconds: $0) } ?? "for good",
                ban.by?.label ?? "", ban.reason ?? "")
        }
        table.show()
        if bans.isEmpty { Console.say("Nobody is banned.") }
        list.tell(hasMore: hasMore)
    }
}

/// How long a ban or mute is to hold.
struct ForOption: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long, such as 90s, 30m, 12h, 7d or 4w. (default: until it is lifted)", valueName: "time"))
    var span: TimeSpan?

    var seconds: Int64? { span?.seconds }

    func validate() throws {
        if let seconds, !Limits.banSeconds.contains(seconds) {
            throw ValidationError("--for takes at least a second and at most ten years.")
        }
    }
}

/// Why somebody is put out.
struct ReasonOption: ParsableArguments {
    @Option(help: ArgumentHelp("Why, for them to read: a line of at most 200 bytes.", valueName: "text"))
    var reason: String?

    func validate() throws {
        if let reason, !Limits.banReasonBytes.contains(reason.utf8.count) || Console.printable(reason) != reason {
            throw ValidationError("A reason is one line of at most \(Limits.banReasonBytes.upperBound) bytes.")
        }
    }
}
