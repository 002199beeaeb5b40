import DeliveryLoad
import Foundation

/// Figures that are counted, not timed, so that they are the same on a busy machine. A count above its limit fails the
/// run.
extension Measure {
    private static let listeners = 500
    /// Under strace a call costs tens of microseconds. A server that falls behind for that does other things than deliver.
    private static let listenersTraced = 100

    /// System calls per delivery, by strace.
    ///
    /// The tracer comes and goes while the host is silent for a moment, so that its counts and the server's are of the same
    /// packets. It slows each call by some ten times: the interactive line goes at 12.5 packets a second, lest the server
    /// take fright and gather.
    func calls(_ name: String, _ entrant: Entrant, _ pace: Pace, sendsMax: Double, _ report: inout Report) throws {
        let generator = try Generator()
        let venue = try Venue(entrant, stage.start(entrant), rooms: 1, generator)
        try play(generator, venue, pace, listeners: Self.listenersTraced)
        generator.pause()
        generator.drain()
        generator.run(seconds: 0.1)
        let (before, othersBefore) = (try venue.delivered(), generator.tally(venue.side).others)
        let tracer = try Tracer(venue.server, stage)
        generator.resume()
        generator.run(seconds: seconds)
        generator.pause()
        generator.drain(seconds: 10)
        generator.run(seconds: 0.1)
        let counts = try tracer.stop()
        let deliveries = Double(try venue.delivered() - before)
        let sends = ["send", "sendto", "sendmsg", "sendmmsg", "write", "writev"].reduce(0) { $0 + (counts[$1] ?? 0) }
        // Events and pings: a server whose host is late begins epochs, and tells everybody.
        let others = generator.tally(venue.side).others - othersBefore
        let all = counts.values.reduce(0, +)
        report.assert(
            name, "\(entrant.name): sends per delivery", Double(sends - Int(others)) / deliveries, max: sendsMax)
        report.assert(
            name, "\(entrant.name): epoll_ctl per delivery", Double(counts["epoll_ctl"] ?? 0) / deliveries, max: 0.02)
        report.add(name, "\(entrant.name): all system calls per delivery", Double(all) / deliveries, "")
        report.check(name, generator, [venue])
    }

    /// Allocations per delivery, by a preloaded library; and sends once more, at full speed.
    func allocations(_ name: String, _ entrant: Entrant, _ report: inout Report) throws {
        guard let library = stage.programs.counts else { throw Skipped(reason: "there is no library made of counts.c") }
        let file = stage.folder.appendingPathComponent(UUID().uuidString)
        let server = try stage.start(entrant, preload: ["LD_PRELOAD=\(library.path)", "DELIVERY_COUNTS=\(file.path)"])
        let generator = try Generator()
        let venue = try Venue(entrant, server, rooms: 1, generator)
        try play(generator, venue)
        // The counts are read inside of the server's own, so that its answer to that question is not among them.
        let (delivered, before) = (try venue.delivered(), try Preload(file))
        generator.run(seconds: seconds)
        let (after, deliveredAfter) = (try Preload(file), try venue.delivered())
        let deliveries = Double(deliveredAfter - delivered)
        report.assert(
            name, "\(entrant.name): allocations per delivery",
            Double(after.allocations - before.allocations) / deliveries, max: 0.05)
        report.add(
            name, "\(entrant.name): sends per delivery at full speed", Double(after.sends - before.sends) / deliveries,
            "")
        generator.stop()
        generator.drain()
        report.check(name, generator, [venue])
    }

    /// Retains and releases that one more listener costs, by probes on the entries of Swift's runtime: what a packet costs
    /// with many listeners less what it costs with few.
    func references(_ name: String, _ entrant: Entrant, _ report: inout Report) throws {
        let generator = try Generator()
        let venue = try Venue(entrant, stage.start(entrant), rooms: 1, generator)
        let probes = try Probes(venue.server, stage)
        defer { probes.remove() }
        try play(generator, venue, listeners: Self.listenersTraced)
        let few = try references(probes, generator, venue, listeners: Self.listenersTraced)
        try generator.openListeners(Self.listeners - Self.listenersTraced, in: venue.rooms)
        generator.run(seconds: 2.5)
        let many = try references(probes, generator, venue, listeners: Self.listeners)
        let more = Double(Self.listeners - Self.listenersTraced)
        report.assert(
            name, "\(entrant.name): retains for one more listener", (many.retains - few.retains) / more, max: 0.05)
        report.assert(
            name, "\(entrant.name): releases for one more listener", (many.releases - few.releases) / more, max: 0.05)
        report.add(name, "\(entrant.name): retains per packet, whoever listens", few.retains, "")
        generator.stop()
        generator.drain()
        report.check(name, generator, [venue])
    }

