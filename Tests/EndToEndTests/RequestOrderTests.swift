import Foundation
import Testing

/// Requests sent in one burst are carried out in order. Protocol/spec/connection.md.
@Suite(.serialized) final class RequestOrderTests: RoomStory {
    private static let rounds = 20

    /// Sends requests without waiting, then waits for all replies.
    ///
    /// - Returns: The replies' data, in the order of the requests.
    private func breath(_ client: SocketClient, _ requests: [(String, [String: Any])]) async throws -> [[String: Any]] {
        var numbers: [Int] = []
        for (type, data) in requests { numbers.append(try client.begin(type, data)) }
        var replies: [[String: Any]] = []
        for number in numbers { replies.append(try await client.reply(number)) }
        return replies
    }

    @Test func `of several changes in one burst the last remains`() async throws {
        let ada = try await newcomer("ada")
        let id = try await room(ada, "Evening")
        var titles: [String] = []
        var bios: [String] = []
        for round in 0..<Self.rounds {
            let texts = (1...5).map { "\(round).\($0)" }
            _ = try await breath(ada, texts.map { ("room.update", ["room": id, "title": $0]) })
            _ = try await breath(ada, texts.map { ("profile.update", ["bio": $0]) })
            titles.append(try #require(try await get(ada, id)["title"] as? String))
            let me = try await ada.call("user.me")
            bios.append(try #require((me["profile"] as? [String: Any])?["bio"] as? String))
            // A connection may send this many requests.
            try await Task.sleep(for: .milliseconds(200))
        }
        let wanted = (0..<Self.rounds).map { "\($0).5" }
        #expect(titles == wanted && bios == wanted)
    }

    @Test func `messages in one burst are heard in order`() async throws {
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

    @Test func `tracks added in one burst play in order`() async throws {
        let ada = try await newcomer("ada")
        let id = try await room(ada, "Evening")
        let titles = (0..<50).map { "Track \($0)" }
        _ = try await breath(ada, titles.map { ("queue.add", ["room": id, "tracks": [["track": ["title": $0]]]]) })
        let queue = try await ada.call("queue.get", ["room": id])
        let waiting = try #require(queue["entries"] as? [[String: Any]])
        #expect(waiting.map { ($0["track"] as? [String: Any])?["title"] as? String } == titles)
    }

    /// A request for the present room is carried out for that room, whatever happens to the membership before its turn.
    @Test func `requests after a sign-in belong to the new user and go to the room they were sent for`() async throws {
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
        let proof = try listener.begin("auth.reauthenticate", ["password": CommandStory.password])
        let said = try listener.begin("chat.send", ["text": "still here"])
        try await listener.call("room.join", ["room": two, "audio": false])
        try await listener.reply(proof)
        try await listener.reply(said)
        var texts: [[String?]] = []
        for id in [one, two] {
            let page = try await ada.call("chat.history", ["room": id])
            texts.append((page["messages"] as? [[String: Any]] ?? []).map { $0["text"] as? String })
        }
        #expect(texts == [["still here"], []])
    }

    /// Goal: nobody acts in a room that was closed to them meanwhile. Way: a user is banned from the room, and another
    /// user takes over a connection, while their requests wait behind a password.
    @Test func `a request whose sender is out of the room by its turn is refused`() async throws {
        let people = try await newcomers("ada", "bob", "mallory")
        let (ada, mallory) = (people[0], people[2])
        let open = try await room(ada, "Open")
        let own = try await room(ada, "Ada's own", ["visibility": "private"])
        try await ada.call("room.join", ["room": open, "audio": false])
        try await mallory.call("room.join", ["room": open, "audio": false])
        let proof = try mallory.begin("auth.reauthenticate", ["password": CommandStory.password])
        let said = try mallory.begin("chat.send", ["text": "still here"])
        let read = try mallory.begin("chat.history", [:])
        // Small segments wait for the acknowledgement of those before them (RFC 896).
        try await Task.sleep(for: .milliseconds(80))
        try await ada.call("room.ban", ["room": open, "user": mallory.uid])
        try await mallory.reply(proof)
        let refusals = [try await refusal(mallory, said), try await refusal(mallory, read)]
        #expect(refusals == ["room.banned", "room.banned"])

        let other = try await again(ada)
        try await other.call("room.join", ["room": own, "audio": false])
        let grant = try other.begin(
            "auth.sign_in", ["email": "bob@example.org", "password": CommandStory.password])
        let late = try other.begin("chat.send", ["text": "as bob"])
        try await other.reply(grant)
        #expect(try await refusal(other, late) == "room.not_found")
        #expect(ada.events("chat.message").isEmpty)
    }

    /// Requests after a sign-in belong to the new user, even if the connection breaks before their turn.
    @Test func `requests that wait when the connection breaks are carried out for their sender`() async throws {
        let people = try await newcomers("ada", "bob")
        let one = try await again(people[0])
        _ = try one.begin("auth.sign_in", ["email": "bob@example.org", "password": CommandStory.password])
        for number in 1...5 { _ = try one.begin("profile.update", ["bio": "Bob \(number)"]) }
        _ = try one.begin("auth.sign_out", [:])
        _ = try one.begin("profile.update", ["bio": "nobody"])
        try await Task.sleep(for: .milliseconds(80))
        one.breakOff()
        try await becomes("it is done") { try await self.bio(people[1]) == "Bob 5" }
        try await Task.sleep(for: .milliseconds(200))
        #expect(try await bio(people[0]) == nil)
        #expect(try await bio(people[1]) == "Bob 5")
    }

    @Test func `requests after a change of password are carried out for its owner`() async throws {
        let ada = try await newcomer("ada")
        for round in 0..<8 {
            let one = try await SocketClient(server, auth: nil)
            try await one.call("auth.sign_in", ["email": "ada@example.org", "password": password(round)])
            let change = try one.begin("auth.change_password", ["new_password": password(round + 1)])
            var asked: [Int] = []
            for _ in 0..<20 {
                asked.append(try one.begin("user.me", [:]))
                try await Task.sleep(for: .milliseconds(15))
            }
            try await one.reply(change)
            for number in asked {
                let me = try await one.reply(number)
                #expect((me["user"] as? [String: Any])?["uid"] as? String == ada.uid)
            }
        }
    }

    @Test func `a limited number of requests wait, and one too many is told to come later`() async throws {
        let ada = try await newcomer("ada")
        var asked: [Int] = []
        let proof = try ada.begin("auth.reauthenticate", ["password": CommandStory.password])
        let long = String(repeating: "a", count: 60_000)
        for _ in 0..<30 { asked.append(try ada.begin("profile.update", ["bio": "short", "unknown": long])) }
        var codes: [String?] = []
        for number in asked { codes.append(try await refusal(ada, number)) }
        #expect(codes.prefix(17) == Array(repeating: nil, count: 17)[...])
        #expect(codes.suffix(10) == Array(repeating: "server.busy", count: 10)[...])
        try await ada.reply(proof)
        #expect(try await bio(ada) == "short")
    }

    /// Goal: waiting requests cost their size in bytes. Way: sixteen clients have slow requests running, and send much
    /// after them that takes eight times as much once it is parsed.
    @Test func `requests that wait take the memory of their text`() async throws {
        var clients: [SocketClient] = []
        for _ in 0..<16 { clients.append(try await .guest(server)) }
        let numbers = (0..<3_900).map { $0 % 10 }
        // The memory for hashing is allocated from here on.
        _ = try await clients[0].refusal("auth.sign_in", ["email": "nobody@example.org", "password": "password"])
        let before = try memory()
        for round in 0..<2 {
            for (index, client) in clients.enumerated() {
                for number in 0..<(round == 0 ? 8 : 0) {
                    let email = "nobody-\(index)-\(number)@example.org"
                    _ = try client.begin("auth.sign_in", ["email": email, "password": "password"])
                }
                for _ in 0..<50 { _ = try client.begin("user.me", ["x": numbers]) }
            }
            try await Task.sleep(for: .seconds(1.1))
        }
        let grown = try memory() - before
        print("requests that wait: \(grown >> 10) KiB more")
        // 1600 requests of 8 KB each, and the memory of one hash at a time.
        #expect(grown < 64 << 20, "\(grown >> 10) KiB")
    }

    /// Resident bytes of the server.
    private func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(server.process.identifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
    }

    private func password(_ round: Int) -> String { round == 0 ? CommandStory.password : "another way in \(round)" }

    private func refusal(_ client: SocketClient, _ number: Int) async throws -> String? {
        do {
            try await client.reply(number)
            return nil
        } catch let refusal as SocketClient.Refusal { return refusal.code }
    }

    private func bio(_ client: SocketClient) async throws -> String? {
        let me = try await client.call("user.me")
        return (me["profile"] as? [String: Any])?["bio"] as? String
    }
}
