import SonaBase

@testable import SonaLoad

/// Runs as they could have been, the same for the same seed.
enum SampleRuns {
    static func run(seed: UInt64 = 1, seconds: Int = 20, title: String? = nil, hasServer: Bool = true, rate: Int = 2000)
        -> RunRecord
    {
        var random = SeededGenerator(seed: seed)
        var scenario = ScenarioRecord(
            server: "http://127.0.0.1:8337", rooms: 2, hosts: 2, listeners: 40, seconds: Double(seconds),
            frameMilliseconds: 20)
        (scenario.title, scenario.bitrate, scenario.delivery) = (title, 128, "party")
        scenario.plan = .object(["rooms": .integer(2), "delays": .array([.number(0.5), .bool(true), .string("x")])])
        var machine = RunEnvironment.Machine()
        (machine.processor, machine.cores, machine.memoryBytes) = ("Some Processor", 2, 8 << 30)
        var run = RunRecord(
            startedAt: "2026-11-22T08:00:00Z", seed: seed,
            environment: RunEnvironment(
                versions: .init(harness: "0.1.0", server: "sona 0.1.0"), machine: machine, limits: ["nofile": "1048576"]
            ),
            scenario: scenario)
        run.seconds = Double(seconds)
        var joins = Histogram()
        for second in 1...max(1, seconds) {
            var delays = Histogram()
            for _ in 0..<rate { delays.record(microseconds: 400 + random.next() % 3000) }
            var interval = IntervalRecord(at: Double(second), seconds: 1, delays: delays)
            (interval.received, interval.listeners, interval.bytesReceived) = (rate, 40, rate * 340)
            interval.lost = second == 7 ? 3 : 0
            interval.phase = second < 5 ? "ramp" : "steady"
            interval.harnessCPU = 0.05
            if hasServer { (interval.serverCPU, interval.serverResidentBytes) = (0.2, 20_000_000 + second * 1000) }
            run.intervals.append(interval)
            run.delays.merge(delays)
            run.totals.received += interval.received
            run.totals.lost += interval.lost
        }
        for _ in 0..<40 { joins.record(microseconds: 1000 + random.next() % 900) }
        run.joins = joins
        run.totals.expected = run.totals.received + run.totals.lost
        run.totals.errors = ["room.full": 2]
        run.totals.bytesReceived = run.totals.received * 340
        (run.totals.listenersMax, run.totals.joins, run.totals.listenersMissing) = (40, 40, 0)
        run.totals.delay = Distribution(run.delays, in: .milliseconds)
        run.totals.join = Distribution(joins, in: .milliseconds)
        if hasServer {
            var server = ServerRecord(cpuSeconds: 4, residentBytes: 20_020_000)
            (server.cpu, server.microsecondsPerDelivery) = (0.2, 100)
            run.server = server
        }
        run.harness = HarnessRecord(
            cpuSeconds: 1, warnings: [.init(code: "harness.busy", message: "The harness was busy.")])
        run.harness.cpu = 0.05
        run.details = ["chat_messages": .integer(12)]
        return run
    }
}
