internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `room.meter`: how a room is heard. No disk, but for names; asked here because it takes several loops' knowledge.
extension DurableMethods {
    static let metering: [DurableMethod] = [
        .signedIn(RoomMeter.self) { (methods, request, account, caller) async throws(WireError) in
            DurableOutcome(try await methods.meter(request, account, caller))
        }
    ]

    private func meter(
        _ request: RoomMeter, _ account: Accounts.Account, _ caller: Caller
    ) async throws(WireError) -> RoomMeterPage {
        let after = try Self.cursor(request)
        if account.permissions.contains(.roomsInspect), let reference = request.room {
            return try await page(of: inspected(reference), after: after, limit: request.limit, seesGhosts: true)
        }
        let id = try await place(request.room, account, caller, needsEntry: false)
        let user = User(account)
        let isInspector = account.permissions.contains(.roomsInspect)
        let seesGhosts = try await on(id) { home in
            .of { () throws(WireError) in
                if isInspector || home.room.capabilities(of: user).contains(.moderate) { return true }
                guard home.room.presence.contains(user.uid) else { throw .roomForbidden(.moderate) }
                return false
            }
        }
        return try await page(of: id, after: after, limit: request.limit, seesGhosts: seesGhosts)
    }

    /// For whoever runs the server.
    func meter(_ request: RoomMeter) async throws(WireError) -> RoomMeterPage {
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

    /// Any room that is not closed, whoever may see it.
    private func inspected(_ reference: RoomReference) async throws(WireError) -> RoomID {
        let stored: [RoomStore.StoredRoom]
        do throws(RoomStoreError) {
            switch reference {
            case .id(let id): stored = try await model.rooms.room(id).map { [$0] } ?? []
            case .username(let name): stored = try await model.rooms.room(ofUsername: name)
            }
        } catch { throw WireError(error) }
        guard let first = stored.first else { throw WireError(.roomNotFound) }
        let open = stored.filter { $0.closedMilliseconds == nil }
        guard !open.isEmpty else { throw WireError(.roomClosed) }
        let live = await shard.perform { core in open.first { core.describe($0).isLive }?.id }
        return live ?? (open.first ?? first).id
    }

    // MARK: A page

    /// A member, as the room knows it.
    private struct Known: Sendable {
        var number: MemberID
        var member: LiveRoom.Member
        var isHost: Bool
        var report: ListeningReports.Entry?
        var link: ClientLink?
    }

    private func page(
        of id: RoomID, after: MemberID?, limit: Int, seesGhosts: Bool
    ) async throws(WireError) -> RoomMeterPage {
        let now = MonotonicClock.nowMicroseconds()
        // Put in order here: there may be many, and the loop has others to look after. The copy of the room is let go of
        // at once, or the next who comes or goes would have all members copied on the loop.
        let found = await shard.perform { core in
            core.rooms[id].map { ($0.room, $0.meter?.fresh(now: now) ?? ListeningReports.Fresh()) }
        }.map { room, fresh in
            let numbers = room.members.filter { (seesGhosts || !$1.isGhost) && $0 > after ?? RoomHome.localMember }.keys
            // The server's own host has no connection.
            let connections = room.members.count - (room.members[RoomHome.localMember] == nil ? 0 : 1)
            return (Array(numbers), connections, fresh)
        }
        // A room that sleeps has nobody in it.
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
        let cards = try await cards(of: known.map(\.member.user))
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

    /// What their loops know of members' connections.
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
