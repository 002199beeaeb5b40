import Foundation
import Testing

/// What is asked in one breath is done in its order. Protocol/spec/connection.md.
@Suite(.serialized) final class RequestOrderTests: RoomStory {
    private static let rounds = 60

    /// Sends requests without waiting, then waits for all replies.
    ///
    /// - Returns: Their data, in the order of the requests.
    private func breath(_ client: SocketClient, _ requests: [(String, [String: Any])]) async throws -> [[String: Any]] {
        var numbers: [Int] = []
        for (type, data) in requests { numbers.append(try client.begin(type, data)) }
        var replies: [[String: Any]] = []
        for number in numbers { replies.append(try await client.reply(number)) }
        return replies
    }

    @Test func `of changes in one breath the last remains`() async throws {
        let ada = try await newcomer("ada")
        let id = try await room(ada, "Evening")
        var titles: [String] = []
        var bios: [String] = []
        for round in 0..<Self.rounds {
            let turns = (1...5).map { "\(round).\($0)" }
            _ = try await breath(ada, turns.map { ("room.update", ["room": id, "title": $0]) })
            _ = try await breath(ada, turns.map { ("profile.update", ["bio": $0]) })
            titles.append(try #require(try await get(ada, id)["title"] as? String))
            let me = try await ada.call("user.me")
            bios.append(try #require((me["profile"] as? [String: Any])?["bio"] as? String))
            // A connection takes so many requests.
            try await Task.sleep(for: .milliseconds(200))
        }
        let wanted = (0..<Self.rounds).map { "\($0).5" }
        #expect(titles == wanted && bios == wanted)
    }

    @Test func `what is said in one breath is heard in its order`() async throws {
        let ada = try await newcomer("ada")
        let id = try await room(ada, "Evening")
        try await ada.call("room.join", ["room": id, "audio": false])
        for round in 0..<30 {
            let guest = try await SocketClient.guest(server)
            try await guest.call("room.join", ["room": id, "audio": false])
            _ = try await breath(guest, (0..<5).map { ("chat.send", ["text": "\(round) \($0)"]) })
        }
        let wanted = (0..<30).flatMap { round in (0..<5).map { "\(round) \($0)" } }
        try await becomes("all is heard") { ada.events("chat.message").count == wanted.count }
        let heard = ada.events("chat.message").map { ($0.data["message"] as? [String: Any])?["text"] as? String }
        #expect(heard == wanted)
    }

    @Test func `tracks added in one breath play in their order`() async throws {
        let ada = try await newcomer("ada")
        let id = try await room(ada, "Evening")
        let titles = (0..<50).map { "Track \($0)" }
        _ = try await breath(ada, titles.map { ("queue.add", ["room": id, "tracks": [["track": ["title": $0]]]]) })
        let queue = try await ada.call("queue.get", ["room": id])
        let waiting = try #require(queue["entries"] as? [[String: Any]])
        #expect(waiting.map { ($0["track"] as? [String: Any])?["title"] as? String } == titles)
    }

    /// What is said for the room one is in is said there, whatever is done with it before its turn comes.
    @Test func `who signs in asks what comes behind, and says it where they were`() async throws {
        let ada = try await newcomer("ada")
        let (one, two) = (try await room(ada, "One"), try await room(ada, "Two"))
        for id in [one, two] { try await (try await again(ada)).call("room.join", ["room": id, "audio": false]) }
        let nobody = try await SocketClient(server, auth: nil)
        let replies = try await breath(
            nobody,
            [
                ("auth.sign_in", ["email": "ada@example.org", "password": CommandStory.password]), ("user.me", [:]),
                ("room.watch", ["query": "three"]),
            ])
        #expect((replies[1]["user"] as? [String: Any])?["uid"] as? String == ada.uid)
        let three = try await room(ada, "Three")
        try await becomes("the list is told") { WatchedList(replies[2], nobody).order == [three] }

        let listener = try await again(ada)
        try await listener.call("room.join", ["room": one, "audio": false])
        let title = try listener.begin("room.update", ["room": one, "title": "One!"])
        let said = try listener.begin("chat.send", ["text": "still here"])
        try await listener.call("room.join", ["room": two, "audio": false])
        try await listener.reply(title)
        try await listener.reply(said)
        var texts: [[String?]] = []
        for id in [one, two] {
            let page = try await ada.call("chat.history", ["room": id])
            texts.append((page["messages"] as? [[String: Any]] ?? []).map { $0["text"] as? String })
        }
        #expect(texts == [["still here"], []])
    }
}
