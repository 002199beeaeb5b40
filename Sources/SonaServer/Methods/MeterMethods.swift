internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `room.meter`: how a room is heard. Off the loop, because it asks several loops; the disk is read for names only.
struct MeterMethods: MethodArea {
    let access: RoomAccess

    private var shard: Shard { access.shard }

    static func area(of methods: Methods) -> MeterMethods { methods.meter }

    static var methods: [Method] { [signedIn(meter)] }

    func meter(_ request: RoomMeter, _ asker: Asker) async throws -> RoomMeterPage {
        let after = try Self.cursor(request)
        let (user, isInspector) = (asker.user, asker.account.permissions.contains(.roomsInspect))
        if isInspector, let reference = request.room {
            return try await page(of: inspected(reference), after: after, limit: request.limit, seesGhosts: true)
        }
        let room = try await access.reach(request.room, asker, needsEntry: false)
        let seesGhosts = try await room.onLoop { home in
            if isInspector || home.room.capabilities(of: user).contains(.moderate) { return true }
            guard home.room.presence.contains(user.uid) else { throw WireError.roomForbidden(.moderate) }
            return false
        }
        return try await page(of: room.id, after: after, limit: request.limit, seesGhosts: seesGhosts)
    }

    /// The meter of any room, for the operator.
    func meter(_ request: RoomMeter) async throws -> RoomMeterPage {
        guard let reference = request.room else { throw WireError(.roomNotJoined) }
        return try await page(
            of: inspected(reference), after: try Self.cursor(request), limit: request.limit, seesGhosts: true)
    }

    /// - Returns: The number of the connection that a page comes after.
    private static func cursor(_ request: RoomMeter) throws(WireError) -> MemberID? {
        guard let text = request.cursor else { return nil }
        guard let number = MemberID(text) else { throw .cursorUnknown(RoomMeter.type) }
        return number
    }

    /// Any room that is not closed, whether or not the asker may see it.
    private func inspected(_ reference: RoomReference) async throws -> RoomID {
        let stored = try await access.stored(reference)
        guard let first = stored.first else { throw WireError(.roomNotFound) }
        let open = stored.filter { $0.closedMilliseconds == nil }
        guard !open.isEmpty else { throw WireError(.roomClosed) }
        let live = await shard.perform { core in open.first { core.describe($0).isLive }?.id }
        return live ?? (open.first ?? first).id
    }

    // MARK: A page

    /// A member, as known to the room.
    private struct Known: Sendable {
        var number: MemberID
        var member: LiveRoom.Member
        var isHost: Bool
        var report: ListeningReports.Entry?
        var link: ClientLink?
    }

    private func page(
        of id: RoomID, after: MemberID?, limit: Int, seesGhosts: Bool
    ) async throws -> RoomMeterPage {
        let now = MonotonicClock.nowMicroseconds()
        // Sorted here, because there may be many members and the loop has other work. The copy of the room is dropped
        // at once: otherwise the next change of its members would copy them all on the loop.
        let found = await shard.perform { core in
            core.rooms[id].map { ($0.room, $0.meter?.fresh(now: now) ?? ListeningReports.Fresh()) }
        }.map { room, fresh in
            let numbers = room.members.filter { (seesGhosts || !$1.isGhost) && $0 > after ?? RoomHome.localMember }.keys
            // The server's own host has no connection.
            let connections = room.members.count - (room.members[RoomHome.localMember] == nil ? 0 : 1)
            return (Array(numbers), connections, fresh)
        }
        // A room that is asleep has no members.
        guard let (listed, connections, fresh) = found else {
            return RoomMeterPage(
                listeners: [], summary: MeterSummary(connections: 0, reporting: 0, syncError: nil), nextCursor: nil)
        }
        let numbers = listed.sorted()
        let wanted = Array(numbers.prefix(limit))
        let known = await shard.perform { core in
            wanted.compactMap { number -> Known? in
                guard let home = core.rooms[id], let member = home.room.members[number] else { return nil }
                return Known(
                    number: number, member: member, isHost: home.room.seat.member == number,
                    report: home.meter?.reports[number], link: core.sessions[number]?.link)
            }
        }
        let served = await served(known, in: id)
        let cards = try await access.cards(of: known.map(\.member.user))
        let listeners = zip(known, cards).map { known, card in
            MeteredListener(
                user: card, isHost: known.isHost, isGhost: known.member.isGhost, takesAudio: known.member.wantsAudio,
                report: known.report?.measured, ageMilliseconds: known.report?.age(at: now),
                served: served[known.number])
        }
        var count = 0
        var bytes = 0
        for listener in listeners {
            bytes += listener.encoded().count + 1
            if bytes > Self.listenersBytesMax, count > 0 { break }
            count += 1
        }
        let isCut = count < listeners.count
        let last = isCut ? known[count - 1].number : numbers.count > limit ? wanted.last : nil
        return RoomMeterPage(
            listeners: Array(listeners.prefix(count)),
            summary: MeterSummary(
                connections: connections, reporting: fresh.count, syncError: SyncErrors(of: fresh.syncErrors)),
            nextCursor: last.map { String($0) })
    }

    /// The envelope, the summary and the cursor take less than the difference.
    private static let listenersBytesMax = Limits.meterBytesMax - 1_024

    /// Members' connections, as known to the hubs they are on.
    private func served(_ members: [Known], in room: RoomID) async -> [MemberID: ServedListener] {
        var served: [MemberID: ServedListener] = [:]
        let links = members.compactMap { member in member.link.map { (member.number, $0) } }
        for (_, links) in Dictionary(grouping: links, by: { $0.1.mailbox.index }) {
            let answers = await links[0].1.mailbox.ask { _ in links.map { ($0.0, $0.1.served(in: room)) } }
            for (number, answer) in answers { served[number] = answer }
        }
        return served
    }
}
