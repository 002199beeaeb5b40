import DeliveryLoad

/// The cost of a join for a server.
extension Measure {
    /// Processor time of a guest's connect, hello and join, among few and among many; and what it costs on top that those
    /// who are there are told, which comes a second later or more.
    func joining(_ name: String, rooms: Int, _ report: inout Report) throws {
        let generator = try Generator()
        let venue = try Venue(.interactive, stage.start(.interactive), rooms: rooms, generator)
        let place = rooms == 1 ? "one room" : "\(rooms) rooms"
        // A tenth of a second each, and the machine is not the same in all of them. In the first of them, memory that
        // nobody had yet is part of what they cost, the kernel's too.
        var waves: [Double] = []
        for _ in 0..<4 {
            try generator.openListeners(50, in: venue.rooms)
            generator.run(seconds: 0.3)
            waves.append(try venue.join(1000, venue.rooms, generator))
            generator.closeListeners()
            generator.run(seconds: 1)
        }
        report.add(name, "connect, hello, join: the first 1000 guests of a new server, in \(place)", waves[0], "µs")
        report.add(
            name, "connect, hello, join: from 50 to 1050 guests in \(place), the middle of 3 waves",
            Report.median(Array(waves.dropFirst())), "µs", goal: 60)
        let many = quick ? 2000 : 14_000
        try generator.openListeners(many, in: venue.rooms)
        tellAll(generator)
        report.add(
            name, "connect, hello, join: from \(many) to \(many + 1000) guests in \(place)",
            try venue.join(1000, venue.rooms, generator), "µs", goal: 90)
        let before = venue.server.status.processorNanoseconds
        tellAll(generator)
        report.add(
            name, "\(many) are told of 1000 more in \(place), for each of the 1000",
            Double(venue.server.status.processorNanoseconds - before) / 1e3 / 1000, "µs")
        tellAll(generator)
        report.add(
            name, "leave without a word: from \(many + 1000) to \(many) guests in \(place)",
            venue.leave(1000, venue.rooms, generator), "µs")
        report.check(name, generator, [venue])
    }

    /// Waits until members have been told about joiners: in rooms of 500 and more that happens every ten seconds.
    private func tellAll(_ generator: Generator) { generator.run(seconds: 11) }

    /// Sona's guests beside those of a bare server that shakes hands and says as much, by turns, and beside that server
    /// where it only shakes hands: what a machine makes of that tells how its figures compare with another's.
    func joiningPaired(_ name: String, _ report: inout Report) throws {
        let generator = try Generator()
        let bare = try Venue(.bare, stage.start(.bare), rooms: 1, greets: true, generator)
        let sona = try Venue(.interactive, stage.start(.interactive), rooms: Self.joiningRounds, generator)
        let silent = generator.addRoom(side: bare.side)
        let visits = [
            Visit(what: "bare: connect, hello, join", venue: bare, rooms: bare.rooms),
            Visit(what: "Sona: connect, hello, join", venue: sona, rooms: sona.rooms),
            Visit(what: "bare: connect, upgrade", venue: bare, rooms: silent..<silent + 1),
        ]
        try joining(name, by: visits, "Sona against bare", generator, &report)
    }

    /// The same beside SwiftNIO, which only shakes hands.
    func joiningBesideNIO(_ name: String, _ report: inout Report) throws {
        let generator = try Generator()
        let nio = try Venue(.nioIdiomatic, stage.start(.nioIdiomatic), rooms: 1, generator)
        let sona = try Venue(.interactive, stage.start(.interactive), rooms: Self.joiningRounds, generator)
        let visits = [
            Visit(what: "NIO: connect, upgrade", venue: nio, rooms: nio.rooms),
            Visit(what: "Sona: connect, hello, join", venue: sona, rooms: sona.rooms),
        ]
        try joining(name, by: visits, "Sona against NIO, which has no hello and no join", generator, &report)
    }

    /// More want more descriptors.
    private static let joiningRounds = 6

    private struct Visit {
        var what: String
        var venue: Venue
        /// The only one, or one for each round.
        var rooms: Range<Int>

        func room(_ round: Int) -> Range<Int> {
            let number = rooms.lowerBound + (rooms.count == 1 ? 0 : round)
            return number..<number + 1
        }
    }

    /// Guests of the one and the other, in rounds; what the second costs is set against the first.
    private func joining(
        _ name: String, by visits: [Visit], _ comparison: String, _ generator: Generator, _ report: inout Report
    ) throws {
        var costs: [[Double]] = []
        for round in 0..<Self.joiningRounds {
            var each = [Double](repeating: 0, count: visits.count)
            for index in round.isMultiple(of: 2) ? Array(visits.indices) : visits.indices.reversed() {
                each[index] = try visits[index].venue.join(
                    quick ? 200 : 1000, visits[index].room(round), generator)
                // Events after a second do not belong to any of the visits.
                generator.run(seconds: 1.2)
            }
            // The first goes to buffers and pages that are made once.
            if round > 0 { costs.append(each) }
        }
        for (index, visit) in visits.enumerated() {
            let each = costs.map { $0[index] }.sorted()
            let spread = " (from \(Report.text(each[0])) to \(Report.text(each[each.count - 1])))"
            report.add(name, visit.what + spread, Report.median(each), "µs")
        }
        let ratios = costs.map { $0[1] / $0[0] }.sorted()
        report.add(name, "\(comparison), the middle of \(ratios.count)", Report.median(ratios), "")
        report.check(name, generator, [visits[0].venue, visits[1].venue])
    }
}

extension Venue {
    /// Processor time for each of so many who come, µs.
    fileprivate func join(_ count: Int, _ rooms: Range<Int>, _ generator: Generator) throws -> Double {
        let before = server.status.processorNanoseconds
        try generator.openListeners(count, in: rooms)
        generator.run(seconds: 0.3)
        return Double(server.status.processorNanoseconds - before) / 1e3 / Double(count)
    }

    /// The same for each of so many who leave, before others are told.
    fileprivate func leave(_ count: Int, _ rooms: Range<Int>, _ generator: Generator) -> Double {
        let before = server.status.processorNanoseconds
        generator.closeListeners(count, in: rooms)
        generator.run(seconds: 0.3)
        return Double(server.status.processorNanoseconds - before) / 1e3 / Double(count)
    }
}
