import Foundation
import FoundationNetworking
import Testing

/// Checks that the figures of `sonaload` are those of the network they were taken on.
@Suite(.serialized) struct LoadFiguresTests {
    /// Time between packets of a room, seconds.
    private static let period = 0.06
    private static let listeners = 20
    /// Delay that a busy machine may add on the way through its programs, ms.
    private static let noise = 150.0

    private struct Figures {
        let object: [String: Any]
        func count(_ key: String) -> Int? { (object[key] as? NSNumber)?.intValue }
        func delay(_ key: String) -> Double? {
            ((object["delay_ms"] as? [String: Any])?[key] as? NSNumber)?.doubleValue
        }

        /// Least time and number of deliveries of each bucket, in the order of the times.
        private var buckets: [(milliseconds: Double, count: Int)] {
            let pairs = (object["delay_histogram"] as? [String: Any])?["buckets"] as? [[NSNumber]] ?? []
            return pairs.map { ($0[0].doubleValue / 1000, $0[1].intValue) }
        }

        func deliveries(from milliseconds: Double) -> Int {
            buckets.reduce(0) { $0 + ($1.milliseconds >= milliseconds ? $1.count : 0) }
        }

        /// The delay, ms, that this many deliveries reached or exceeded.
        func delay(ofTheSlowest count: Int) -> Double? {
            var rest = count
            return buckets.last { bucket in
                rest -= bucket.count
                return rest <= 0
            }?.milliseconds
        }

        /// Totals of all intervals.
        func sum(_ key: String) -> Int {
            let intervals = object["intervals"] as? [[String: Any]] ?? []
            return intervals.reduce(0) { $0 + (($1[key] as? NSNumber)?.intValue ?? 0) }
        }

        init(_ path: String) throws {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
    }

