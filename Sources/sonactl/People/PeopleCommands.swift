internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct PeopleCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "Finds people, follows and blocks them, and shows who is in a room now.",
        discussion: """
            USER is @username, an identifier, or a username without its @; uid:IDENTIFIER is an identifier in any case. \
            Friends are two who follow each other.
            """,
        subcommands: [
            PeopleSearchCommand.self, PeopleFollowCommand.self, PeopleUnfollowCommand.self, PeopleBlockCommand.self,
            PeopleUnblockCommand.self, PeopleFollowersCommand.self, PeopleFollowingCommand.self,
            PeopleFriendsCommand.self, PeopleBlockedCommand.self, PeoplePresenceCommand.self,
        ])
}

/// A command that changes how the user and another one stand to each other.
protocol RelationCommand: AsyncParsableCommand {
    associatedtype Question: UserRequest where Question.Response == RelationResult

    var global: GlobalOptions { get }
    var user: UserArgument { get }
    var json: Bool { get }
}

extension RelationCommand {
    mutating func run() async throws {
        let reference = try user.reference()
        let result = try await global.withClient(.account) { try await $0.call(Question(user: reference)) }
        if json { return Console.out(json: result.relation) }
        var table = Table()
        table.add(reference.text, result.relation.words)
        table.show()
    }
}

struct PeopleFollowCommand: RelationCommand {
    typealias Question = PeopleFollow
    static let configuration = CommandConfiguration(commandName: "follow", abstract: "Follows a user.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Flag(help: "Print the relation as JSON.") var json = false
}

struct PeopleUnfollowCommand: RelationCommand {
    typealias Question = PeopleUnfollow
    static let configuration = CommandConfiguration(commandName: "unfollow", abstract: "Follows a user no longer.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Flag(help: "Print the relation as JSON.") var json = false
}

struct PeopleBlockCommand: RelationCommand {
    typealias Question = PeopleBlock
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Blocks a user.",
        discussion: "Neither follows the other from then on, and you do not exist for them.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Flag(help: "Print the relation as JSON.") var json = false
}

struct PeopleUnblockCommand: RelationCommand {
    typealias Question = PeopleUnblock
    static let configuration = CommandConfiguration(commandName: "unblock", abstract: "Blocks a user no longer.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Flag(help: "Print the relation as JSON.") var json = false
}

struct PeoplePresenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presence",
        abstract: "Shows which of the people you follow are in a room now.",
        discussion: "A line for each: user, live (plays) or listening, the room's identifier, its title.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object: {\"people\": […]}.") var json = false

    func run() async throws {
        let presences = try await global.withClient(.account) { try await $0.call(PeoplePresence()) }
        if json { return Console.out(json: presences) }
        var table = Table()
        for presence in presences.people {
            table.add(
                presence.user.user.label, presence.state.rawValue, presence.room.id.rawValue,
                presence.room.settings.title)
        }
        table.show()
        if presences.people.isEmpty { Console.say("Nobody you follow is in a room, or lets you know.") }
    }
}
