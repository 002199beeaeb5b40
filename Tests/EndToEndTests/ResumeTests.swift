import Foundation
import FoundationNetworking
import Testing

/// Sessions whose connections are lost and that go on. Protocol/spec/resuming.md.
@Suite(.serialized) final class ResumeTests: RoomStory {
    /// Comes back as the session of `lost`, over a new connection.
    private func comeBack(
        _ lost: SocketClient, _ point: [String: Any] = [:], auth: [String: Any]? = nil, port: String? = nil
    ) async throws -> SocketClient {
        let token = lost.welcome.data["resume_token"] as? String ?? ""
        return try await SocketClient(
            server, auth: auth ?? ["token": lost.token], resume: point.merging(["token": token]) { $1 }, port: port)
    }

    private func isResumed(_ client: SocketClient) -> Bool? { client.welcome.data["resumed"] as? Bool }

    private struct Unreadable: Error, CustomStringConvertible { var description: String }

    private func metric(_ name: String) async throws -> Int {
        // A connection may send a limited number of requests, and this one is sent often.
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        try await Task.sleep(for: .milliseconds(20))
        let (body, _) = try await session.data(from: try #require(URL(string: server.metrics)))
        let page = String(decoding: body, as: UTF8.self)
        guard let line = page.split(separator: "\n").first(where: { $0.hasPrefix(name + " ") }) else {
            throw Unreadable(description: "no \(name) among \(page.count) characters: \(page.prefix(200))")
        }
        return line.split(separator: " ").last.flatMap { Int($0) } ?? -1
    }

    /// The numbered room events that a client got, as received.
    private func room(_ client: SocketClient) -> [SocketClient.Message] {
        client.events.filter { $0.sequence != nil && $0.object["room"] != nil }
    }

    /// The users that a client was told have joined.
    private func joined(_ client: SocketClient) -> [String] {
        client.events("room.members_changed")
            .flatMap { $0.data["joined"] as? [[String: Any]] ?? [] }.compactMap { $0["uid"] as? String }
    }

    @Test func `a member who was away gets missed room events, to the byte, and none twice`() async throws {
        let people = try await newcomers("ada", "bob", "cyd")
        let (ada, bob, cy) = (people[0], people[1], people[2])
        let dan = try await newcomer("dan")
        let room = try await room(ada, "Evening")
        for person in people { try await person.call("room.join", ["room": room, "audio": false]) }
        try await ada.call("chat.send", ["text": "one"])
        let first = try await SocketClient.eventually("one") { bob.events("chat.message").first }
        try await becomes("bob has been seen") { self.joined(ada).contains(bob.uid) }
        bob.breakOff()
        try await becomes("bob is away") { try await metric("sona_sessions_away") == 1 }
        // The next news of who is here would tell that he has left.
        try await dan.call("room.join", ["room": room, "audio": false])
        try await becomes("dan has been seen") { self.joined(ada).contains(dan.uid) }
        for text in ["two", "three"] { try await ada.call("chat.send", ["text": text]) }
        try await ada.call("host.start", ["pacing": "live"])
        try await ada.call("host.track", ["track": ["title": "Song"]])
        let again = try await comeBack(bob, ["room_seq": try #require(first.sequence)])
        #expect(isResumed(again) == true)
        #expect(again.welcome.data["session"] as? String == bob.welcome.data["session"] as? String)
        let stay = try #require(again.welcome.data["stay"] as? [String: Any])
        #expect(stay["room"] as? String == room && stay["snapshot"] == nil && stay["host"] == nil)
        #expect((stay["playback"] as? [String: Any])?["state"] as? Int == 1)
        try await again.call("chat.send", ["text": "four"])
        let last = try await SocketClient.eventually("four") {
            cy.events("chat.message").first {
                $0.data["text"] as? String == "four"
                    || ($0.data["message"] as? [String: Any])?["text"] as? String == "four"
            }
        }
        _ = try await SocketClient.eventually("four again") {
            self.room(again).last?.sequence == last.sequence ? true : nil
        }
        let missed = self.room(cy).filter { ($0.sequence ?? 0) > (first.sequence ?? 0) }
        #expect(self.room(again).map(\.bytes) == missed.map(\.bytes))
        #expect(missed.count >= 5 && stay["seq"] as? Int == (last.sequence ?? 0) - 1)
        // Nobody has seen him leave.
        let changes = try ada.events("room.members_changed").map { try #require($0.data["left"] as? [String]) }
        #expect(changes.joined().isEmpty)
        try await becomes("he is counted once") { try await self.get(ada, room)["listeners"] as? Int == 3 }
        #expect(try await metric("sona_sessions_away") == 0)
    }

    @Test func `if more has happened than is kept, a snapshot takes its place`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let room = try await room(ada, "Evening")
        for person in people { try await person.call("room.join", ["room": room, "audio": false]) }
        try await ada.call("host.start", ["pacing": "live"])
        let begin = try #require(self.room(ada).last?.sequence)
        bob.breakOff()
        try await becomes("bob is away") { try await metric("sona_sessions_away") == 1 }
        for number in 0..<520 { try await ada.call("host.track", ["track": ["title": "Song \(number)"]]) }
        let again = try await comeBack(bob, ["room_seq": begin])
        let stay = try #require(again.welcome.data["stay"] as? [String: Any])
        let snapshot = try #require(stay["snapshot"] as? [String: Any])
        #expect((snapshot["room"] as? [String: Any])?["id"] as? String == room)
        #expect(snapshot["seq"] as? Int == stay["seq"] as? Int && stay["seq"] as? Int == begin + 520)
        try await again.call("user.me")
        #expect(self.room(again).isEmpty)
        // A client that has nearly everything gets the events still kept. One that claims more than there is begins
        // anew.
        again.breakOff()
        let third = try await comeBack(again, ["room_seq": begin + 8])
        try await third.call("user.me")
        #expect(self.room(third).count == 512)
        third.breakOff()
        let fourth = try await comeBack(third, ["room_seq": begin + 521])
        #expect((fourth.welcome.data["stay"] as? [String: Any])?["snapshot"] != nil)
        try await ada.call("host.stop")
    }

    @Test func `missed personal events come in order, with the reason for being in no room any more`() async throws {
        let people = try await newcomers("ada", "bob", "cyd")
        let (ada, bob, cy) = (people[0], people[1], people[2])
        let room = try await room(ada, "Evening", ["visibility": "public"])
        for person in people { try await person.call("room.join", ["room": room, "audio": false]) }
        try await bob.call("host.request")
        let asked = try await SocketClient.eventually("a request") { ada.events("host.requested").first }
        ada.breakOff()
        try await becomes("ada is away") { try await metric("sona_sessions_away") == 1 }
        try await cy.call("host.request")
        var ada2 = try await comeBack(ada, ["session_seq": asked.sequence ?? 0])
        try await ada2.call("user.me")
        #expect(ada2.events("host.requested").map(\.sequence) == [2])
        // A client that does not say what it has gets all there is.
        ada2.breakOff()
        ada2 = try await comeBack(ada)
        try await ada2.call("user.me")
        #expect(ada2.events("host.requested").map(\.sequence) == [1, 2])

        bob.breakOff()
        try await becomes("bob is away") { try await metric("sona_sessions_away") == 1 }
        try await ada2.call("room.kick", ["room": room, "user": bob.uid])
        cy.breakOff()
        try await becomes("cy, too") { try await metric("sona_sessions_away") == 2 }
        try await ada2.call("room.close", ["room": room])
        let bob2 = try await comeBack(bob)
        #expect(isResumed(bob2) == true && bob2.welcome.data["stay"] == nil)
        try await bob2.call("user.me")
        #expect(bob2.events("room.removed").count == 1 && bob2.events("room.closed").isEmpty)
        let cy2 = try await comeBack(cy)
        #expect(isResumed(cy2) == true && cy2.welcome.data["stay"] == nil)
        try await cy2.call("user.me")
        #expect(cy2.events("room.closed").count == 1)
        #expect(try await cy2.refusal("room.leave")?.code == "room.not_joined")
    }

    @Test func `only the same user with a valid token goes on, everybody else gets a fresh session`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let room = try await room(ada, "Evening")
        for person in people { try await person.call("room.join", ["room": room, "audio": false]) }
        bob.breakOff()
        try await becomes("bob is away") { try await metric("sona_sessions_away") == 1 }
        let thief = try await comeBack(bob, auth: ["token": ada.token])
        #expect(isResumed(thief) == false && thief.uid == ada.uid)
        #expect(thief.welcome.data["session"] as? String != bob.welcome.data["session"] as? String)
        #expect(isResumed(try await comeBack(bob, auth: ["guest": true])) == false)
        let token = try #require(bob.welcome.data["resume_token"] as? String)
        for forged in ["t", String(token.dropLast()), token + "A", String(token.reversed()), "B" + token.dropFirst()] {
            let client = try await SocketClient(server, auth: ["token": bob.token], resume: ["token": forged])
            #expect(isResumed(client) == false, "\(forged)")
            #expect(try await client.refusal("room.leave")?.code == "room.not_joined")
        }
        let refused = try await SocketClient(server, auth: nil, resume: ["token": token])
        #expect(isResumed(refused) == false && refused.uid.isEmpty)
        #expect(isResumed(try await SocketClient(server, auth: ["token": bob.token])) == nil)
        #expect(isResumed(try await comeBack(bob)) == true, "nobody has taken it from him")
    }

    @Test func `a connection that is still there is closed with 4409 when its session goes on elsewhere`() async throws
    {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let room = try await room(ada, "Evening")
        for person in people { try await person.call("room.join", ["room": room, "audio": false]) }
        // Nobody is told of a user who comes and goes within a second.
        try await becomes("bob has been seen") { self.joined(ada).contains(bob.uid) }
        let second = try await comeBack(bob)
        let third = try await comeBack(bob)
        for (client, name) in [(bob, "the first"), (second, "the second")] {
            _ = try await SocketClient.eventually("the end of \(name)") { client.isOver ? true : nil }
            #expect(client.closeCode == 4409, "\(name)")
        }
        try await third.call("chat.send", ["text": "here"])
        #expect(try await metric("sona_listeners") == 2)
        #expect(try await metric("sona_sessions") == 2)
        #expect(!third.isOver)
        // A plain connection of the same user takes over no other.
        _ = try await again(bob)
        try await third.call("user.me")
        third.sayGoodbye()
        try await becomes("who says goodbye is gone at once") {
            let left = ada.events("room.members_changed").flatMap { $0.data["left"] as? [Any] ?? [] }
            return try await metric("sona_sessions_away") == 0 && left.count == 1
        }
        #expect(isResumed(try await comeBack(bob)) == false)
    }

    @Test func `four sessions of a user are kept, and the first lost one ends for the fifth`() async throws {
        let people = try await newcomers("ada", "bob")
        let room = try await room(people[0], "Evening")
        var lost: [SocketClient] = []
        for number in 0..<6 {
            let client = try await again(people[1])
            try await client.call("room.join", ["room": room, "audio": false])
            client.breakOff()
            try await becomes("\(number) is away") {
                let (away, here) = (try await metric("sona_sessions_away"), try await metric("sona_sessions"))
                return away == min(number + 1, 4) && here == 2
            }
            lost.append(client)
        }
        var back: [Bool?] = []
        for client in lost { back.append(isResumed(try await comeBack(client))) }
        #expect(back == [false, false, true, true, true, true])
    }

    @Test func `an answer belongs to the connection on which the request was sent`() async throws {
        let people = try await newcomers("ada", "bob")
        let ada = people[0]
        let room = try await room(ada, "Evening")
        for person in people { try await person.call("room.join", ["room": room, "audio": false]) }
        try await ada.call("host.start", ["pacing": "live"])
        // The host is asked and is away before it answers.
        _ = try ada.begin("playback.seek", ["position_us": 1_000_000])
        let command = try await SocketClient.eventually("a command") { ada.events("host.command").first }
        let again = try await comeBack(ada)
        let stay = try #require(again.welcome.data["stay"] as? [String: Any])
        #expect((stay["host"] as? [String: Any])?["epoch"] != nil, "the host is the host")
        try await again.call(
            "host.reject", ["command": command.data["command"] ?? 0, "code": "host.refused", "message": "no"])
        try await again.call("user.me")
        #expect(again.events("host.command").isEmpty, "a command is not repeated")
        #expect(again.untakenReplies.isEmpty, "the answer to the seek was for the lost connection")
        try await again.call("host.stop")
    }
}

/// The same with other settings.
@Suite(.serialized) struct ResumeLimitTests {
    @Test func `a user who does not come back in time has left`() async throws {
        let server = try await TestServer(["--demo", "--resume-seconds", "1"])
        let witness = try await SocketClient.guest(server)
        let guest = try await SocketClient.guest(server)
        #expect(guest.welcome.data["resume_s"] as? Int == 1)
        for client in [witness, guest] { try await client.call("room.join", ["room": "@demo"]) }
        let token = try #require(guest.welcome.data["resume_token"] as? String)
        guest.breakOff()
        try await Task.sleep(for: .milliseconds(500))
        let back = try await SocketClient(server, auth: ["token": guest.token], resume: ["token": token])
        #expect(back.welcome.data["resumed"] as? Bool == true)
        back.breakOff()
        let left = try await SocketClient.eventually("that a guest has left", within: 5) {
            witness.events("room.members_changed").first { !($0.data["left"] as? [Any] ?? []).isEmpty }
        }
        #expect((left.data["left"] as? [String])?.contains(guest.uid) == true)
        let late = try await SocketClient(server, auth: ["token": guest.token], resume: ["token": token])
        #expect(late.welcome.data["resumed"] as? Bool == false)
        #expect(try await late.refusal("room.leave")?.code == "room.not_joined")
    }

    @Test func `a server may keep no sessions`() async throws {
        let server = try await TestServer(["--demo", "--resume-seconds", "0"])
        let guest = try await SocketClient.guest(server)
        try await guest.call("room.join", ["room": "@demo"])
        guest.breakOff()
        try await Task.sleep(for: .milliseconds(300))
        let token = try #require(guest.welcome.data["resume_token"] as? String)
        let late = try await SocketClient(server, auth: ["token": guest.token], resume: ["token": token])
        #expect(late.welcome.data["resumed"] as? Bool == false)
    }
}
