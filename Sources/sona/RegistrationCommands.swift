import ArgumentParser
import SonaBase
import SonaWire

/// `sona registration`: invites to make an account, and accounts that wait, by the person at the machine.
struct RegistrationCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registration", abstract: "Invite people to make accounts, and approve accounts.",
        discussion: """
            Works on the data folder, whether a server runs on it or not. Who may make an account is said by the key \
            registration of the configuration.
            """,
        subcommands: [
            RegistrationInviting.self, RegistrationInviteList.self, RegistrationRevoking.self,
            RegistrationWaitingList.self, RegistrationApproving.self, RegistrationRejecting.self,
        ])
}

struct RegistrationInviting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Makes an invite, and prints its code.")

    @OptionGroup var operate: OperatorOptions
    @Option(help: "How many accounts it allows; any number if left out.") var uses: Int64?
    @Option(help: "For how long it is good.") var seconds = Int64(Limits.registrationSecondsDefault)
    @Option(help: "A line for administrators.") var note: String?

    func validate() throws {
        if let uses, !Limits.registrationUses.contains(uses) {
            throw ValidationError("An invite allows 1 to \(Limits.registrationUses.upperBound) accounts.")
        }
        if !Limits.registrationSeconds.contains(seconds) {
            throw ValidationError("An invite is good for 60 to \(Limits.registrationSeconds.upperBound) seconds.")
        }
    }

    func run() async throws {
        let request = RegistrationInviteCreate(maxUses: uses, seconds: seconds, note: note)
        let invite = try await operate.ask(request).invite
        if operate.json { operate.write(invite) } else { ConsoleLine.write(to: 1, invite.code) }
    }
}

struct RegistrationInviteList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invites", abstract: "Shows the invites that were made, the newest first.")

    @OptionGroup var operate: OperatorOptions

    func run() async throws {
        var before: Int64?
        repeat {
            let page = try await operate.ask(RegistrationInvites(before: before, limit: 100))
            for invite in page.invites { operate.show(invite) }
            before = page.nextBefore
        } while before != nil
    }
}

struct RegistrationRevoking: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Ends an invite. Accounts that were made with it stay.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The invite's number.") var number: Int64

    func run() async throws { operate.show(try await operate.ask(RegistrationRevoke(id: number)).invite) }
}

struct RegistrationWaitingList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waiting", abstract: "Shows accounts that wait for approval, the oldest first.")

    @OptionGroup var operate: OperatorOptions

    func run() async throws {
        var cursor: String?
        repeat {
            let page = try await operate.ask(RegistrationWaiting(limit: 100, cursor: cursor))
            for account in page.accounts {
                if operate.json {
                    operate.write(account)
                    continue
                }
                let name = account.user.username.map { "@\($0.rawValue)" } ?? account.user.uid.rawValue
                let since = UTC.text(milliseconds: account.sinceMilliseconds)
                let words = account.introduction.map { "  " + ConsoleLine.printable($0) } ?? ""
                ConsoleLine.write(to: 1, "\(name)  since \(since)\(words)")
            }
            cursor = page.nextCursor
        } while cursor != nil
    }
}

struct RegistrationApproving: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Lets an account that waits sign in.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The account.") var user: UserReference

    func run() async throws { operate.show(try await operate.ask(RegistrationApprove(user: user)).user) }
}

struct RegistrationRejecting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Refuses an account that waits; it is removed a week later.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The account.") var user: UserReference
    @Option(help: "The reason, which the person is told.") var reason: String?

    func run() async throws { _ = try await operate.ask(RegistrationReject(user: user, reason: reason)) }
}

extension OperatorOptions {
    fileprivate func show(_ invite: RegistrationInvite) {
        if json { return write(invite) }
        let end = UTC.text(milliseconds: invite.expiresMilliseconds)
        let state = invite.revokedMilliseconds == nil ? "until \(end)" : "revoked"
        let uses = "\(invite.uses) of \(invite.maxUses.map { String($0) } ?? "any")"
        let note = invite.note.map { "  " + ConsoleLine.printable($0) } ?? ""
        ConsoleLine.write(to: 1, "\(invite.id)  \(invite.code)  \(state)  \(uses)\(note)")
    }
}
