import Foundation
import Testing

/// Listeners' reports of their own listening, and who sees them.
@Suite(.serialized) final class RoomMeterTests: RoomStory {
    private static let full: [String: any Sendable] = [
        "window_ms": 10_000, "sync_error_us": ["p50": 90, "p95": 350, "max": 800], "buffer_ms": 520, "underruns": 1,
        "resyncs": 2, "lost": 3, "clock": ["error_us": 210, "rtt_us": 380, "drift_ppb": -12_400],
        "output_latency_us": 41_000,
    ]

    private func meter(
        _ asker: SocketClient, _ room: String? = nil, _ more: [String: Any] = [:]
    ) async throws -> [String: Any] {
        var data = more
        data["room"] = room
        return try await asker.call("room.meter", data)
    }

    private func listeners(_ page: [String: Any]) throws -> [[String: Any]] {
        try #require(page["listeners"] as? [[String: Any]])
    }

    private func uid(_ listener: [String: Any]) -> String? {
        ((listener["user"] as? [String: Any])?["user"] as? [String: Any])?["uid"] as? String
    }

    private func report(_ page: [String: Any], of person: SocketClient) throws -> [String: Any]? {
        let found = try listeners(page).filter { uid($0) == person.uid }
        try #require(found.count == 1)
        return found[0]["report"] as? [String: Any]
    }

    private func enter(_ room: String, _ people: SocketClient...) async throws {
        for person in people { try await person.call("room.join", ["room": room]) }
    }

    /// The error code of a request that is not repeated when it is refused for its rate.
    private func code(_ person: SocketClient, _ type: String, _ data: [String: Any]) async throws -> String? {
        try await refusal(person, type, data)?.code
    }

    private func refusal(
        _ person: SocketClient, _ type: String, _ data: [String: Any]
    ) async throws -> SocketClient.Refusal? {
        do {
            try await person.reply(try person.begin(type, data))
            return nil
        } catch let refusal as SocketClient.Refusal { return refusal }
    }

    @Test func `a listener's measurements are seen by all in the room, with those of the server`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let guest = try await SocketClient.guest(server)
        let room = try await room(ada, "Late night")
        try await enter(room, ada, bob, guest)
        try await play(ada, room, title: "Nocturne", artist: "Ada")
        try await bob.call("listening.report", Self.full)
        for asker in [ada, bob, guest] {
            let page = try await meter(asker)
            #expect(try listeners(page).map { uid($0) } == [ada.uid, bob.uid, guest.uid])
            #expect(page["next_cursor"] is NSNull)
            let line = try listeners(page)[1]
            #expect(NSDictionary(dictionary: Self.full).isEqual(to: try #require(try report(page, of: bob))))
            #expect(0...5_000 ~= (try #require(line["age_ms"] as? Int)))
            #expect(line["audio"] as? Bool == true && line["host"] as? Bool == false)
            let served = try #require(line["served"] as? [String: Any])
            #expect(served["behind"] as? Bool == false && served["skipped"] as? Int == 0)
            #expect(1...1_000_000 ~= (try #require(served["tcp_rtt_us"] as? Int)))
            // Nothing is made up about a listener without a report.
            for (number, name) in [(0, "host"), (2, "guest")] {
                let silent = try listeners(page)[number]
                #expect(silent["report"] is NSNull && silent["age_ms"] is NSNull, "the \(name)")
            }
            #expect(try listeners(page)[0]["host"] as? Bool == true)
            #expect(try listeners(page)[0]["audio"] as? Bool == false)
        }
        // The summary may be a second old.
        try await becomes("the summary") {
            let summary = try #require(try await self.meter(ada)["summary"] as? [String: Any])
            #expect(summary["connections"] as? Int == 3)
            let errors = summary["sync_error_us"] as? [String: Int]
            return summary["reporting"] as? Int == 1 && errors == ["p50": 350, "p95": 350, "max": 350]
        }
        // The host may report too, and the same is available over HTTP.
        try await ada.call("listening.report", ["window_ms": 5_000, "clock": ["error_us": 7]])
        let body = Data(#"{"room":"\#(room)"}"#.utf8)
        let (status, answer) = try await http("POST", "/v1/rpc/room.meter", token: bob.token, body: body)
        #expect(status == 200)
        let page = try #require((try JSONSerialization.jsonObject(with: answer) as? [String: Any])?["data"])
        let told = try report(try #require(page as? [String: Any]), of: ada)
        #expect(told?.keys.sorted() == ["clock", "window_ms"])
    }

    @Test func `nonsense is refused and not stored`() async throws {
        let ada = try await newcomer("ada")
        let room = try await room(ada, "Late night")
        #expect(try await code(ada, "listening.report", Self.full) == "room.not_joined")
        try await enter(room, ada)
        let nonsense: [(String, [String: Any])] = [
            ("data.window_ms", [:]), ("data.window_ms", ["window_ms": 0]), ("data.window_ms", ["window_ms": 600_001]),
            ("data.window_ms", ["window_ms": "10"]), ("data.window_ms", ["window_ms": 1.5]),
            ("data.buffer_ms", ["window_ms": 10, "buffer_ms": -1]),
            ("data.buffer_ms", ["window_ms": 10, "buffer_ms": 9_007_199_254_740_991]),
            ("data.lost", ["window_ms": 10, "lost": 1_000_001]),
            ("data.underruns", ["window_ms": 10, "underruns": -5]),
            ("data.sync_error_us", ["window_ms": 10, "sync_error_us": 5]),
            ("data.sync_error_us.max", ["window_ms": 10, "sync_error_us": ["p50": 1, "p95": 2]]),
            ("data.sync_error_us.p95", ["window_ms": 10, "sync_error_us": ["p50": 3, "p95": 2, "max": 4]]),
            ("data.sync_error_us.max", ["window_ms": 10, "sync_error_us": ["p50": 1, "p95": 2, "max": 1]]),
            ("data.clock.drift_ppb", ["window_ms": 10, "clock": ["drift_ppb": 100_000_001]]),
            ("data.clock.error_us", ["window_ms": 10, "clock": ["error_us": -1]]),
            ("data.clock", ["window_ms": 10, "clock": "good"]),
            ("data.output_latency_us", ["window_ms": 10, "output_latency_us": 60_000_001]),
        ]
        for (field, data) in nonsense {
            let refusal = try await refusal(ada, "listening.report", data)
            #expect(
                refusal?.code == "request.invalid" && refusal?.field == field, "\(data): \(String(describing: refusal))"
            )
        }
        #expect(try report(try await meter(ada), of: ada) == nil)
        // Refused reports do not count: a good one is accepted at once.
        #expect(try await code(ada, "listening.report", Self.full) == nil)
    }

