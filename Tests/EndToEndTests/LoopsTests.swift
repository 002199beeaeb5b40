import Foundation
import FoundationNetworking
import Testing

/// A server with several loops: the loop that a client is on makes no difference to what it hears.
@Suite(.serialized) struct LoopsTests {
    @Test func `clients on all loops hear the same, talk to each other, and are counted once`() async throws {
        let server = try await TestServer(["--loops", "4", "--demo"])
        var guests: [SocketClient] = []
        for _ in 0..<8 { guests.append(try await SocketClient.guest(server)) }
        // Loops are assigned in turn, and nothing else is connected.
        #expect(try await figures(server, "sona_loop_sockets").map { $0 >= 2 } == [true, true, true, true])
        for guest in guests { _ = try await guest.call("room.join", ["room": "@demo", "audio": true]) }
        #expect(try await figures(server, "sona_loop_members").reduce(0, +) == 8)
        #expect(try await figures(server, "sona_loop_members").allSatisfy { $0 == 2 })

        for (number, guest) in guests.enumerated() { _ = try await guest.call("chat.send", ["text": "\(number)"]) }
        for guest in guests {
            let heard = try await SocketClient.eventually("everybody's message") {
                let posted = guest.events("chat.message")
                return posted.count == 8 ? posted : nil
            }
            let first = heard.first?.sequence ?? 0
            #expect(heard.map { ($0.sequence ?? 0) - first } == Array(0..<8), "without a gap")
        }
        for guest in guests.prefix(4) { _ = try await guest.call("room.leave") }
        #expect(try await figures(server, "sona_loop_members").reduce(0, +) == 4)

        let listeners = try (0..<4).map {
            try server.start("guest\($0)", "listen", "@demo", "--seconds", "3", "--stats")
        }
        for listener in listeners {
            let ending = await listener.ending()
            let report = try #require(
                JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any], "\(ending)")
            #expect(report["lost"] as? Int == 0 && report["duplicates"] as? Int == 0, "\(report)")
            #expect(report["packets"] as? Int ?? 0 > 90, "\(report)")
        }
        #expect(await server.stop().status == 0)
    }

    @Test func `requests sent in one burst before leaving are all heard`() async throws {
        let server = try await TestServer(["--loops", "2", "--demo"])
        let reader = try await SocketClient.guest(server)
        _ = try await reader.call("room.join", ["room": "@demo", "audio": false])
        // One connection on each loop.
        for round in 0..<4 {
            let speaker = try await SocketClient.guest(server)
            _ = try await speaker.call("room.join", ["room": "@demo", "audio": false])
            for emoji in ["🎉", "🔥", "👏"] { _ = try speaker.begin("reaction.send", ["emoji": emoji]) }
            _ = try speaker.begin("room.leave", [:])
            speaker.endSending()
            let heard = try await SocketClient.eventually("three reactions of round \(round)") {
                let all = reader.events("reactions").flatMap { $0.data["counts"] as? [[String: Any]] ?? [] }
                let sum = all.reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
                return sum >= 3 * (round + 1) ? sum : nil
            }
            #expect(heard == 3 * (round + 1))
        }
    }

    @Test(arguments: ["0", "65", "two"])
    func `an impossible number of loops is a mistake of usage`(count: String) async throws {
        let folder = try Programs.temporaryFolder()
        let ending = try await RunningProgram(
            "sona", ["serve", "--loops", count, "--data", folder.appendingPathComponent("data").path]
        ).ending()
        #expect(ending.status == 64 && ending.errors.contains("--loops"), "\(ending)")
        #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("data").path))
    }

    /// A figure of each loop, in the loops' order.
    private func figures(_ server: TestServer, _ name: String) async throws -> [Int] {
        let url = try #require(URL(string: server.metrics))
        let (data, _) = try await URLSession.shared.data(from: url)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix(name + "{") }
            .compactMap { line in line.split(separator: " ").last.flatMap { Double($0) } }.map { Int($0) }
    }
}
