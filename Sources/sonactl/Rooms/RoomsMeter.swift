internal import ArgumentParser
internal import SonaClient
internal import SonaEventLoop
internal import SonaWire

struct RoomsMeter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meter", abstract: "Shows how a room is heard, by each listener.",
        discussion: """
            For those who are in the room, its moderators, and admins. A line for each connection: what its \
            client has measured lately (how far off it sounds, what it has in hand, underruns, resyncs, lost packets, \
            what its clock may be off by, and how old all that is), and behind it what the server sees itself: packets \
            it left out, and TCP's round trip. What nobody has measured is "-".
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var list: ListOptions
    @Flag(help: "Again every two seconds, until interrupted.") var watch = false
    @Option(help: ArgumentHelp("With --watch: end after so many seconds.", valueName: "s")) var seconds: Double?
    @Flag(help: "Print one JSON object: {\"listeners\": […], \"summary\"}; with --watch one on each line.")
    var json = false

    private static let pauseMicroseconds: Int64 = 2_000_000

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds <= 86_400_000) {
            throw ValidationError("--seconds must be more than 0.")
        }
    }

    func run() async throws {
        let link = try room.link()
        if let socket = try global.operatorSocket() { return try await follow(socket, link.reference) }
        try await global.withClient(.anybody, link: link) { client in
            try await show(client, link.reference)
            guard watch else { return }
            Interruption.handle { client.interrupt() }
            let start = MonotonicClock.nowMicroseconds()
            let end = seconds.map { start + Int64($0 * 1_000_000) } ?? .max
            var next = start + Self.pauseMicroseconds
            client.wake(atLocal: min(next, end))
            for await incoming in client.incoming {
                switch incoming {
                case .wake:
                    let now = MonotonicClock.nowMicroseconds()
                    if now >= end { return }
                    if now >= next {
                        if !json { Console.out("") }
                        try await show(client, link.reference)
                        next = now + Self.pauseMicroseconds
                    }
                    client.wake(atLocal: min(next, end))
                case .interrupted: throw Interruption.failure
                case .closed(let error): throw error
                case .event, .audio, .position, .complaint: break
                }
            }
        }
    }

    /// The same by the operator's socket, which tells of nothing by itself.
    private func follow(_ socket: OperatorSocket, _ reference: RoomReference) async throws {
        try await show(socket, reference)
        let end = seconds.map { MonotonicClock.nowMicroseconds() + Int64($0 * 1_000_000) } ?? .max
        while watch {
            let left = end - MonotonicClock.nowMicroseconds()
            try await Task.sleep(for: .microseconds(max(0, min(left, Self.pauseMicroseconds))))
            if left <= Self.pauseMicroseconds { return }
            if !json { Console.out("") }
            try await show(socket, reference)
        }
    }

    private func show(_ client: any Asking, _ reference: RoomReference) async throws {
        var summary: MeterSummary?
        let (listeners, hasMore) = try await list.collect(pageMax: Int(Limits.userPageCount.upperBound)) {
            limit, cursor in
            let page = try await client.call(RoomMeter(room: reference, limit: limit, cursor: cursor))
            summary = summary ?? page.summary
            return (page.listeners, page.nextCursor)
        }
        if json {
            return Console.out { writer in
                writer.member("listeners", listeners)
                writer.member("summary", orNull: summary)
            }
        }
        var table = Table()
        table.add(
            "LISTENER", "", "SYNC p50/p95/max", "BUFFER", "UNDERRUNS", "RESYNCS", "LOST", "CLOCK", "AGE",
            "SKIPPED", "TCP RTT")
        for listener in listeners { listener.add(to: &table) }
        table.show()
        if let summary { Console.out(summary.line) }
        list.tell(hasMore: hasMore)
    }
}

extension MeteredListener {
    fileprivate func add(to table: inout Table) {
        var marks: [String] = []
        if isHost { marks.append("host") }
        if isGhost { marks.append("ghost") }
        if !takesAudio { marks.append("no audio") }
        if served?.isBehind == true { marks.append("behind") }
        table.add(
            user.user.label, marks.joined(separator: ", "), report?.syncError?.text ?? "-",
            Self.text(report?.bufferMilliseconds, " ms"), Self.text(report?.underruns), Self.text(report?.resyncs),
            Self.text(report?.lost),
            report?.clock?.errorMicroseconds.map { "±\(Milliseconds.text(Int64($0)))" } ?? "-", age,
            Self.text(served?.skippedPackets),
            served?.roundTripMicroseconds.map { Milliseconds.text($0) } ?? "-")
    }

    private var age: String {
        guard let ageMilliseconds else { return "-" }
        let seconds = "\(ageMilliseconds / 1_000) s"
        return ageMilliseconds > Limits.meterStaleMilliseconds ? seconds + ", stale" : seconds
    }

    private static func text(_ value: (some FixedWidthInteger)?, _ unit: String = "") -> String {
        value.map { "\($0)\(unit)" } ?? "-"
    }
}

extension SyncErrors {
    fileprivate var text: String {
        [median, percentile95].map { Milliseconds.digits(Int64($0)) }.joined(separator: "/") + "/"
            + Milliseconds.text(Int64(max))
    }
}

extension MeterSummary {
    fileprivate var line: String {
        let reports = "\(reporting) of \(connections) report"
        guard let syncError else { return reports + "." }
        return reports + "; their p95: \(syncError.text)."
    }
}

/// Microseconds as milliseconds with two digits after the point.
private enum Milliseconds {
    static func digits(_ microseconds: Int64) -> String {
        let hundredths = (microseconds + 5) / 10
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    static func text(_ microseconds: Int64) -> String { digits(microseconds) + " ms" }
}
