import DeliveryLoad
import Foundation

/// Measurements of one server at a time.
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

    /// Ten thousand join a quiet room as fast as they can and leave it at once, while another plays to a hundred.
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
        generator.run(seconds: 12)
        generator.resetDelays()
        generator.closeListeners(count, in: quiet)
        generator.run(seconds: 3)
        report.delays("burst", "while \(count) leave", generator.tally(venue.side).delays)
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
