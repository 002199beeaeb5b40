internal import Glibc
internal import SonaBase
internal import SonaWire

/// The stages of a run, in their order.
extension Engine {
    /// The longest that a stage may keep a run from beginning.
    private static let stageTimeout: UInt64 = 60_000_000_000
    /// Time allowed for each further listener, ns.
    private static let joinTimeMax: UInt64 = 40_000_000

    /// Connects the hosts, has them take their seats, and waits for their first packets to be due.
    ///
    /// - Throws: `load.refused` if one does not get in, and as `joinBefore`.
    package func openHosts() throws(LoadError) {
        agenda.add(.sweep, at: LoadClock.now + 500_000_000)
        if !slowSlots.isEmpty { agenda.add(.slowReading, at: LoadClock.now + Self.slowReadingInterval) }
        let end = LoadClock.now + Self.stageTimeout
        var begun = 0
        while !stop.isSet {
            while begun < rooms.count && opening < Self.joinWindow {
                connect(begun, plannedAt: LoadClock.now)
                begun += 1
            }
            if begun == rooms.count && rooms.allSatisfy({ $0.isPlaying }) { break }
            if givenUp > 0 || LoadClock.now > end { throw refusal(.refused, of: "the hosts") }
            work(until: LoadClock.now + 50_000_000)
        }
        let first = rooms.map(\.start).max() ?? 0
        while !stop.isSet && LoadClock.now < first { work(until: min(first, LoadClock.now + 100_000_000)) }
    }

    /// Connects the listeners that must be there when the measurement begins, `joinWindow` at once.
    ///
    /// - Throws: `load.turned_away` if a twentieth of them does not get in, or they come in at less than 25 a second;
    ///   `load.machine` where it is this machine that cannot; `load.unreachable` if nobody says anything, or nobody is
    ///   there any more.
    package func joinBefore(progress: (Int, Int) -> Void = { _, _ in }) throws(LoadError) {
        var begun = 0
        let all = rooms.count..<(rooms.count + plan.joinedBefore)
        var end = LoadClock.now + Self.stageTimeout
        // A server that is busy with present listeners might admit others one at a time, without end.
        let latest = end + UInt64(plan.joinedBefore) * Self.joinTimeMax
        var best = 0
        var lastEntry = LoadClock.now
        while !stop.isSet {
            while begun < plan.joinedBefore && opening < Self.joinWindow {
                connect(rooms.count + begun, plannedAt: LoadClock.now)
                begun += 1
            }
            if present > best {
                best = present
                lastEntry = LoadClock.now
                end = lastEntry + Self.stageTimeout
            }
            progress(present, plan.joinedBefore)
            if begun == plan.joinedBefore {
                let isEachDecided = all.allSatisfy { clients[$0].phase == .open || clients[$0].phase == .closed }
                if isEachDecided && all.allSatisfy({ clients[$0].hasHeard || clients[$0].phase == .closed }) { break }
                // Listeners that are in and hear nothing are for the measurement to show.
                if isEachDecided && LoadClock.now > lastEntry + Self.patience { break }
            }
            if givenUp * 20 > plan.joinedBefore || LoadClock.now > end {
                throw refusal(.turnedAway, of: "the listeners")
            }
            if LoadClock.now > latest { throw slowJoins() }
            work(
                until: LoadClock.now + 100_000_000,
                unless: { begun < plan.joinedBefore && opening < Self.joinWindow / 2 })
        }
    }

    private func slowJoins() -> LoadError {
        LoadError(
            .turnedAway,
            "\(present) of \(plan.joinedBefore) listeners got in, and the rest too slowly: the server, or this machine, is "
                + "busy with those who are there. Take fewer, or let them join while it is measured (--join-rate).",
            serverCode: LoadError.slowJoins)
    }

    /// Why most did not get in, by the error that came most often.
    private func refusal(_ refused: LoadError.Code, of whom: String) -> LoadError {
        guard let (code, number) = errors.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
            return LoadError(
                .unreachable, "\(target.address) has let \(present) of \(whom) in and says nothing more for a minute.")
        }
        let sentence = sentences[code] ?? ""
        let reason: LoadError.Code =
            code.hasPrefix("machine.") ? .machine : code == "connect.refused" ? .unreachable : refused
        return LoadError(reason, "Not all of \(whom) got in (\(number) refusals). \(sentence)", serverCode: code)
    }

    /// Begins to expect and count packets.
    package func begin() {
        let now = LoadClock.now
        began = now
        for reader in LoadPlan.Reader.allCases { tallies[Int(reader.rawValue)] = Tally() }
        counts.pointee.bytesReceived = 0
        counts.pointee.bytesSent = 0
        counts.pointee.packetsSent = 0
        counts.pointee.foreign = 0
        counts.pointee.unsent = 0
        delays.pointee.reset()
        gaps.removeAll()
        // A listener that has been in and is coming back is owed the packets sent meanwhile.
        for slot in rooms.count..<clientCount where clients[slot].phase == .open || clients[slot].isReturning {
            clients[slot].hasGaps = false
            beginSpan(slot)
        }
        chooseProbers(now)
        agenda.add(.plan, at: now)
        agenda.add(.second, at: now + 1_000_000_000)
    }

    /// The measurement: to its planned end, or until `stop`.
    ///
    /// - Parameter onSecond: Called when a second is over.
    package func run(onSecond: @escaping () -> Void) {
        self.onSecond = onSecond
        let end = began + plan.length
        work(until: end, unless: { stop.isSet })
    }

    /// Stops the hosts. Packets and listeners that are under way may still arrive, for `patience` at most.
    package func drain() {
        hostsAreDone = true
        onSecond = nil
        for slot in rooms.count..<clientCount where clients[slot].end == .max && clients[slot].first != .max {
            clients[slot].end = rooms[Int(clients[slot].room)].sent
        }
        let end = LoadClock.now + Self.patience
        while LoadClock.now < end && hasUnderWay { work(until: min(end, LoadClock.now + 20_000_000)) }
        // Each ends by itself, by its answer or by `openingTimeout`.
        while !signUps.isEmpty { work(until: LoadClock.now + 20_000_000) }
    }

    private var hasUnderWay: Bool {
        (rooms.count..<clientCount).contains { slot in
            let client = clients[slot]
            guard client.role == .listener, client.phase != .closed, !client.isSettled else { return false }
            // A client that began to join a moment ago must not look like one that never gets in.
            return client.wasNeverIn || (client.reader == .ordinary && !isComplete(client))
        }
    }

    /// Listeners who were to join and never got in. What they would have heard is in no figure.
    package var missingListeners: Int {
        (rooms.count..<clientCount).count { clients[$0].role == .listener && clients[$0].wasNeverIn }
    }

    package var isAnyHostIn: Bool { (0..<rooms.count).contains { clients[$0].phase == .open } }

    /// Adds up the spans of all clients that have not been added up.
    package func settle() { for slot in rooms.count..<clientCount { settle(slot) } }

    /// Leaves politely. Rooms and accounts stay.
    package func closeAll() {
        for slot in 0..<clientCount { goodbye(slot) }
    }
}
