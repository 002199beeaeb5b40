internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct AddressCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "addresses", abstract: "Bans network addresses, and lifts these bans.",
        discussion: "RANGE is an address, or a range of them like 203.0.113.0/24 or 2001:db8::/48.",
        subcommands: [AddressListCommand.self, AddressBanCommand.self, AddressUnbanCommand.self])
}

struct AddressListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the bans in force, the newest first.",
        discussion: "A line for each: range, end, reason.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object: {\"bans\": […]}.") var json = false

    func run() async throws {
        let found = try await global.asOperator { try await $0.call(AddressesList()) }
        found.show(json: json)
    }
}

struct AddressBanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ban", abstract: "Answers nobody from some network addresses any more.",
        discussion: """
            Names either a range, or with --user a user or guest who is connected: then the addresses of their connections \
            are banned. Connections from there end at once.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "An address or a range of them.") var range: String?
    @Option(help: ArgumentHelp("The user or guest whose addresses are meant.", valueName: "identifier"))
    var user: String?
    @OptionGroup var length: BanLengthOption
    @Option(help: "Why, for admins to read: a line of at most 200 bytes.") var reason: String?
    @Flag(help: "Print one JSON object: {\"bans\": […]}.") var json = false

    func validate() throws {
        guard (range == nil) != (user == nil) else { throw ValidationError("Name either a range or --user.") }
        if let user, UserID(user) == nil { throw ValidationError("\"\(user)\" is not a user identifier.") }
    }

    func run() async throws {
        let request = AddressesBan(
            range: range, user: user.flatMap { UserID($0) }, seconds: try length.seconds(), reason: reason)
        let result = try await global.asOperator { try await $0.call(request) }
        result.show(json: json)
    }
}

struct AddressUnbanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unban", abstract: "Answers a range of network addresses again.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The range, as in the ban.") var range: String

    func run() async throws {
        _ = try await global.asOperator { try await $0.call(AddressesUnban(range: range)) }
    }
}

extension AddressBanResult {
    fileprivate func show(json: Bool) {
        if json { return Console.out(json: self) }
        for ban in bans {
            let end = ban.untilMilliseconds.map { "until \(UTC.text(milliseconds: $0))" } ?? "for good"
            Console.out([ban.range, end, ban.reason ?? ""].filter { !$0.isEmpty }.joined(separator: "  "))
        }
    }
}
