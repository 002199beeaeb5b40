import DeliveryLoad

/// Two servers on one core, at the same time.
struct Contest {
    var a: Entrant
    var b: Entrant
    /// Of each.
    var listeners: Int
    var pace: Pace
    var roomsOfA = 1
    var roomsOfB = 1
    /// The allowed cost of B as a share of A. It is reported, but does not fail the run, because times are noisy.
    var goal: Double?
}

extension Measure {
    /// Processor time per delivery of B over that of A, by rounds.
    func pair(_ name: String, _ contest: Contest, _ report: inout Report) throws {
        let generator = try Generator()
        let a = try Venue(contest.a, stage.start(contest.a, realTime: realTime), rooms: contest.roomsOfA, generator)
        let b = try Venue(contest.b, stage.start(contest.b, realTime: realTime), rooms: contest.roomsOfB, generator)
        for venue in [a, b] {
            try generator.openListeners(contest.listeners, in: venue.rooms)
            try generator.openHosts(venue.rooms)
        }
        let begin = Clock.now + 10_000_000
        try generator.start(rooms: a.rooms, contest.pace, at: begin)
        try generator.start(
            rooms: b.rooms, contest.pace, at: begin + (together ? 0 : contest.pace.periodNanoseconds / 2))
        RealTime.set(realTime)
        defer { RealTime.set(false) }
        generator.run(seconds: 1.5)
        let writes = b.writes()
        var rounds: [PairedResult.Round] = []
        for _ in 0..<self.rounds {
            generator.turnAround()
            generator.resetDelays()
            let before = [a, b].map { Reading($0, generator) }
            generator.run(seconds: seconds)
            let costs = zip([a, b], before).map { Reading($0.0, generator).microseconds(since: $0.1) }
            let delays = [a, b].map { generator.tally($0.side).delays.percentile(0.99) }
            rounds.append(PairedResult.Round(microseconds: costs, p99Milliseconds: delays))
        }
        let gathered: Double? =
            if let writes, let after = b.writes() {
                Double(after.packets - writes.packets) / Double(max(1, after.writes - writes.writes))
            } else { nil }
        generator.stop()
        generator.drain()
        let result = PairedResult(
            name: name, a: contest.a.name, b: contest.b.name, listeners: contest.listeners,
            packetsPerSecond: contest.pace.perSecond, goal: contest.goal, packetsPerWriteOfB: gathered,
            heldMillisecondsOfB: contest.b.delivery == "party" ? 60 : nil, rounds: rounds)
        report.paired.append(result)
        report.check(name, generator, [a, b], overloaded: result.isOverloaded)
    }
}

/// A server's processor time, and what its listeners have got, at one moment.
struct Reading {
    var nanoseconds: UInt64
    var deliveries: UInt64

    init(_ venue: Venue, _ generator: Generator) {
        nanoseconds = venue.server.status.processorNanoseconds
        deliveries = generator.tally(venue.side).deliveries
    }

    /// Per delivery.
    func microseconds(since before: Reading) -> Double {
        Double(nanoseconds - before.nanoseconds) / 1e3 / Double(max(1, deliveries - before.deliveries))
    }
}
