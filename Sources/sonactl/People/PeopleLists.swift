internal import ArgumentParser
internal import SonaClient
internal import SonaWire

/// A command that lists users.
protocol PeopleListCommand: AsyncParsableCommand {
    var global: GlobalOptions { get }
    var list: ListOptions { get }
    var json: Bool { get }

    func page(_ client: Client, _ limit: Int, _ cursor: String?) async throws -> UserPage
}

extension PeopleListCommand {
    mutating func run() async throws {
        let command = self
        let (cards, hasMore) = try await global.withClient(.account) { client in
            try await command.list.collect(pageMax: Int(Limits.userPageCount.upperBound)) { limit, cursor in
                let page = try await command.page(client, limit, cursor)
                return (page.users, page.nextCursor)
            }
        }
        if json { return Console.out { $0.member("users", cards) } }
        var table = Table()
        for card in cards { table.add(card.user.label, card.displayName ?? "") }
        table.show()
        if cards.isEmpty { Console.say("There is nobody.") }
        list.tell(hasMore: hasMore)
    }
}

struct PeopleSearchCommand: PeopleListCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds users by the beginnings of words in their names.",
        discussion: "Profiles that are not public are found by the whole username alone.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The text to look for.") var query: String
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"users\": […]}.") var json = false

    func page(_ client: Client, _ limit: Int, _ cursor: String?) async throws -> UserPage {
        try await client.call(UserSearch(query: query, limit: limit, cursor: cursor))
    }
}

struct PeopleFollowersCommand: PeopleListCommand {
    static let configuration = CommandConfiguration(
        commandName: "followers", abstract: "Lists who follows you, or somebody else; the newest first.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The user: @ada, ada, or an identifier. (default: you)") var user: String?
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"users\": […]}.") var json = false

    func page(_ client: Client, _ limit: Int, _ cursor: String?) async throws -> UserPage {
        let reference = try user.map { try UserArgument.reference($0) }
        return try await client.call(PeopleFollowers(user: reference, limit: limit, cursor: cursor))
    }
}

struct PeopleFollowingCommand: PeopleListCommand {
    static let configuration = CommandConfiguration(
        commandName: "following", abstract: "Lists whom you follow, or somebody else does; the newest first.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The user: @ada, ada, or an identifier. (default: you)") var user: String?
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"users\": […]}.") var json = false

    func page(_ client: Client, _ limit: Int, _ cursor: String?) async throws -> UserPage {
        let reference = try user.map { try UserArgument.reference($0) }
        return try await client.call(PeopleFollowing(user: reference, limit: limit, cursor: cursor))
    }
}

struct PeopleFriendsCommand: PeopleListCommand {
    static let configuration = CommandConfiguration(
        commandName: "friends", abstract: "Lists your friends: whom you follow, and who follows you.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"users\": […]}.") var json = false

    func page(_ client: Client, _ limit: Int, _ cursor: String?) async throws -> UserPage {
        try await client.call(PeopleFriends(limit: limit, cursor: cursor))
    }
}

struct PeopleBlockedCommand: PeopleListCommand {
    static let configuration = CommandConfiguration(
        commandName: "blocked", abstract: "Lists whom you have blocked.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"users\": […]}.") var json = false

    func page(_ client: Client, _ limit: Int, _ cursor: String?) async throws -> UserPage {
        try await client.call(PeopleBlocked(limit: limit, cursor: cursor))
    }
}
