internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct RegistrationCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registration", abstract: "Invites people to make accounts, and approves accounts.",
        subcommands: [
            RegistrationInviteCommand.self, RegistrationInvitesCommand.self, RegistrationRevokeCommand.self,
            RegistrationWaitingCommand.self, RegistrationApproveCommand.self, RegistrationRejectCommand.self,
        ])
}

struct RegistrationInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Makes an invite, and prints its link.",
        discussion: "Whoever has the link can make an account where registration is by invite, and needs no approval.")

    @OptionGroup var global: GlobalOptions
    @Option(help: "How many accounts it allows. (default: any number)") var uses: Int64?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For how long, such as 30m, 12h, 7d or 4w; at most a year.", valueName: "time"))
    var time = TimeSpan(argument: "7d")!  // The text has the form.
    @Option(help: "A line of at most 200 bytes, for administrators.") var note: String?
    @Flag(help: "Print the invite as JSON.") var json = false

    func validate() throws {
        if let uses, !Limits.registrationUses.contains(uses) {
            throw ValidationError("--uses takes 1 to \(Limits.registrationUses.upperBound).")
        }
        guard Limits.registrationSeconds.contains(time.seconds) else {
            throw ValidationError("--for takes a minute to a year.")
        }
    }

    func run() async throws {
        let request = RegistrationInviteCreate(maxUses: uses, seconds: time.seconds, note: note)
        let result = try await global.asOperator { try await $0.call(request) }
        if json { return Console.out(json: result.invite) }
        Console.out("\(try global.signIn().address)/sign-up?invite=\(result.invite.code)")
    }
}

struct RegistrationInvitesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invites", abstract: "Lists the invites that were made, the newest first.",
        discussion: "A line for each: number, code, state, accounts made with it, note.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"invites\": […]}.") var json = false

    func run() async throws {
        let (invites, hasMore) = try await global.asOperator { client in
            try await list.collect(pageMax: Int(Limits.userPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(
                    RegistrationInvites(before: cursor.flatMap { Int64($0) }, limit: limit))
                return (page.invites, page.nextBefore.map { String($0) })
            }
        }
        if json { return Console.out { $0.member("invites", invites) } }
        for invite in invites { Console.out(invite.line) }
        list.tell(hasMore: hasMore)
    }
}

struct RegistrationRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Ends an invite. Accounts that were made with it stay.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The invite's number.") var number: Int64

    func run() async throws {
        let request = RegistrationRevoke(id: number)
        let result = try await global.asOperator { try await $0.call(request) }
        Console.out(result.invite.line)
    }
}

struct RegistrationWaitingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waiting", abstract: "Lists accounts that wait for approval, the oldest first.",
        discussion: "A line for each: name, since when, whether the address is confirmed, what the person wrote.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"accounts\": […]}.") var json = false

    func run() async throws {
        let (accounts, hasMore) = try await global.asOperator { client in
            try await list.collect(pageMax: Int(Limits.userPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(RegistrationWaiting(limit: limit, cursor: cursor))
                return (page.accounts, page.nextCursor)
            }
        }
        if json { return Console.out { $0.member("accounts", accounts) } }
        for account in accounts {
            let parts = [
                account.user.username?.rawValue ?? account.user.uid.rawValue,
                UTC.text(milliseconds: account.sinceMilliseconds),
                account.isEmailConfirmed ? "address confirmed" : "address not confirmed", account.introduction ?? "",
            ]
            Console.out(Console.printable(parts.filter { !$0.isEmpty }.joined(separator: "  ")))
        }
        list.tell(hasMore: hasMore)
    }
}

struct RegistrationApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Lets an account that waits sign in.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Flag(help: "Print the account as JSON.") var json = false

    func run() async throws {
        let request = RegistrationApprove(user: try user.reference())
        let result = try await global.asOperator { try await $0.call(request) }
        result.user.show(json: json)
    }
}

struct RegistrationRejectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Refuses an account that waits.",
        discussion: "The person is told, by mail and at the next sign-in. The account is removed a week later.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Option(help: "Why, for the person to read: a line of at most 200 bytes.") var reason: String?

    func run() async throws {
        let request = RegistrationReject(user: try user.reference(), reason: reason)
        _ = try await global.asOperator { try await $0.call(request) }
    }
}

extension RegistrationInvite {
    fileprivate var line: String {
        let end = UTC.text(milliseconds: expiresMilliseconds)
        let state = revokedMilliseconds == nil ? "until \(end)" : "revoked"
        let parts = ["\(id)", code, state, "\(uses) of \(maxUses.map { String($0) } ?? "any")", note ?? ""]
        return Console.printable(parts.filter { !$0.isEmpty }.joined(separator: "  "))
    }
}
