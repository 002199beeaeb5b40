internal import ArgumentParser
internal import SonaClient
internal import SonaEventLoop
internal import SonaWire

struct RoomsInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Creates an invite link.",
        discussion: """
            Whoever has the link may come, into a private room too and past the waiting room. It is shown this once: \
            nobody can ask for it again, only take it back with sonactl rooms revoke.

            The role says what those who come may do: listen, suggest, vote, control (play, pause, seek), or cohost, \
            all but changing the room. Chat is part of each.

              sonactl rooms invite @ada --role vote --uses 10 --label Friday
              sonactl listen LINK
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Option(help: "The role it gives: listen, suggest, vote, control or cohost.") var role: InviteRole = .listen
    @Option(
        help: ArgumentHelp("How long it is good for, 60s to 90d, such as 12h. (default: 7d)", valueName: "time"))
    var expires: TimeSpan?
    @Option(help: ArgumentHelp("How many people may come by it. (default: any number)", valueName: "n"))
    var uses: Int?
    @Option(help: ArgumentHelp("A label to know it by later, one line of at most 60 bytes.", valueName: "text"))
    var label: String?
    @Flag(help: "Print the invite, its code and its path as JSON.") var json = false

    func validate() throws {
        if let expires, !Limits.inviteExpirySeconds.contains(expires.seconds) {
            throw ValidationError("--expires takes 60s to 90d.")
        }
        if let uses, !Limits.inviteUses.contains(Int64(uses)) {
            throw ValidationError("--uses takes 1 to \(Limits.inviteUses.upperBound).")
        }
        if let label, !Limits.inviteLabelBytes.contains(label.utf8.count) || Console.printable(label) != label {
            throw ValidationError("A label is one line of 1 to \(Limits.inviteLabelBytes.upperBound) bytes.")
        }
    }

    func run() async throws {
        let link = try room.link()
        let signIn = try global.signIn(link: link)
        let request = InviteCreate(
            room: link.reference, role: role,
            expiresInSeconds: expires.map { Int($0.seconds) } ?? Limits.inviteExpirySecondsDefault,
            useCountMax: uses, label: label)
        let made = try await signIn.open(.account).closing { try await $0.call(request) }
        if json { return Console.out(json: made) }
        Console.out("\(signIn.address)\(Console.printable(made.path))")
        let end = Console.date(milliseconds: made.invite.expiresMilliseconds)
        Console.say("The invite \(made.invite.id) is good until \(end).")
    }
}

struct RoomsInvites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invites", abstract: "Lists the invites of a room, the newest first.",
        discussion: """
            A line for each: identifier, role, how many have come of how many may, when it ends, open, used up, \
            expired or revoked, who made it, label.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Flag(help: "Print one JSON object: {\"invites\": […]}.") var json = false

    func run() async throws {
        let link = try room.link()
        let result = try await global.withClient(.account, link: link) {
            try await $0.call(InviteList(room: link.reference))
        }
        if json { return Console.out(json: result) }
        let now = MonotonicClock.wallMilliseconds()
        var table = Table()
        for invite in result.invites {
            table.add(
                invite.id.rawValue, invite.role.rawValue,
                "\(invite.useCount)/\(invite.useCountMax.map(String.init) ?? "any")",
                Console.date(milliseconds: invite.expiresMilliseconds), invite.state(at: now),
                invite.createdBy.label, invite.label ?? "")
        }
        table.show()
        if result.invites.isEmpty { Console.say("There are no invites.") }
    }
}

struct RoomsRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Takes an invite back.",
        discussion: """
            It is worthless at once, and so is what it gave: whoever could not have entered without it is put out. \
            INVITE is its identifier in sonactl rooms invites.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Argument(help: "The invite's identifier.") var invite: String

    func run() async throws {
        let link = try room.link()
        guard let id = InviteID(invite) else {
            throw Failure(66, "There is no invite \"\(Console.printable(invite))\".")
        }
        _ = try await global.withClient(.account, link: link) {
            try await $0.call(InviteRevoke(room: link.reference, invite: id))
        }
        Console.say("The invite \(id) is worthless now.")
    }
}

extension Invite {
    /// Whether somebody new may come by it, in a word for a person.
    fileprivate func state(at milliseconds: Int64) -> String {
        if isRevoked { return "revoked" }
        if expiresMilliseconds <= milliseconds { return "expired" }
        if let useCountMax, useCount >= useCountMax { return "used up" }
        return "open"
    }
}
