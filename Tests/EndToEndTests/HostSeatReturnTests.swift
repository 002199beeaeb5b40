import Foundation
import Testing

/// A host keeps the seat for a minute through lost connections and restarts. Protocol/spec/hosting.md.
@Suite(.serialized) struct HostSeatReturnTests {
    /// A server with a room of Ada's that Bob plays to, by her offer of the seat.
    private func evening(
        _ server: TestServer
    ) async throws -> (ada: SocketClient, bob: SocketClient, room: String) {
        let ada = try await SocketClient.newcomer(server, "ada")
        let bob = try await SocketClient.newcomer(server, "bob")
        let made = try await ada.call("room.create", ["title": "Evening"])
        let room = try #require((made["room"] as? [String: Any])?["id"] as? String)
        for person in [ada, bob] { try await person.call("room.join", ["room": room, "audio": false]) }
        let start: [String: Any] = ["pacing": "server", "track": ["title": "Song"], "position_us": 5_000_000]
        #expect(try await bob.refusal("host.start", start)?.code == "room.forbidden")
        try await ada.call("host.offer", ["user": bob.uid])
        try await bob.call("host.start", start)
        return (ada, bob, room)
    }

    @Test func `a host by offer has the seat back after a cut and after the server was killed`() async throws {
        let folder = try Programs.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await TestServer(folder: folder)
        let (ada, bob, room) = try await evening(server)
        // The server knows the former host from the history.
        _ = try await SocketClient.eventually("the play") {
            (try await ada.call("room.history", ["room": room])["plays"] as? [Any])?.count == 1 ? true : nil
        }
        bob.breakOff()
        _ = try await SocketClient.eventually("Bob is away") {
            let known = try await ada.call("room.get", ["room": room])["room"] as? [String: Any]
            return known?["host_state"] as? String == "away" ? true : nil
        }
        // Bob comes back with another session.
        let back = try await SocketClient(server, auth: ["token": bob.token])
        try await back.call("room.join", ["room": room, "audio": false])
        try await back.call("host.start", ["pacing": "server", "track": ["title": "Song"], "position_us": 6_000_000])
        server.process.signal(SIGKILL)
        _ = await server.process.ending()

        let again = try await TestServer(folder: folder)
        let cyd = try await SocketClient.newcomer(again, "cyd")
        let returned = try await SocketClient(again, auth: ["token": bob.token])
        for person in [cyd, returned] { try await person.call("room.join", ["room": room, "audio": false]) }
        #expect(try await cyd.refusal("host.start", ["pacing": "server"])?.code == "room.forbidden")
        try await returned.call("host.start", ["pacing": "server", "position_us": 7_000_000])
        for person in [cyd, returned] { person.breakOff() }
        #expect(await again.stop().status == 0)
    }

    @Test func `a connection that fell silent is told that its user sits elsewhere`() async throws {
        let server = try await TestServer()
        let (ada, bob, room) = try await evening(server)
        let phone = try await SocketClient(server, auth: ["token": bob.token])
        try await phone.call("room.join", ["room": room, "audio": false])
        try await bob.call("room.get", ["room": room])
        #expect(try await phone.refusal("host.start", ["pacing": "server"])?.code == "host.seat_taken")
        _ = try await SocketClient.eventually("Bob has been silent for long enough") {
            try await phone.refusal("host.start", ["pacing": "server"]) == nil ? true : nil
        }
        let lost = try await SocketClient.eventually("host.lost_seat") { bob.events("host.lost_seat").first }
        #expect(lost.data["room"] as? String == room && lost.data["reason"] as? String == "elsewhere")
        #expect(try await bob.refusal("host.pause")?.code == "host.not_host")
        for person in [ada, bob, phone] { person.breakOff() }
        #expect(await server.stop().status == 0)
    }

    @Test func `a broadcast can go on after a server that ended while its host was cut off`() async throws {
        let server = try await TestServer()
        let (ada, bob, room) = try await evening(server)
        bob.breakOff()
        _ = try await SocketClient.eventually("Bob is away") {
            let known = try await ada.call("room.get", ["room": room])["room"] as? [String: Any]
            return known?["host_state"] as? String == "away" ? true : nil
        }
        server.process.signal(SIGTERM)
        _ = try await SocketClient.eventually("the goodbye") { ada.events("server.draining").first }
        #expect(ada.events("stream.ended").isEmpty)
        #expect(!ada.events("host.changed").contains { $0.data["state"] as? String == "none" })
        ada.breakOff()
        #expect(await server.process.ending(within: 40).status == 0)

        let again = try await TestServer(folder: server.folder)
        let back = try await SocketClient(again, auth: ["token": bob.token])
        let snapshot = try await back.call("room.join", ["room": room, "audio": false])
        #expect((snapshot["playback"] as? [String: Any])?["state"] as? Int != 0, "it has not ended")
        try await back.call("host.start", ["pacing": "server", "position_us": 7_000_000])
        back.breakOff()
        #expect(await again.stop().status == 0)
    }
}
