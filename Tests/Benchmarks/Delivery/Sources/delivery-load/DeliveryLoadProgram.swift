import ArgumentParser
import DeliveryLoad

/// The generator by hand: rooms and listeners of one running server, and what came of them.
@main
struct DeliveryLoadProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delivery-load",
        abstract: "Host and listen on a server that already runs on this machine, and count.",
        discussion: """
            With --sona accounts and rooms are made on it, so take one that is thrown away afterwards.
            Without, it is a server of this benchmark: /pub publishes, everybody else listens.
            """)

    @Option var port: UInt16
    @Flag(help: "It speaks sona.v1.") var sona = false
    @Flag(help: "It speaks TLS.") var tls = false
    @Option(help: "All rooms together.") var listeners = 100
    @Option var rooms = 1
    @Option(help: "interactive or party.") var delivery = "interactive"
    @Flag(help: "12.5 packets of 80 ms a second, instead of 50 of 20 ms.") var slow = false
    @Option var seconds = 5.0
    @Option(help: "Of the server, for its processor time and memory.") var pid: Int32?

    func run() throws {
        Descriptors.raise()
        let generator = try Generator()
        let secure = tls ? try Secure() : nil
        let side = generator.addServer(port: port, sona: sona, secure: secure)
        let all: Range<Int>
        if sona {
            let http = HTTP(port: port, secure: secure)
            let made = try SonaRooms(http, prefix: "load\(Clock.now % 1_000_000_000)x").make(rooms, delivery: delivery)
            for room in made { _ = generator.addRoom(side: side, id: room.id, token: room.token) }
            all = 0..<made.count
        } else {
            _ = generator.addRoom(side: side)
            all = 0..<1
        }
        let server = pid.map { ServerProcess(pid: $0) }
        let resident = server?.residentBytes ?? 0
        try generator.openListeners(listeners, in: all)
        try generator.openHosts(all)
        try generator.start(rooms: all, slow ? .twelve : .fifty, at: Clock.now + 10_000_000)
        generator.run(seconds: 1)
        generator.resetDelays()
        let (before, cpu) = (generator.tally(side), server?.processorNanoseconds ?? 0)
        generator.run(seconds: seconds)
        let (after, used) = (generator.tally(side), (server?.processorNanoseconds ?? 0) - cpu)
        generator.stop()
        generator.drain()
        let deliveries = after.deliveries - before.deliveries
        print("deliveries \(deliveries), missing \(generator.missing(side: side)), disordered \(after.disordered)")
        print(
            "delay ms: p50 \(after.delays.percentile(0.5)), p99 \(after.delays.percentile(0.99)),",
            "p99.9 \(after.delays.percentile(0.999)), max \(after.delays.maxMilliseconds);",
            "hosts late by at most \(Double(generator.latenessMax) / 1e6)")
        if let server {
            print(
                "us per delivery \(Double(used) / 1e3 / Double(max(1, deliveries))),",
                "resident KiB \(resident / 1024) -> \(server.residentBytes / 1024)")
        }
        for complaint in generator.complaints { print("complaint: \(complaint)") }
    }
}