    /// Waits until a run reports on its first second.
    private func hasBegun(_ run: RunningProgram) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if run.errors.contains("p99 ") { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    private func run(_ server: TestServer, _ address: String, seconds: Int, _ more: [String] = []) throws
        -> RunningProgram
    {
        try RunningProgram(
            "sonaload",
            [
                "--server", address, "--rooms", "2", "--listeners", "\(Self.listeners)", "--seconds", "\(seconds)",
                "--frame-ms", "60", "--delivery", "interactive", "--bitrate", "32", "--seed", "5",
                "--json", server.file("run.json"),
            ] + more, environment: server.environment("load"))
    }

    @Test func `with very many hosts, a loop takes their packets some at a time and loses none`() async throws {
        let server = try await TestServer(["--loops", "1"])
        // 1600 host packets a second, each too long for one read. With a rest before each second half they would come a
        // sixth later every second.
        let run = try RunningProgram(
            "sonaload",
            [
                "--server", server.address, "--rooms", "8", "--listeners", "16", "--seconds", "6", "--frame-ms", "5",
                "--delivery", "interactive", "--bitrate", "510", "--json", server.file("run.json"), "--fail-if",
                "lost>0",
            ], environment: server.environment("load"))
        try #require(await hasBegun(run), "\(run.errors)")
        let resting = try await SocketClient.eventually("iterations that are apart") {
            let url = try #require(URL(string: server.metrics))
            let page = String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
            let line = page.split(separator: "\n").first { $0.hasPrefix("sona_loop_turn_seconds{") }
            let seconds = line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
            return seconds > 0 ? seconds : nil
        }
        #expect(resting <= 0.006)
        let ending = await run.ending()
        #expect(ending.status == 0, "\(ending)")
        let figures = try Figures(server.file("run.json"))
        #expect(figures.count("received") == figures.count("expected") && figures.count("expected") ?? 0 > 12_000)
        #expect(try #require(figures.delay("p50")) < Self.noise)
        #expect(await server.stop().status == 0)
    }

    @Test func `losses, copies and delays of the network are in the report, to the packet`() async throws {
        // Goal: losses, copies and order exactly as the proxy made them. Delays as it made them, to the histogram's
        // thousandth and the time that a busy machine takes to pass packets on. Way: the proxy alters a known number of
        // each listener's packets, after measuring began and long before it ends. Held packets are overtaken by five
        // others.
        let plan = UnreliablePlan(seed: 11, packets: 100, dropped: 4, doubled: 3, delayed: 6, seconds: 0.33)
        let server = try await TestServer()
        let proxy = try UnreliableProxy(to: server, plan)
        defer { proxy.end() }
        let load = try run(
            server, proxy.address, seconds: 12,
            ["--fail-if", "lost>0", "--fail-if", "expected<1", "--report", server.file("run.html")])
        #expect(await hasBegun(load), "\(load.errors)")
        proxy.begin()
        let ending = await load.ending(within: 120)
        // A condition is missed: packets were lost.
        #expect(ending.status == 1, "\(ending)")

        let listeners = Self.listeners
        let all: [UnreliablePlan.Fate] = [.passed, .dropped, .doubled, .delayed]
        for fate in all { #expect(proxy.count(fate) == plan.count(fate, listeners: listeners), "\(fate)") }
        let figures = try Figures(server.file("run.json"))
        let (dropped, doubled, delayed) = (proxy.count(.dropped), proxy.count(.doubled), proxy.count(.delayed))
        #expect(dropped > 50 && doubled > 30 && delayed > 80 && proxy.overtaken > 40)
        #expect(figures.count("lost") == dropped)
        #expect(figures.count("duplicates") == doubled)
        #expect(figures.count("out_of_order") == proxy.overtaken)
        #expect(figures.count("skipped") == 0)
        let (expected, received) = (try #require(figures.count("expected")), try #require(figures.count("received")))
        #expect(received + dropped == expected)
        for (key, total) in [("lost", dropped), ("duplicates", doubled), ("received", received)] {
            #expect(figures.sum(key) == total, "\(key) of the intervals")
        }
        // Twelve seconds, plus or minus a packet at either end.
        let ideal = Double(listeners) * 12 / Self.period
        #expect(abs(Double(expected) - ideal) <= Double(listeners) * 2, "\(expected), not \(ideal)")

        // Every held packet is among the late ones; a bucket may hide a thousandth.
        #expect(figures.deliveries(from: 330 * 0.999) >= delayed)
        let held = proxy.held.map { $0 * 1000 }
        #expect(held.count == delayed && held.allSatisfy { $0 >= 330 })
        // The slowest packets are the held ones, with their delay. A few others do not move their median.
        let middle = try #require(figures.delay(ofTheSlowest: delayed / 2))
        #expect(
            middle >= 330 * 0.999 && middle <= held[delayed / 2] + Self.noise, "\(middle) ms, held \(held[delayed / 2])"
        )
        // More than one in a hundred: the percentiles show it where they must, and nowhere else.
        #expect(Double(delayed) / Double(received) > 0.015)
        let (p50, p99, max) = try (
            #require(figures.delay("p50")), #require(figures.delay("p99")), #require(figures.delay("max"))
        )
        #expect(p50 < Self.noise, "\(p50) ms")
        #expect(p99 >= 330 * 0.999, "\(p99) ms")
        #expect(max >= held[delayed - 1], "\(max) ms")

        let page = try String(contentsOfFile: server.file("run.html"), encoding: .utf8)
        #expect(page.contains("lost&gt;0") && page.contains("✗ missed") && page.contains("✓ passed"))
        _ = await server.stop()
    }

    @Test func `on a lossless connection nothing is lost and a run passes`() async throws {
        let server = try await TestServer()
        let load = try run(
            server, server.address, seconds: 3,
            ["--server-pid", "\(server.process.identifier)", "--fail-if", "lost%>0", "--fail-if", "duplicates>0"])
        let ending = await load.ending(within: 120)
        #expect(ending.status == 0, "\(ending)")
        let figures = try Figures(server.file("run.json"))
        #expect(figures.count("lost") == 0 && figures.count("duplicates") == 0 && figures.count("out_of_order") == 0)
        #expect(figures.count("expected") == figures.count("received"))
        let rss = (figures.object["server"] as? [String: Any])?["rss_bytes"] as? NSNumber
        #expect(try #require(rss).intValue > 1 << 20)

        // The report's page, alone and next to itself, from the stored run.
        let page = try await RunningProgram(
            "sonaload",
            ["report", server.file("run.json"), server.file("run.json"), "--output", server.file("two.html")]
        ).ending()
        #expect(page.status == 0, "\(page)")
        #expect(try String(contentsOfFile: server.file("two.html"), encoding: .utf8).contains("Two runs compared"))
        let judged = try await RunningProgram(
            "sonaload", ["report", server.file("run.json"), "--fail-if", "received>0"]
        ).ending()
        #expect(
            judged.status == 1 && judged.output.contains("FAILED") && judged.errors.contains("received>0"), "\(judged)")
        _ = await server.stop()
    }

    private static let browser = "/usr/bin/chromium"

    @Test(.enabled(if: Programs.hasTool(browser), "Chromium is not installed"))
    func `a browser runs the script of a report's page`() async throws {
        let server = try await TestServer()
        // With the server's process there are charts of it, too.
        let identifier = "\(server.process.identifier)"
        let run = try run(server, server.address, seconds: 3, ["--server-pid", identifier])
        let load = await run.ending(within: 120)
        try #require(load.status == 0, "\(load)")
        let report = try await RunningProgram(
            "sonaload",
            ["report", server.file("run.json"), server.file("run.json"), "--output", server.file("two.html")]
        ).ending()
        try #require(report.status == 0, "\(report)")
        let profile = try Programs.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: profile) }
        let ending = try await RunningProgram(
            "chromium",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(profile.path)", "--dump-dom",
                "file://\(server.file("two.html"))",
            ], at: Self.browser
        ).ending(within: 120)
        #expect(ending.status == 0, "\(ending.errors)")
        // No value is marked until somebody points at a chart: the script has hidden each line's dot.
        let dots = ending.output.components(separatedBy: "<circle class=\"dot").dropFirst()
        #expect(
            dots.count >= 18 && dots.allSatisfy { $0.prefix(60).contains("display: none") }, "\(dots.first ?? "none")")
        _ = await server.stop()
    }

    @Test func `a report of no run and a meaningless condition are refused before anything is done`()
        async throws
    {
        let folder = try Programs.temporaryFolder()
        let path = folder.appendingPathComponent("not-a-run.json").path
        try Data("{\"format_version\":99}".utf8).write(to: URL(fileURLWithPath: path))
        let cases: [([String], Int32, String)] = [
            (["report", path], 65, "format version 99"),
            (["report", path + ".missing"], 66, "No such file"),
            (["report"], 64, "run.json"),
            (["report", path, path], 64, "--output"),
            (["report", path, "--fail-if", "delay.p99>50"], 64, "^^"),
            (["--listeners", "1", "--fail-if", "latency>5ms"], 64, "^^^^^^^"),
        ]
        for (arguments, status, words) in cases {
            let ending = try await RunningProgram("sonaload", arguments).ending()
            #expect(ending.status == status && ending.errors.contains(words), "\(arguments): \(ending)")
        }
    }
}
