import DeliveryLoad
import Foundation

/// What is measured on one server at a time.
extension Measure {
    private func venue(
        _ entrant: Entrant, rooms: Int = 1, _ generator: Generator, realTime: Bool = false
    ) throws -> Venue {
        try Venue(entrant, stage.start(entrant, realTime: realTime), rooms: rooms, generator)
    }

    /// From a host's send to a listener's receipt. The best round counts: the others are the neighbours'.
    func delay(_ name: String, _ entrant: Entrant, _ report: inout Report) throws {
        let realTime = RealTime.isAllowed
        let generator = try Generator()
        let venue = try venue(entrant, generator, realTime: realTime)
        try generator.openListeners(1000, in: venue.rooms)
        try generator.openHosts(venue.rooms)
        try generator.start(rooms: venue.rooms, .fifty, at: Clock.now + 10_000_000)
        RealTime.set(realTime)
        defer { RealTime.set(false) }
        generator.run(seconds: 1)
        var best = Delays()
        for round in 0..<rounds {
            generator.resetDelays()
            generator.run(seconds: seconds)
            let delays = generator.tally(venue.side).delays
            if round == 0 || delays.percentile(0.99) < best.percentile(0.99) { best = delays }
        }
        generator.stop()
        generator.drain()
        let how = realTime ? "SCHED_RR" : "plain scheduling"
        for (label, share) in [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)] {
            let goal: Double? = label == "p99" && entrant.name == Entrant.interactive.name ? 8 : nil
            report.add(name, "\(entrant.name), 1000 × 50/s, \(label), \(how)", best.percentile(share), "ms", goal: goal)
        }
        report.check(name, generator, [venue])
    }

    /// Resident memory of joined guests in a room where nothing happens.
    func memory(_ name: String, _ entrant: Entrant, kibibytesMax: Double, _ report: inout Report) throws {
        let count = quick ? 500 : 4000
        let generator = try Generator()
        let venue = try venue(entrant, generator)
        generator.run(seconds: 0.5)
        let before = venue.server.status.residentBytes
        try generator.openListeners(count, in: venue.rooms)
        generator.run(seconds: 1)
        let each = Double(venue.server.status.residentBytes - before) / Double(count) / 1024
        report.add(
            name, "\(entrant.name), resident per idle listener, \(count) of them", each, "KiB", goal: kibibytesMax)
        report.check(name, generator, [venue])
    }

    /// Processor time of a guest's connect, hello and join, among few and among many.
    ///
    /// In one room everybody is told of everybody, within limits; in a hundred there is less to tell. What the two differ by is
    /// the telling.
    func joining(_ name: String, rooms: Int, _ report: inout Report) throws {
        let generator = try Generator()
        let venue = try venue(.interactive, rooms: rooms, generator)
        let place = rooms == 1 ? "one room" : "\(rooms) rooms"
        func join(_ count: Int) throws -> Double {
            let before = venue.server.status.processorNanoseconds
            try generator.openListeners(count, in: venue.rooms)
            generator.run(seconds: 0.3)
            return Double(venue.server.status.processorNanoseconds - before) / 1e3 / Double(count)
        }
        // A tenth of a second each, and the machine is not the same in all of them. In the first of them, memory that
        // nobody had yet is part of what they cost, the kernel's too.
        var waves: [Double] = []
        for _ in 0..<4 {
            try generator.openListeners(50, in: venue.rooms)
            generator.run(seconds: 0.3)
            waves.append(try join(1000))
            generator.closeListeners()
            generator.run(seconds: 1)
        }
        report.add(name, "connect, hello, join: the first 1000 guests of a new server, in \(place)", waves[0], "µs")
        report.add(
            name, "connect, hello, join: from 50 to 1050 guests in \(place), the middle of 3 waves",
            Report.median(Array(waves.dropFirst())), "µs", goal: 60)
        let many = quick ? 2000 : 14_000
        try generator.openListeners(many, in: venue.rooms)
        generator.run(seconds: 1.5)
        report.add(
            name, "connect, hello, join: from \(many) to \(many + 1000) guests in \(place)", try join(1000), "µs",
            goal: 90)
        report.check(name, generator, [venue])
    }

    /// The same beside a bare server that shakes hands and says as much, by turns, and beside that server where it only
    /// shakes hands: what a machine makes of that tells how its figures compare with another's.
    func joiningPaired(_ name: String, _ report: inout Report) throws {
        let generator = try Generator()
        let bare = try Venue(.bare, stage.start(.bare), rooms: 1, greets: true, generator)
        let sona = try Venue(.interactive, stage.start(.interactive), rooms: 1, generator)
        let silent = generator.addRoom(side: bare.side)
        let visits = [
            ("bare: connect, hello, join", bare.server, bare.rooms),
            ("Sona: connect, hello, join", sona.server, sona.rooms),
            ("bare: connect, upgrade", bare.server, silent..<silent + 1),
        ]
        var costs: [[Double]] = []
        let count = quick ? 200 : 1000
        // More rounds want more descriptors.
        for round in 0..<6 {
            var each = [Double](repeating: 0, count: visits.count)
            for index in round.isMultiple(of: 2) ? Array(visits.indices) : visits.indices.reversed() {
                let (_, server, rooms) = visits[index]
                let before = server.status.processorNanoseconds
                try generator.openListeners(count, in: rooms)
                generator.run(seconds: 0.3)
                each[index] = Double(server.status.processorNanoseconds - before) / 1e3 / Double(count)
            }
            // The first goes to buffers and pages that are made once.
            if round > 0 { costs.append(each) }
        }
        for (index, (what, _, _)) in visits.enumerated() {
            let each = costs.map { $0[index] }.sorted()
            let spread = " (from \(Report.text(each[0])) to \(Report.text(each[each.count - 1])))"
            report.add(name, what + spread, Report.median(each), "µs")
        }
        let ratios = costs.map { $0[1] / $0[0] }.sorted()
        report.add(name, "Sona against bare, the middle of \(ratios.count)", Report.median(ratios), "")
        report.check(name, generator, [bare, sona])
    }

    /// Ten thousand join a quiet room as fast as they can, while another plays to a hundred.
    func burst(_ report: inout Report) throws {
        let count = quick ? 1000 : 10_000
        let generator = try Generator()
        let venue = try venue(.interactive, rooms: 2, generator)
        let middle = venue.rooms.lowerBound + 1
        let (playing, quiet) = (venue.rooms.lowerBound..<middle, middle..<venue.rooms.upperBound)
        try generator.openListeners(100, in: playing)
        try generator.openHosts(playing)
        try generator.start(rooms: playing, .fifty, at: Clock.now + 10_000_000)
        generator.run(seconds: 1)
        generator.resetDelays()
        generator.run(seconds: seconds)
        report.delays("burst", "before", generator.tally(venue.side).delays)
        generator.resetDelays()
        let began = Clock.now
        try generator.openListeners(count, in: quiet, window: 256)
        let took = Double(Clock.now - began) / 1e9
        report.delays("burst", "while \(count) join", generator.tally(venue.side).delays)
        report.add("burst", "the generator's own lateness, at most", Double(generator.latenessMax) / 1e6, "ms")
        report.add("burst", "joins", Double(count) / took, "/s")
        generator.stop()
        generator.drain()
        report.check("burst", generator, [venue])
    }
}

/// SCHED_RR for the generator. Servers get theirs by `chrt`.
enum RealTime {
    static var isAllowed: Bool {
        defer { set(false) }
        return set(true)
    }

    @discardableResult
    static func set(_ on: Bool) -> Bool {
        var parameters = sched_param()
        parameters.sched_priority = on ? 10 : 0
        return sched_setscheduler(0, on ? SCHED_RR : SCHED_OTHER, &parameters) == 0
    }
}