    @Test func `a listener who reports too often is told to wait, and the last report stays`() async throws {
        let ada = try await newcomer("ada")
        try await enter(try await room(ada, "Late night"), ada)
        try await ada.call("listening.report", ["window_ms": 1_000, "lost": 1])
        let start = ContinuousClock.now
        var refused = 0
        for number in 0..<40 {
            guard let refusal = try await refusal(ada, "listening.report", ["window_ms": 1_000, "lost": 100 + number])
            else { continue }
            #expect(refusal.code == "request.rate_limited")
            #expect(1...2_001 ~= (refusal.retryAfterMilliseconds ?? 0))
            refused += 1
        }
        try #require(ContinuousClock.now - start < .seconds(2), "the machine was too slow for this test")
        #expect(refused == 40)
        #expect(try report(try await meter(ada), of: ada)?["lost"] as? Int == 1)
        // Requests of other kinds are not held up, and after two seconds the next report is accepted.
        try await Task.sleep(until: start + .milliseconds(2_050))
        #expect(try await code(ada, "listening.report", ["window_ms": 1_000, "lost": 2]) == nil)
        #expect(try report(try await meter(ada), of: ada)?["lost"] as? Int == 2)
    }

    @Test func `a report goes with its connection`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let room = try await room(ada, "Late night")
        let other = try await self.room(ada, "Early morning")
        let second = try await again(bob)
        try await enter(room, ada, bob, second)
        try await bob.call("listening.report", Self.full)
        // Two devices are two listeners.
        let both = try listeners(try await meter(ada)).filter { uid($0) == bob.uid }
        #expect(both.count == 2 && both.count { $0["report"] is NSNull } == 1)
        try await bob.call("room.join", ["room": other])
        #expect(try report(try await meter(ada), of: bob) == nil)
        #expect(try report(try await meter(bob), of: bob) == nil, "it says nothing of another room")
        try await enter(room, bob)
        #expect(try listeners(try await meter(ada)).allSatisfy { $0["report"] is NSNull })
        try await bob.call("room.leave")
        #expect(try await code(bob, "listening.report", Self.full) == "room.not_joined")
        try await second.call("room.leave")
        #expect(try listeners(try await meter(ada)).map { uid($0) } == [ada.uid])
        try await becomes("a summary without it") {
            let summary = try #require(try await self.meter(ada)["summary"] as? [String: Any])
            #expect(summary["connections"] as? Int == 1)
            return summary["reporting"] as? Int == 0 && summary["sync_error_us"] is NSNull
        }
    }

    @Test func `a listener who comes back over another connection stays the same listener`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        try await enter(try await room(ada, "Late night"), ada, bob)
        try await bob.call("listening.report", Self.full)
        bob.breakOff()
        // While Bob is away, the server measures nothing of him, and his last report grows old.
        try await becomes("a lost connection") {
            try self.listeners(try await self.meter(ada)).contains { self.uid($0) == bob.uid && $0["served"] is NSNull }
        }
        #expect(try report(try await meter(ada), of: bob) != nil)
        let token = try #require(bob.welcome.data["resume_token"] as? String)
        let back = try await SocketClient(server, auth: ["token": bob.token], resume: ["token": token])
        try #require(back.welcome.data["resumed"] as? Bool == true)
        let page = try await meter(ada)
        #expect(try report(page, of: bob)?["buffer_ms"] as? Int == 520)
        let served = try listeners(page).first { uid($0) == bob.uid }?["served"] as? [String: Any]
        #expect(served?["behind"] as? Bool == false && served?["tcp_rtt_us"] is Int)
        #expect(try report(try await meter(back), of: bob) != nil)
    }

    @Test func `ghosts are shown to moderators, and strangers see nothing`() async throws {
        let people = try await newcomers("ada", "bob", "cleo", "dan")
        let (ada, bob, cleo, dan) = (people[0], people[1], people[2], people[3])
        let room = try await room(ada, "Late night", ["visibility": "private"])
        try await ada.call("room.set_standing", ["room": room, "user": "@bob", "standing": "member"])
        try await ada.call("room.set_standing", ["room": room, "user": "@cleo", "standing": "member"])
        try await bob.call("room.join", ["room": room, "ghost": true])
        try await bob.call("listening.report", Self.full)
        try await enter(room, cleo)
        let unseen = try await meter(cleo)
        #expect(try listeners(unseen).map { uid($0) } == [cleo.uid])
        #expect(!"\(unseen)".contains(bob.uid))
        #expect((unseen["summary"] as? [String: Any])?["connections"] as? Int == 2, "a ghost is counted")
        #expect(try listeners(try await meter(bob)).map { uid($0) } == [cleo.uid], "also by itself")
        // The owner sees it without even being inside.
        let seen = try await meter(ada, room)
        #expect(try listeners(seen).map { uid($0) } == [bob.uid, cleo.uid])
        #expect(try listeners(seen).map { $0["ghost"] as? Bool } == [true, false])
        #expect(try report(seen, of: bob) != nil)

        #expect(try await code(dan, "room.meter", ["room": room]) == "room.not_found")
        let open = try await self.room(ada, "Open")
        let outside = try await refusal(dan, "room.meter", ["room": open])
        #expect(outside?.code == "room.forbidden" && outside?.permission == "moderate")
        #expect(try await code(dan, "room.meter", [:]) == "room.not_joined")
        #expect(try await code(cleo, "room.meter", ["cursor": "x"]) == "request.invalid")
    }

    @Test func `pages hold each connection once`() async throws {
        let ada = try await newcomer("ada")
        let room = try await room(ada, "Late night")
        try await enter(room, ada)
        var guests: [SocketClient] = []
        for _ in 0..<24 {
            let guest = try await SocketClient.guest(server)
            try await enter(room, guest)
            guests.append(guest)
        }
        var seen: [String?] = []
        var sizes: [Int] = []
        var cursor: String?
        repeat {
            var more: [String: Any] = ["limit": 10]
            more["cursor"] = cursor
            let page = try await meter(ada, nil, more)
            seen += try listeners(page).map { uid($0) }
            sizes.append(try listeners(page).count)
            cursor = page["next_cursor"] as? String
        } while cursor != nil
        #expect(sizes == [10, 10, 5])
        #expect(seen == [ada.uid] + guests.map(\.uid))
    }

    @Test func `the operator sees every room, and the metrics sum it up`() async throws {
        let ada = try await newcomer("ada")
        let room = try await room(ada, "Late night", ["visibility": "private"])
        try await enter(room, ada)
        try await ada.call("listening.report", Self.full)
        let curl = try RunningProgram(
            "curl",
            [
                "-sS", "--unix-socket", server.file("data/admin.sock"), "-d", #"{"room":"\#(room)"}"#,
                "http://localhost/v1/operator/room.meter",
            ], at: "/usr/bin/curl")
        let ending = await curl.ending()
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any], "\(ending)")
        #expect(try report(try #require(answer["data"] as? [String: Any]), of: ada)?["buffer_ms"] as? Int == 520)

        try await makeAdmin()
        let shown = try await server.run("chief", "rooms", "meter", room)
        expect(shown, 0, "@ada", "0.09/0.35/0.80 ms", "520 ms", "±0.21 ms")
        // A user without the permission does not even learn that such a room exists.
        try await server.signUp("bob")
        expect(try await server.run("bob", "rooms", "meter", room), 66, "room.not_found")

        let (status, body) = try await metrics()
        let text = String(decoding: body, as: UTF8.self)
        #expect(status == 200)
        for line in [
            "sona_listeners_reporting 1", "sona_listening_reports_total 1", "sona_reported_underruns_total 1",
            "sona_reported_resyncs_total 2", "sona_reported_lost_packets_total 3",
            #"sona_reported_sync_error_seconds_bucket{le="0.00025"} 0"#,
            #"sona_reported_sync_error_seconds_bucket{le="0.0005"} 1"#, "sona_reported_sync_error_seconds_sum 0.00035",
            "sona_reported_sync_error_seconds_count 1", #"sona_reported_buffer_seconds_bucket{le="0.8"} 1"#,
            "sona_reported_clock_error_seconds_count 1",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }

    /// In Debian promtool is in the package of a whole server, which deploy/test would have to keep from starting: too
    /// much for one check.
    @Test(.enabled(if: Programs.hasTool("/usr/bin/promtool", isRequired: false), "promtool is not installed"))
    func `Prometheus' own check finds nothing wrong with the metrics`() async throws {
        let ada = try await newcomer("ada")
        try await enter(try await room(ada, "Late night"), ada)
        try await ada.call("listening.report", Self.full)
        let (status, body) = try await metrics()
        try #require(status == 200)
        let file = server.file("metrics")
        try body.write(to: URL(fileURLWithPath: file))
        let promtool = try RunningProgram("sh", ["-c", "promtool check metrics < '\(file)'"], at: "/bin/sh")
        let ending = await promtool.ending()
        #expect(ending.status == 0, "\(ending)")
    }

    /// Goal: a report older than 30 s is shown with its age and does not count. Way: real time.
    @Test(.enabled(if: Programs.isLong)) func `an old report is stale`() async throws {
        let ada = try await newcomer("ada")
        try await enter(try await room(ada, "Late night"), ada)
        try await ada.call("listening.report", Self.full)
        try await Task.sleep(for: .milliseconds(32_100))
        let page = try await meter(ada)
        #expect((32_000...40_000).contains(try #require(try listeners(page)[0]["age_ms"] as? Int)))
        #expect(try report(page, of: ada) != nil)
        let summary = try #require(page["summary"] as? [String: Any])
        #expect(summary["reporting"] as? Int == 0 && summary["sync_error_us"] is NSNull)
    }
}

