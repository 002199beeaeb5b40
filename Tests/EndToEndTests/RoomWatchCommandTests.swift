import Foundation
import Testing

/// `sonactl rooms watch`.
@Suite(.serialized) final class RoomWatchCommandTests: CommandStory {
    @Test func `a list and its changes are shown until the time is up or Ctrl-C`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let made = try await server.run("ada", "rooms", "create", "--title", "Night one", "--tag", "ambient")
        let one = String(made.output.dropLast())
        let watch = try server.start("bob", "rooms", "watch", "night")
        let objects = try server.start("guest", "rooms", "watch", "night", "--json", "--limit", "1")
        #expect(try await watch.line().hasPrefix(one))
        #expect(try await objects.line().hasPrefix(#"{"rooms":[{"id":"\#(one)""#))
        let two = String(try await server.run("ada", "rooms", "create", "--title", "Night two").output.dropLast())
        #expect(try await watch.line(beginning: "+ ").hasPrefix(two))
        expect(try await server.run("ada", "rooms", "update", one, "--title", "Night 1"), 0)
        #expect(try await watch.line(beginning: "~ \(one)").contains("Night 1"))
        expect(try await server.run("ada", "rooms", "update", two, "--private"), 0)
        #expect(try await watch.line(beginning: "- \(two)").contains("Night two"))
        expect(try await server.run("ada", "rooms", "close", one, "--yes"), 0)
        _ = try await watch.line(beginning: "- \(one)")
        _ = try await objects.line(beginning: #"{"removed":["\#(one)"]"#)
        for program in [watch, objects] {
            program.signal(SIGINT)
            #expect(await program.ending().status == 130)
        }
        let short = try await server.run("bob", "rooms", "watch", "--seconds", "0.5")
        expect(short, 0, "There are no rooms.")
        expect(try await server.run("guest", "rooms", "watch", "--scope", "friends"), 77)
        expect(try await server.run("bob", "rooms", "watch", "--limit", "101"), 64)
        expect(try await server.run("bob", "rooms", "watch", "--seconds", "0"), 64)
    }
}
