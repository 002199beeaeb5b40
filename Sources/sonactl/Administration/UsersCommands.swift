internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct UsersCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Lists accounts, bans them, and appoints admins.",
        discussion: """
            USER is @username, an identifier, or a username without its @; uid:IDENTIFIER is an identifier in any case. \
            sign-out, export and delete are the operator's alone, at the server's machine: --server unix:DATA.
            """,
        subcommands: [
            UsersListCommand.self, UsersSearchCommand.self, UsersShowCommand.self, UsersBanCommand.self,
            UsersUnbanCommand.self, UsersSetRoleCommand.self, UsersSignOutCommand.self, UsersExportCommand.self,
            UsersDeleteCommand.self,
        ])
}

struct UsersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists accounts, the newest first.", discussion: AccountFilter.discussion)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var filter: AccountFilter

    func run() async throws { try await filter.run(global, query: nil) }
}

struct UsersSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Lists accounts whose username begins with a text.",
        discussion: AccountFilter.discussion)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The beginning of a username, or a whole identifier.") var query: String
    @OptionGroup var filter: AccountFilter

    func run() async throws {
        try await filter.run(global, query: query.hasPrefix("@") ? String(query.dropFirst()) : query)
    }
}

/// Which accounts are listed.
struct AccountFilter: ParsableArguments {
    static let discussion = "A line for each: user, identifier, role, when it was made, ban."

    @Option(help: "Only accounts of this role.") var role: AccountRole?
    @Flag(inversion: .prefixedNo, help: "Only accounts that are banned, or only those that are not.")
    var banned: Bool?
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"users\": […]}.") var json = false

    func run(_ global: GlobalOptions, query: String?) async throws {
        let (users, hasMore) = try await global.asOperator { client in
            try await list.collect(pageMax: Int(Limits.userPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(
                    UsersList(query: query, role: role, isBanned: banned, limit: limit, cursor: cursor))
                return (page.users, page.nextCursor)
            }
        }
        if json { return Console.out { $0.member("users", users) } }
        var table = Table()
        for user in users {
            table.add(
                user.user.label, user.user.uid.rawValue, user.role.rawValue,
                Console.date(milliseconds: user.createdMilliseconds), user.ban?.words ?? "")
        }
        table.show()
        if users.isEmpty { Console.say("There are no such accounts.") }
        list.tell(hasMore: hasMore)
    }
}

struct UsersShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows one account.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let reference = try user.reference()
        let user = try await global.asOperator { try await $0.account(reference) }
        user.show(json: json)
    }
}

extension Asking {
    /// The account of a reference, among those whose names begin like it.
    fileprivate func account(_ reference: UserReference) async throws -> AdminUser {
        let query =
            switch reference {
            case .id(let id): id.rawValue
            case .username(let username): username.rawValue
            }
        var cursor: String?
        repeat {
            let page = try await call(
                UsersList(query: query, limit: Int(Limits.userPageCount.upperBound), cursor: cursor))
            let found = page.users.first { candidate in
                switch reference {
                case .id(let id): candidate.user.uid == id
                case .username(let username): candidate.user.username?.key == username.key
                }
            }
            if let found { return found }
            cursor = page.nextCursor
        } while cursor != nil
        throw Failure(66, "There is no account \(Console.printable(reference.text)).")
    }
}

extension AdminUser {
    func show(json: Bool) {
        if json { return Console.out(json: self) }
        var table = Table()
        table.add("user", user.label)
        table.add("identifier", user.uid.rawValue)
        table.add("role", role.rawValue)
        table.add("made", Console.date(milliseconds: createdMilliseconds))
        table.add("banned", ban?.words ?? "no")
        table.show()
    }
}

extension Ban {
    fileprivate var words: String {
        let end = untilMilliseconds.map { "until \(Console.date(milliseconds: $0))" } ?? "for good"
        return reason.map { "\(end): \($0)" } ?? end
    }
}
