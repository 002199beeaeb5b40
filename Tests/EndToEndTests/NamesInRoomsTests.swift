import Foundation
import Testing

/// What members are told of each other's names.
@Suite struct NamesInRoomsTests {
    @Test func `a guest who signs up inside has a name for the others at once`() async throws {
        let server = try await TestServer()
        let owner = try await SocketClient.newcomer(server, "bob")
        let made = try await owner.call("room.create", ["title": "Evening"])
        let room = try #require((made["room"] as? [String: Any])?["id"] as? String)
        _ = try await owner.call("room.join", ["room": room])
        let guest = try await SocketClient.guest(server)
        _ = try await guest.call("room.join", ["room": room])
        _ = try await guest.call(
            "auth.sign_up", ["email": "ada@example.org", "username": "ada", "password": CommandStory.password])
        let deadline = ContinuousClock.now + .seconds(20)
        while owner.events("room.standing_changed").isEmpty, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        let told = try #require(owner.events("room.standing_changed").first).data
        let user = told["user"] as? [String: Any]
        #expect(user?["uid"] as? String == guest.uid && user?["username"] as? String == "ada")
        #expect(user?["guest"] as? Bool == false && told["standing"] as? String == "listener")
        let members = try await owner.call("room.members")["members"] as? [[String: Any]] ?? []
        let names = members.compactMap {
            (($0["user"] as? [String: Any])?["user"] as? [String: Any])?["username"] as? String
        }
        #expect(Set(names) == ["ada", "bob"], "\(members)")
        #expect(await server.stop().status == 0)
    }
}
