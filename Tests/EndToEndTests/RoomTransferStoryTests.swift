import Foundation
import SonaTestSupport
import Testing

/// A room that passes to another owner while people are in it, and rooms of owners who are gone.
@Suite(.serialized) struct RoomTransferStoryTests {
    private func make(_ owner: SocketClient, _ title: String = "Evening") async throws -> String {
        let made = try await owner.call("room.create", ["title": title, "visibility": "public"])
        return try #require((made["room"] as? [String: Any])?["id"] as? String)
    }

    private func until(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !condition() {
            try #require(ContinuousClock.now < deadline, "It did not happen in time.")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `members are told of the new owner, and both may do what they are now`() async throws {
        let story = try await CommandStory()
        let server = story.server
        try await server.signUp("ada")
        let ada = try await SocketClient.newcomer(server, "carla")
        let bob = try await SocketClient.newcomer(server, "bob")
        let guest = try await SocketClient.guest(server)
        let room = try await make(ada)
        for client in [ada, guest] { _ = try await client.call("room.join", ["room": room]) }
        let offered = try await ada.call("room.transfer", ["room": room, "user": "@bob"])
        #expect((offered["transfer"] as? [String: Any])?["title"] as? String == "Evening")
        try await until { bob.events("room.transfer_changed").count == 1 }
        #expect(try await guest.refusal("room.accept_transfer", ["room": room])?.code == "auth.account_required")
        let taken = try await bob.call("room.accept_transfer", ["room": room])
        let owner = (taken["room"] as? [String: Any])?["owner"] as? [String: Any]
        #expect(owner?["username"] as? String == "bob")
        try await until { !guest.events("room.updated").isEmpty && guest.events("room.standing_changed").count == 2 }
        let standings = guest.events("room.standing_changed").compactMap { $0.data["standing"] as? String }
        #expect(Set(standings) == ["owner", "cohost"])
        #expect(try await ada.refusal("room.update", ["room": room, "title": "Mine"])?.code == "room.forbidden")
        _ = try await bob.call("room.update", ["room": room, "title": "Bob's evening"])
        #expect(try await ada.refusal("room.accept_transfer", ["room": room])?.code == "transfer.not_found")
        // The former owner is a cohost, who may host.
        let mine = try await bob.call("room.list", ["mine": true])
        #expect((mine["rooms"] as? [[String: Any]])?.count == 1)
        #expect(((try await ada.call("room.list", ["mine": true]))["rooms"] as? [[String: Any]])?.isEmpty == true)

        // The same by commands, back again by an administrator.
        try await story.makeAdmin()
        story.expect(try await server.run("chief", "rooms", "move", room, "@carla"), 0, "carla")
        story.expect(try await server.run("ada", "rooms", "move", room, "@bob"), 77, "auth.forbidden")
        _ = try await ada.call("room.transfer", ["room": room, "user": "@ada"])
        story.expect(try await server.run("ada", "rooms", "transfers"), 0, room, "@carla to @ada")
        story.expect(try await server.run("ada", "rooms", "accept", room), 0, "ada")
        story.expect(try await server.run("ada", "rooms", "transfer", room, "@bob"), 0, "@ada to @bob")
        story.expect(try await server.run("ada", "rooms", "refuse", room), 0)
        #expect(try await bob.refusal("room.accept_transfer", ["room": room])?.code == "transfer.not_found")
        // Nobody without an offer learns that a room was closed.
        story.expect(try await server.run("ada", "rooms", "close", room, "--yes"), 0)
        #expect(try await bob.refusal("room.accept_transfer", ["room": room])?.code == "transfer.not_found")
        #expect(await server.stop().status == 0)
    }

    @Test func `a room of a banned owner is out of reach until the ban ends or the room has another owner`()
        async throws
    {
        let story = try await CommandStory()
        let server = story.server
        try await story.makeAdmin()
        let bob = try await SocketClient.newcomer(server, "bob")
        let cohost = try await SocketClient.newcomer(server, "carla")
        let guest = try await SocketClient.guest(server)
        let room = try await make(bob)
        _ = try await bob.call("room.set_standing", ["room": room, "user": "@carla", "standing": "cohost"])
        for client in [cohost, guest] { _ = try await client.call("room.join", ["room": room]) }
        let watching = try await SocketClient.guest(server)
        let seen = try await watching.call("room.watch", ["query": ""])
        #expect((seen["rooms"] as? [[String: Any]])?.count == 1)

        story.expect(try await server.run("chief", "users", "ban", "@bob"), 0)
        try await until { guest.events("room.closed").contains { $0.data["reason"] as? String == "owner_banned" } }
        try await until { !watching.events("rooms.changed").isEmpty }
        for client in [cohost, guest] {
            #expect(try await client.refusal("room.join", ["room": room])?.code == "room.not_found")
            #expect(try await client.refusal("room.get", ["room": room])?.code == "room.not_found")
            #expect(try await client.refusal("chat.history", ["room": room])?.code == "room.not_found")
        }
        let listed = try await guest.call("room.list")
        #expect((listed["rooms"] as? [[String: Any]])?.isEmpty == true)
        let found = try await guest.call("room.search", ["query": ""])
        #expect((found["rooms"] as? [[String: Any]])?.isEmpty == true)

        // The ban ends: the room is there as before.
        story.expect(try await server.run("chief", "users", "unban", "@bob"), 0)
        _ = try await guest.call("room.join", ["room": room])
        let again = try await guest.call("room.search", ["query": ""])
        #expect((again["rooms"] as? [[String: Any]])?.count == 1)

        // Another ban, and the room gets another owner.
        story.expect(try await server.run("chief", "users", "ban", "@bob", "--for", "1d"), 0)
        try await until { guest.events("room.closed").count == 2 }
        story.expect(try await server.run("chief", "rooms", "move", room, "@carla"), 0, "carla")
        _ = try await guest.call("room.join", ["room": room])
        _ = try await cohost.call("room.update", ["room": room, "title": "Carla's"])
        #expect(await server.stop().status == 0)
    }

    @Test func `an account that goes passes its rooms on`() async throws {
        let story = try await CommandStory()
        let server = story.server
        try await server.signUp("ada")
        let bob = try await SocketClient.newcomer(server, "bob")
        let made = try await server.run("ada", "rooms", "create", "--title", "Evening", "--public")
        story.expect(made, 0)
        let page = try await bob.call("room.list")
        let room = try #require((page["rooms"] as? [[String: Any]])?.first?["id"] as? String)
        _ = try await bob.call("room.join", ["room": room])
        story.expect(try await server.run("ada", "rooms", "standing", room, "@bob", "cohost"), 0)
        story.expect(try await server.run("ada", "account", "remove", "--yes", "--pass-on-rooms"), 0)
        try await until { bob.events("room.standing_changed").contains { $0.data["standing"] as? String == "owner" } }
        _ = try await bob.call("room.update", ["room": room, "title": "Bob's"])
        #expect(bob.events("room.closed").isEmpty)
        #expect(await server.stop().status == 0)
    }
}