    /// Retains and releases per packet.
    private func references(
        _ probes: Probes, _ generator: Generator, _ venue: Venue, listeners: Int
    ) throws -> (retains: Double, releases: Double) {
        let before = generator.tally(venue.side).deliveries
        let counter = try probes.count(seconds: seconds)
        while counter.process.isRunning { generator.run(seconds: 0.02) }
        let packets = Double(generator.tally(venue.side).deliveries - before) / Double(listeners)
        let counts = try counter.result()
        return (Double(counts.retains) / packets, Double(counts.releases) / packets)
    }

    private func play(_ generator: Generator, _ venue: Venue, _ pace: Pace = .fifty, listeners: Int = listeners) throws
    {
        try generator.openListeners(listeners, in: venue.rooms)
        try generator.openHosts(venue.rooms)
        try generator.start(rooms: venue.rooms, pace, at: Clock.now + 10_000_000)
        generator.run(seconds: 1.5)
    }
}

/// The totals that counts.c keeps.
private struct Preload {
    var allocations: UInt64
    var sends: UInt64

    init(_ file: URL) throws {
        let bytes = try Data(contentsOf: file)
        guard bytes.count >= 24 else { throw Failure("the preloaded library counts nothing") }
        let totals = bytes.withUnsafeBytes { raw in
            (0..<3).map { raw.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
        }
        (allocations, sends) = (totals[0], totals[1])
    }
}

/// strace, attached.
private struct Tracer {
    private let process = Process()
    private let file: URL

    init(_ server: RunningServer, _ stage: Stage) throws {
        file = stage.folder.appendingPathComponent(UUID().uuidString)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["strace", "-c", "-f", "-o", file.path, "-p", String(server.process.processIdentifier)]
        let said = Pipe()
        process.standardError = said
        try process.run()
        // Its first words are that it is there; without permission it ends.
        let words = String(decoding: said.fileHandleForReading.availableData, as: UTF8.self)
        guard words.contains("attached") else { throw Skipped(reason: "strace: \(words.prefix(200))") }
    }

    /// - Returns: How often each system call was made.
    func stop() throws -> [String: Int] {
        process.interrupt()
        process.waitUntilExit()
        var counts: [String: Int] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let columns = line.split(separator: " ")
            // "% time, seconds, usecs/call, calls[, errors], syscall"
            guard columns.count >= 5, Double(columns[0]) != nil, let calls = Int(columns[3]), columns.last != "total"
            else { continue }
            counts[String(columns.last!)] = calls
        }
        guard !counts.isEmpty else { throw Failure("strace has counted nothing") }
        return counts
    }
}

/// perf, with probes on swift_retain and swift_release: every reference that is counted comes by there.
private struct Probes {
    private static let group = "delivery_benchmark"
    private static let names = ["swift_retain", "swift_retain_n", "swift_release", "swift_release_n"]
    private let server: RunningServer
    private let stage: Stage

    init(_ server: RunningServer, _ stage: Stage) throws {
        self.server = server
        self.stage = stage
        // Linked in, the runtime is in the program itself.
        let library = server.status.library("libswiftCore.so") ?? stage.programs.sona.path
        self.remove()
        do {
            for name in Self.names {
                _ = try stage.output(of: ["perf", "probe", "-q", "-x", library, "\(Self.group):\(name)=\(name)"])
            }
        } catch { throw Skipped(reason: "perf sets no probes here: \(error)") }
    }

    func remove() { _ = try? stage.output(of: ["perf", "probe", "-q", "-d", "\(Self.group):*"]) }

    func count(seconds: Double) throws -> Counter {
        try Counter(server, stage, seconds, Self.names.map { "\(Self.group):\($0)" })
    }

    struct Counter {
        let process = Process()
        private let file: URL

        init(_ server: RunningServer, _ stage: Stage, _ seconds: Double, _ events: [String]) throws {
            file = stage.folder.appendingPathComponent(UUID().uuidString)
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                ["perf", "stat", "-x", ",", "-o", file.path] + events.flatMap { ["-e", $0] }
                + ["-p", String(server.process.processIdentifier), "sleep", String(seconds)]
            process.standardError = FileHandle.nullDevice
            try process.run()
        }

        func result() throws -> (retains: Int, releases: Int) {
            process.waitUntilExit()
            var (retains, releases, lines) = (0, 0, 0)
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard let count = line.split(separator: ",").first.flatMap({ Int($0) }) else { continue }
                lines += 1
                if line.contains("retain") { retains += count } else { releases += count }
            }
            guard lines == Probes.names.count else { throw Skipped(reason: "perf has counted nothing") }
            return (retains, releases)
        }
    }
}
