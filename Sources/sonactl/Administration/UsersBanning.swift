internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct UsersBanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ban", abstract: "Bans an account.",
        discussion: """
            Every sign-in of it ends at once, and none is possible until the ban does. What it owns stays. Takes the \
            place of an earlier ban.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @OptionGroup var length: BanLengthOption
    @Option(help: "Why, for admins to read: a line of at most 200 bytes.") var reason: String?
    @Flag(help: "Print the account as JSON.") var json = false

    func run() async throws {
        let request = UsersBan(user: try user.reference(), seconds: try length.seconds(), reason: reason)
        let result = try await global.asOperator { try await $0.call(request) }
        result.user.show(json: json)
    }
}

/// How long a ban lasts.
struct BanLengthOption: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long, such as 90s, 30m, 12h, 7d or 4w. (default: for good)", valueName: "time"))
    var time: String?

    func validate() throws { _ = try seconds() }

    func seconds() throws -> Int64? {
        guard let time else { return nil }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = time.last.flatMap({ units[$0] }), time.dropLast().utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let number = Int64(time.dropLast()), number <= Limits.banSeconds.upperBound,
            Limits.banSeconds.contains(number * unit)
        else { throw ValidationError("--for takes a number with s, m, h, d or w, at most ten years.") }
        return number * unit
    }
}

struct UsersUnbanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unban", abstract: "Ends the ban of an account.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Flag(help: "Print the account as JSON.") var json = false

    func run() async throws {
        let request = UsersUnban(user: try user.reference())
        let result = try await global.asOperator { try await $0.call(request) }
        result.user.show(json: json)
    }
}

struct UsersSetRoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-role", abstract: "Makes an account a curator, an admin, or a user again.",
        discussion: """
            A curator decides what is submitted to the library, and edits tags. Holds at once. Nobody can change their own \
            role.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Argument(help: "The role.") var role: AccountRole
    @Flag(help: "Print the account as JSON.") var json = false

    func run() async throws {
        let request = UsersSetRole(user: try user.reference(), role: role)
        let result = try await global.asOperator { try await $0.call(request) }
        result.user.show(json: json)
    }
}
