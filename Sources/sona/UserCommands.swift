import ArgumentParser
import SonaBase
import SonaServer
import SonaWire

/// `sona user`: accounts, by the person at the machine.
struct UserCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Look after accounts: the first administrator, lost passwords, bans.",
        discussion: """
            Works on the data folder, whether a server runs on it or not. USER is @username or a user identifier.
            """,
        subcommands: [
            UserCreate.self, UserList.self, UserSetRole.self, UserSetPassword.self, UserRecoveryLink.self,
            UserConfirmationLink.self, UserBan.self, UserUnban.self,
        ])
}

struct UserCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Creates an account.")

    @OptionGroup var operate: OperatorOptions
    @Option(help: "E-mail address, taken as confirmed.") var email: String
    @Option(help: "Username that others see.") var username: String
    @Option(help: "user, curator or admin.") var role: AccountRole = .user
    @OptionGroup var password: NewPasswordOptions

    func run() async throws {
        guard let name = Username(username) else { throw OperatorFailure(64, ErrorCode.usernameInvalid.meaning) }
        let request = OperatorCreateUser(
            email: email, username: name, password: try password.read(), role: role)
        operate.show(try await operate.ask(request).user)
    }
}

struct UserList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Shows accounts, newest first.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The beginning of a username, or a whole identifier.") var query: String?
    @Option(help: "Only accounts with this role.") var role: AccountRole?
    @Flag(help: "Only banned accounts.") var banned = false

    func run() async throws {
        var cursor: String?
        repeat {
            let page = try await operate.ask(
                UsersList(query: query, role: role, isBanned: banned ? true : nil, limit: 100, cursor: cursor))
            for user in page.users { operate.show(user) }
            cursor = page.nextCursor
        } while cursor != nil
    }
}

struct UserSetRole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "set-role", abstract: "Gives an account a role.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The account.") var user: UserReference
    @Argument(help: "user, curator or admin.") var role: AccountRole

    func run() async throws { operate.show(try await operate.ask(UsersSetRole(user: user, role: role)).user) }
}

struct UserSetPassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-password", abstract: "Sets a password and ends every sign-in.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The account.") var user: UserReference
    @OptionGroup var password: NewPasswordOptions

    func run() async throws {
        _ = try await operate.ask(OperatorSetPassword(user: user, password: try password.read()))
    }
}

struct UserRecoveryLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-link", abstract: "Prints a link or code for a new password, valid for an hour.",
        discussion: "For servers without mail. Hand it to nobody else.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The account.") var user: UserReference

    func run() async throws { operate.show(try await operate.ask(OperatorRecoveryLink(user: user))) }
}

struct UserConfirmationLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirmation-link", abstract: "Prints a link or code that confirms an address, valid for a day.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The account.") var user: UserReference
    @Option(help: "Another address, which replaces the account's own.") var email: String?

    func run() async throws {
        operate.show(try await operate.ask(OperatorConfirmationLink(user: user, email: email)))
    }
}

struct UserBan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ban", abstract: "Bans an account, at once.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The account.") var user: UserReference
    @Option(help: "Duration of the ban; for good if left out.") var seconds: Int64?
    @Option(help: "The reason that they are told.") var reason: String?

    func validate() throws {
        if let seconds, !Limits.banSeconds.contains(seconds) {
            throw ValidationError("A ban lasts 1 to \(Limits.banSeconds.upperBound) seconds.")
        }
    }

    func run() async throws {
        operate.show(try await operate.ask(UsersBan(user: user, seconds: seconds, reason: reason)).user)
    }
}

struct UserUnban: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unban", abstract: "Lifts a ban.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The account.") var user: UserReference

    func run() async throws { operate.show(try await operate.ask(UsersUnban(user: user)).user) }
}

/// `sona journal`.
struct JournalCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal", abstract: "Check that no line of the journal was altered or removed.",
        discussion: "Exit code 1 if one was. To read the lines: sonactl journal, as an administrator.")

    @OptionGroup var operate: OperatorOptions

    func run() async throws {
        let found = try await operate.ask(JournalVerify())
        if operate.json {
            operate.write(found)
        } else if found.isIntact {
            ConsoleLine.write(to: 1, "intact: \(found.entryCount) lines")
        } else {
            let place = found.firstFault.map { " at line \($0)" } ?? ""
            ConsoleLine.write(to: 1, "not intact: \(found.reason ?? "unknown")\(place)")
        }
        if !found.isIntact { throw ExitCode(1) }
    }
}
