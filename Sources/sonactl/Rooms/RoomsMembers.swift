internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct RoomsMembers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members", abstract: "Lists the people in a room.",
        discussion: """
            A line for each: user, standing (owner, cohost, moderator, member or listener), display name; then host, \
            muted or away where that is so. People who listen as ghosts are counted, and named to nobody.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Flag(help: "Include members of the room who are away. For moderators.") var absent = false
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"members\": […], \"count\", \"ghosts\"}.") var json = false

    func run() async throws {
        let link = try room.link()
        var first: RoomMemberPage?
        let (members, hasMore) = try await global.withClient(.anybody, link: link) { client in
            try await list.collect(pageMax: Int(Limits.userPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(
                    RoomMembers(room: link.reference, includesAbsent: absent, limit: limit, cursor: cursor))
                first = first ?? page
                return (page.members, page.nextCursor)
            }
        }
        let ghosts = first?.ghostCount ?? 0
        if json {
            return Console.out { writer in
                writer.member("members", members)
                writer.member("count", first?.count ?? members.count)
                writer.member("ghosts", ghosts)
            }
        }
        var table = Table()
        for member in members { member.add(to: &table) }
        table.show()
        if members.isEmpty { Console.say("There is nobody to be seen.") }
        if ghosts > 0 { Console.say("Unseen: \(ghosts).") }
        list.tell(hasMore: hasMore)
    }
}

struct RoomsStanding: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "standing", abstract: "Changes someone's role in a room.",
        discussion: """
            A cohost may do all but change the room, a moderator may mute, kick and ban, a member may always come in; \
            listener takes away what there was. It holds until it is changed. Only the owner makes cohosts.

              sonactl rooms standing @ada bob moderator
            """)

    /// The standings that can be given.
    enum Given: String, CaseIterable, ExpressibleByArgument {
        case cohost
        case moderator
        case member
        case listener

        var standing: Standing {
            switch self {
            case .cohost: .cohost
            case .moderator: .moderator
            case .member: .member
            case .listener: .listener
            }
        }
    }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var user: UserArgument
    @Argument(help: "The standing.") var standing: Given
    @Flag(help: "Print the member as JSON.") var json = false

    func run() async throws {
        let link = try room.link()
        let request = RoomSetStanding(
            room: link.reference, user: try user.reference(), standing: standing.standing)
        let member = try await global.withClient(.account, link: link) { try await $0.call(request).member }
        if json { return Console.out(json: member) }
        var table = Table()
        member.add(to: &table)
        table.show()
    }
}

extension RoomMember {
    fileprivate func add(to table: inout Table) {
        var remarks: [String] = []
        if isHost { remarks.append("host") }
        if let until = mutedUntilMilliseconds {
            remarks.append(
                until >= Limits.integerMax ? "muted" : "muted until \(Console.date(milliseconds: until))")
        }
        if joinedMilliseconds == nil { remarks.append("away") }
        table.add(user.user.label, standing.rawValue, user.displayName ?? "", remarks.joined(separator: ", "))
    }
}
