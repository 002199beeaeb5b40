import Foundation
import Testing

/// Costs of many rooms. They depend on the machine, so they are printed and not asserted.
@Suite(.serialized, .enabled(if: Programs.isLong)) final class RoomMeasureTests: RoomStory {
    private static let roomCount = 10_000
    private static let queries = ["", "s", "set", "set 4", "ambient", "owner77", "nothing at all"]

    /// Goal: the time of a search, the lag of a list, and the memory of a room, compared with an empty server. Way: the
    /// same questions before and after ten thousand rooms of 1250 owners are written into the database.
    @Test func `searches among ten thousand rooms are compared with an empty server`() async throws {
        let owner = try await newcomer("ada")
        let empty = try await times(server)
        let id = try await room(owner, "The last one")
        _ = await server.stop()
        let before = try await restarted()
        let emptyBytes = try Self.residentBytes(before)
        _ = await before.stop()
        try await fill()
        let full = try await restarted()
        let fullBytes = try Self.residentBytes(full)
        let busy = try await times(full)
        for (query, (old, new)) in zip(Self.queries, zip(empty, busy)) {
            print("search \"\(query)\": empty \(old), \(Self.roomCount) rooms \(new), p99 × \(new.ratio(to: old))")
        }
        print("idle room: \((fullBytes - emptyBytes) / Self.roomCount) bytes; resident \(fullBytes >> 10) KiB,")
        print("  after the searches \(try Self.residentBytes(full) >> 10) KiB")
        try await watch(full, try await SocketClient(full, auth: ["token": owner.token]), id)
        #expect(await full.stop().status == 0)
    }

    private func restarted() async throws -> TestServer {
        try await TestServer(folder: server.folder, RoomStory.options)
    }

    /// Some thousand rooms of other owners, as if they had been created.
    private func fill() async throws {
        let sql = """
            PRAGMA foreign_keys = ON;
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1249)
            INSERT INTO users (uid, username, username_key, created_ms)
            SELECT printf('owner%023d', i), 'owner' || i, 'owner' || i, 1800000000000 + i FROM n;
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.roomCount - 1))
            INSERT INTO rooms (id, owner_uid, title, visibility, delivery, lead_ms, created_ms, description, tags)
            SELECT printf('room%016d', i), printf('owner%023d', i % 1250), 'Set ' || i || ' of the evening', 'public',
                'party', 600, 1800000000000 + i, 'What is played here, and when, in about sixty characters.',
                '["ambient","tag' || (i % 100) || '"]' FROM n;
            """
        let program = try RunningProgram(
            "sqlite3", ["-bail", server.file("data/sona.sqlite"), sql], at: "/usr/bin/sqlite3")
        let ending = await program.ending()
        try #require(ending.status == 0, "\(ending)")
    }

    // MARK: Times

    private struct Times: CustomStringConvertible {
        let sorted: [Duration]

        var description: String { "p50 \(at(50)) p99 \(at(99))" }

        func ratio(to other: Times) -> String { String(format: "%.1f", at(99).seconds / other.at(99).seconds) }

        func at(_ percent: Int) -> Duration { sorted[min(sorted.count - 1, sorted.count * percent / 100)] }
    }

    /// Duration of each query, from sending it to its answer.
    private func times(_ server: TestServer) async throws -> [Times] {
        let guest = try await SocketClient.guest(server)
        var all: [Times] = []
        for query in Self.queries {
            var times: [Duration] = []
            for number in 0..<220 {
                // The pace stays below the 60 requests a second that a connection may send.
                try await Task.sleep(for: .milliseconds(18))
                let time = try guest.time("room.search", ["query": query, "limit": 20])
                if number >= 20 { times.append(time) }
            }
            all.append(Times(sorted: times.sorted()))
        }
        return all
    }

    /// Fifty lists: the lag with which each is told of a change, and the server's cost of looking.
    private func watch(_ server: TestServer, _ owner: SocketClient, _ id: String) async throws {
        var watchers: [SocketClient] = []
        for number in 0..<50 {
            let watcher = try await SocketClient.guest(server)
            try await watcher.call("room.watch", ["query": number % 2 == 0 ? "" : "last", "limit": 100])
            watchers.append(watcher)
        }
        let idle = try Self.processorSeconds(server)
        try await Task.sleep(for: .seconds(5))
        print("fifty lists, nothing new: \((try Self.processorSeconds(server) - idle) / 5 * 100) % of a processor")
        var lags: [Duration] = []
        for number in 0..<20 {
            let told = watchers[1].events.count
            try await update(owner, id, ["title": "The last one \(number)"])
            let start = ContinuousClock.now
            try await becomes("the change is told") { watchers[1].events.count > told }
            lags.append(ContinuousClock.now - start)
        }
        print("a change in a list: \(Times(sorted: lags.sorted())) after the reply")
        let bytes = watchers.flatMap { $0.events }.map(\.bytes.count).max() ?? 0
        #expect(bytes <= 65_536)
        let busy = try Self.processorSeconds(server)
        for number in 0..<100 {
            try await update(owner, id, ["title": "The last one \(number)"])
            try await Task.sleep(for: .milliseconds(50))
        }
        let cost = try Self.processorSeconds(server) - busy
        print("fifty lists, twenty changes a second: \(cost / 5 * 100) % of a processor")
    }

    // MARK: The process

    private static func residentBytes(_ server: TestServer) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(server.process.identifier)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) << 10
    }

    /// Processor time of the server, by proc(5), in hundredths of a second.
    private static func processorSeconds(_ server: TestServer) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(server.process.identifier)/stat", encoding: .utf8)
        let fields = text.split(separator: " ")
        let (user, system) = (try #require(Double(fields[13])), try #require(Double(fields[14])))
        return (user + system) / 100
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