/// The same from the command line.
@Suite(.serialized) final class MeterCommandTests: CommandStory {
    init() async throws { try await super.init(["--demo"]) }

    @Test func `the project's own listener reports its measurements, and they are shown`() async throws {
        try await server.signUp("bob")
        let listening = try server.start("bob", "listen", "@demo", "--output", server.file("heard.opus"), "--stats")
        let deadline = ContinuousClock.now + .seconds(25)
        var line: [String: Any] = [:]
        while ContinuousClock.now < deadline {
            let page = try await server.run("bob", "rooms", "meter", "@demo", "--json")
            if page.status == 0 {
                line = try #require((try json(page)["listeners"] as? [[String: Any]])?.first)
                if line["report"] is [String: Any] { break }
            }
            try await Task.sleep(for: .milliseconds(500))
        }
        let report = try #require(line["report"] as? [String: Any], "\(listening.errors)")
        #expect(9_900...15_000 ~= (try #require(report["window_ms"] as? Int)))
        #expect(report["lost"] as? Int == 0)
        // With --stats it renders, on a simulated device that only keeps time.
        let errors = try #require(report["sync_error_us"] as? [String: Int])
        #expect(errors.count == 3 && errors["p95"] ?? .max < 600_000, "it is further from the room than the lead")
        #expect(report["underruns"] is Int && report["resyncs"] is Int && report["buffer_ms"] is Int)
        // Values that no device reports are not made up.
        #expect(report["output_latency_us"] == nil)
        let clock = try #require(report["clock"] as? [String: Any])
        #expect(1...20_000 ~= (try #require(clock["error_us"] as? Int)))
        #expect(0...20_000 ~= (try #require(clock["rtt_us"] as? Int)))
        #expect(clock["drift_ppb"] is Int)
        let served = try #require(line["served"] as? [String: Any])
        #expect(served["skipped"] as? Int == 0 && served["tcp_rtt_us"] is Int)

        let shown = try await server.run("bob", "rooms", "meter", "@demo", "--watch", "--seconds", "3")
        expect(shown, 0, "LISTENER", "@bob", "1 of 1 report")
        #expect(shown.output.components(separatedBy: "LISTENER").count == 3, "twice in three seconds: \(shown)")
        listening.signal(SIGINT)
        #expect(await listening.ending(within: 10).status == 130)
    }
}
