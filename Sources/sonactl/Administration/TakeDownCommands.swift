internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct TakeDownCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "takedown", abstract: "Takes down what others have made. For administrators.",
        discussion: "ROOM is an identifier, a link or @username; USER is @username or an identifier.",
        subcommands: [TakeDownRoom.self, TakeDownMessage.self, TakeDownUser.self])
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
        _ = try await global.withClient(.account, link: link) { try await $0.call(ContentTakeDown(content)) }
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
        _ = try await global.withClient(.account, link: link) { try await $0.call(request) }
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
        _ = try await global.withClient(.account) { try await $0.call(request) }
        Console.say("Taken down.")
    }
}
