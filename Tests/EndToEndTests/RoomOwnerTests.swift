import Foundation
import Testing

/// Owners' changes to their rooms, and the events for members inside.
@Suite(.serialized) final class RoomOwnerTests: RoomStory {
    /// Room events that somebody got after their snapshot.
    private func heard(_ member: SocketClient, _ room: String) -> [SocketClient.Message] {
        member.events.filter { $0.object["room"] as? String == room && $0.sequence != nil }
    }

    private func isGapless(_ events: [SocketClient.Message], after snapshot: [String: Any]) -> Bool {
        let first = (snapshot["seq"] as? Int ?? -1) + 1
        return events.map(\.sequence) == (first..<first + events.count).map { $0 }
    }

    @Test func `members hear of every change once, in order and without a gap`() async throws {
        let people = try await newcomers("ada", "bob", "cleo")
        let (ada, bob, cleo) = (people[0], people[1], people[2])
        let id = try await room(ada, "One", ["tags": ["a", "b"], "description": "Old"])
        let bobs = try await bob.call("room.join", ["room": id])
        try await update(ada, id, ["title": "Two"])
        let cleos = try await cleo.call("room.join", ["room": id, "audio": false])
        #expect((cleos["room"] as? [String: Any])?["title"] as? String == "Two")
        let changes: [[String: Any]] = [
            ["tags": ["z", "a"]], ["description": "New\nlines"], ["description": ""], ["guests": false],
            ["on_private": "leave"], ["delivery": "interactive", "lead_ms": 150], ["tags": [String]()],
            ["title": "東京"], ["visibility": "public"],
        ]
        for (index, change) in changes.enumerated() {
            try await update(ada, id, change)
            // The last change has no effect. Of changes within half a second only the last is announced.
            guard index < changes.count - 1 else { break }
            try await becomes("change \(index)") { self.heard(cleo, id).count > index }
        }
        // A value that is set already is no change, and neither is an empty request.
        for change in [["title": "東京"], ["guests": false], ["delivery": "interactive"], [:]] as [[String: Any]] {
            try await update(ada, id, change)
        }
        try await update(ada, id, ["title": "The end"])
        try await becomes("the last change") {
            [bob, cleo].allSatisfy { member in
                let room = self.heard(member, id).last?.data["room"] as? [String: Any]
                return room?["title"] as? String == "The end"
            }
        }
        #expect(isGapless(heard(bob, id), after: bobs) && isGapless(heard(cleo, id), after: cleos))
        // The last change repeats the present values.
        #expect(heard(cleo, id).count == changes.count, "what is no change is not told")
        #expect(heard(bob, id).count == heard(cleo, id).count + 1)
        let now = try await get(bob, id)
        #expect(now["lead_ms"] as? Int == 150 && now["delivery"] as? String == "interactive")
        #expect(now["description"] is NSNull && now["tags"] as? [String] == [])
        #expect(now["guests"] as? Bool == false && now["on_private"] as? String == "leave")
    }

    @Test func `only the owner makes changes, within limits`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let guest = try await SocketClient.guest(server)
        let id = try await room(ada, "Ada's")
        let hidden = try await room(ada, "Hidden", ["visibility": "private"])
        for type in ["room.update", "room.close", "room.remove_picture"] {
            for stranger in [bob, guest] {
                let refused = try await stranger.refusal(type, ["room": id])
                let isGuest = stranger === guest
                #expect(isGuest || refused?.code == "room.forbidden", "\(type): \(refused?.description ?? "done")")
                #expect(refused?.permission == (isGuest ? "rooms.control" : "manage"))
                if !isGuest {
                    #expect(try await stranger.refusal(type, ["room": hidden])?.code == "room.not_found")
                }
            }
            #expect(try await ada.refusal(type, ["room": "0000000000000000000a"])?.code == "room.not_found")
        }
        let nine = (0..<9).map { "t\($0)" }
        let faults: [(String, [String: Any])] = [
            ("title", ["title": ""]), ("title", ["title": String(repeating: "x", count: 201)]),
            ("title", ["title": "a\u{85}b"]), ("tags", ["tags": nine]), ("tags[1]", ["tags": ["a", ""]]),
            ("tags[0]", ["tags": [String(repeating: "é", count: 17)]]), ("tags", ["tags": "a"]),
            ("description", ["description": String(repeating: "x", count: 1_001)]),
            ("visibility", ["visibility": "secret"]), ("guests", ["guests": 1]), ("on_private", ["on_private": "go"]),
            ("lead_ms", ["lead_ms": 149]), ("lead_ms", ["lead_ms": 10_001]), ("delivery", ["delivery": "pigeon"]),
        ]
        for (field, change) in faults {
            let refused = try await ada.refusal(
                "room.update", change.merging(["room": id, "title": "Never"]) { a, _ in a })
            #expect(
                refused?.code == "request.invalid" && refused?.field == "data.\(field)",
                "\(field): \(String(describing: refused))")
        }
        #expect(try await get(ada, id)["title"] as? String == "Ada's")
        try await update(
            ada, id,
            [
                "title": String(repeating: "é", count: 100), "tags": Array(nine.dropLast()),
                "description": String(repeating: "\n", count: 1_000),
            ])
        #expect((try await get(bob, id)["tags"] as? [String])?.count == 8)
    }

    @Test(arguments: ["stay", "leave"])
    func `members of a room that turns private stay or leave`(policy: String) async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let guest = try await SocketClient.guest(server)
        let id = try await room(ada, "Evening")
        try await play(ada, id, title: "T", artist: "A")
        let other = try await again(ada)
        var snapshots: [(SocketClient, [String: Any])] = []
        for member in [other, bob, guest] {
            snapshots.append((member, try await member.call("room.join", ["room": id])))
        }
        try await update(ada, id, ["visibility": "private", "on_private": policy])
        try await ada.call("host.track", ["track": ["title": "After"]])
        try await update(ada, id, ["title": "Late"])
        try await becomes("the owner hears all") { self.heard(other, id).count == 3 }
        for (member, snapshot) in snapshots {
            let isPutOut = policy == "leave" && member !== other
            try await becomes("events") { self.heard(member, id).count == (isPutOut ? 1 : 3) }
            let events = heard(member, id)
            #expect(isGapless(events, after: snapshot))
            #expect(events.first?.type == (isPutOut ? "room.closed" : "room.updated"))
            #expect(!isPutOut || events.first?.data["reason"] as? String == "went_private")
            guard member !== other else { continue }
            #expect(try await member.refusal("room.join", ["room": id])?.code == "room.not_found")
            #expect(try await member.refusal("room.leave")?.code == (isPutOut ? "room.not_joined" : nil))
        }
        let now = try await get(ada, id)
        #expect(now["live"] as? Bool == true && now["host_state"] as? String == "here")
        try await becomes("listeners") { try await get(ada, id)["listeners"] as? Int == 1 }
        // The policy after the request counts, and a room that is public again is open to all.
        try await update(ada, id, ["visibility": "public"])
        try await bob.call("room.join", ["room": id])
    }

    @Test func `sound goes on without a gap when a room turns private`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let music = server.file("music.opus")
        try await Sources.opus(music, seconds: 8)
        let host = try server.start("ada", "broadcast", music, "--title", "Evening")
        let id = try await host.line()
        let own = try server.start("ada", "listen", id, "--stats")
        let stays = try server.start("bob", "listen", id, "--stats")
        try await Task.sleep(for: .seconds(2))
        expect(try await server.run("ada", "rooms", "update", id, "--private"), 0, "private")
        let stayed = await stays.ending()
        expect(stayed, 0, #""lost":0"#)
        expect(await own.ending(), 0, #""lost":0"#)
        #expect(await host.ending().status == 0)
        expect(try await server.run("bob", "listen", id), 66, "room.not_found")
    }

    @Test func `a closed room is over for everybody`() async throws {
        let people = try await newcomers("ada", "bob", "cleo")
        let (ada, bob, cleo) = (people[0], people[1], people[2])
        let guest = try await SocketClient.guest(server)
        let id = try await room(ada, "Evening")
        let hidden = try await room(ada, "Hidden", ["visibility": "private"])
        let rest = try await room(ada, "Rest")
        for number in 0..<5 { _ = try await room(ada, "More \(number)", ["visibility": "private"]) }
        #expect(try await ada.refusal("room.create")?.code == "room.limit_reached")
        let image = PictureFile.png(side: 64)
        let sent = try await http("POST", "/v1/rooms/\(id)/picture", token: ada.token, body: image)
        #expect(sent.status == 200)
        let photo = try #require((try await get(bob, id)["picture"] as? [String: Any])?["id"] as? String)
        try await play(ada, id, title: "T", artist: "A")
        let first = try await cleo.call("room.watch")
        let snapshot = try await bob.call("room.join", ["room": id])
        #expect((try await guest.call("room.get", ["room": "@ada"])["room"] as? [String: Any])?["id"] as? String == id)

        try await ada.call("room.close", ["room": id])
        for member in [ada, bob] {
            try await becomes("room.closed") { self.heard(member, id).last?.type == "room.closed" }
            #expect(heard(member, id).last?.data["reason"] as? String == "closed_by_owner")
            #expect(try await member.refusal("room.leave")?.code == "room.not_joined")
        }
        #expect(isGapless(heard(bob, id), after: snapshot))
        #expect(member(bob, id, "stream.ended")?["reason"] as? String == "closed")
        for reader in [ada, bob, cleo, guest] {
            for type in ["room.get", "room.join", "playback.get", "room.close", "room.update", "room.remove_picture"] {
                let refused = try await reader.refusal(type, ["room": id])?.code
                let needsRights = reader === guest && type.hasSuffix("e") && type != "room.get"
                #expect(needsRights || refused == "room.closed", "\(type): \(refused ?? "done")")
            }
            #expect(!(try await found(reader, "").contains(id)))
            let ofAda = try await reader.call("room.get", ["room": "@ada"])["room"] as? [String: Any]
            #expect(reader === ada || ofAda?["id"] as? String == rest)
            #expect(ofAda?["id"] as? String != id)
        }
        try await ada.call("room.close", ["room": hidden])
        #expect(try await bob.refusal("room.get", ["room": hidden])?.code == "room.not_found")
        #expect(try await ada.refusal("room.get", ["room": hidden])?.code == "room.closed")
        #expect(try await bob.refusal("room.close", ["room": hidden])?.code == "room.not_found")
        try await becomes("it leaves the list") { WatchedList(first, cleo).order == [rest] }
        let again = try await http("POST", "/v1/rooms/\(id)/picture", token: ada.token, body: image)
        #expect(again.status == 410 || String(decoding: again.body, as: UTF8.self).contains("room.closed"))
        #expect(try await http("GET", "/v1/photos/\(photo)/full").status == 404, "its picture is gone")
        for _ in 0..<2 { _ = try await room(ada, "New", ["visibility": "private"]) }
        #expect(try await ada.refusal("room.create")?.code == "room.limit_reached")
        // Users who could not see the room when it was closed are told nothing, not even later; neither are users whom
        // its owner blocks.
        try await ada.call("people.block", ["user": bob.uid])
        #expect(try await bob.refusal("room.get", ["room": rest])?.code == "room.not_found")
        try await ada.call("room.close", ["room": rest])
        #expect(try await bob.refusal("room.get", ["room": rest])?.code == "room.not_found")
        #expect(try await cleo.refusal("room.get", ["room": "@ada"])?.code == "room.not_found")
    }

    private func member(_ member: SocketClient, _ room: String, _ type: String) -> [String: Any]? {
        heard(member, room).last { $0.type == type }?.data
    }

    @Test func `guests stay outside of rooms that do not allow them`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let (inside, outside) = (try await SocketClient.guest(server), try await SocketClient.guest(server))
        let id = try await room(ada, "Evening")
        try await inside.call("room.join", ["room": id])
        try await update(ada, id, ["guests": false])
        try await becomes("the guest inside hears of it") { !self.heard(inside, id).isEmpty }
        #expect(try await outside.refusal("room.join", ["room": id])?.code == "room.guests_not_allowed")
        #expect(try await found(outside, "evening") == [id])
        try await bob.call("room.join", ["room": id])
        try await update(ada, id, ["title": "Later"])
        try await becomes("and of what follows") { self.heard(inside, id).count == 2 }
        try await inside.call("room.leave")
        #expect(try await inside.refusal("room.join", ["room": id])?.code == "room.guests_not_allowed")
        let never = try await room(ada, "Never", ["guests": false])
        #expect(try await outside.refusal("room.join", ["room": never])?.code == "room.guests_not_allowed")
        try await update(ada, never, ["guests": true])
        try await outside.call("room.join", ["room": never])
    }

    @Test func `the delivery cannot be changed while a room plays`() async throws {
        let ada = try await newcomer("ada")
        let id = try await room(ada, "Evening", ["delivery": "party", "lead_ms": 600])
        try await play(ada, id, title: "T", artist: "A")
        for (field, value) in [("delivery", "interactive"), ("lead_ms", 700)] as [(String, Any)] {
            let refused = try await ada.refusal("room.update", ["room": id, "title": "Never", field: value])
            #expect(refused?.code == "room.live" && refused?.field == "data.\(field)", "\(String(describing: refused))")
        }
        #expect(try await get(ada, id)["title"] as? String == "Evening", "an error changes nothing")
        try await update(ada, id, ["delivery": "party", "lead_ms": 600, "title": "Still"])
        try await ada.call("host.stop")
        try await update(ada, id, ["delivery": "interactive", "lead_ms": 700])
        let started = try await ada.call(
            "host.start", ["pacing": "live", "stream": ["codec": "opus", "channels": 1, "pre_skip": 0]])
        #expect(started["lead_us"] as? Int == 700_000)
    }

    @Test func `only the owner sets, replaces and removes pictures`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let guest = try await SocketClient.guest(server)
        let id = try await room(ada, "Evening")
        let hidden = try await room(ada, "Hidden", ["visibility": "private"])
        let path = "/v1/rooms/\(id)/picture"
        let image = PictureFile.png(side: 64)
        let snapshot = try await bob.call("room.join", ["room": id])
        func code(_ path: String, _ token: String?, _ body: Data) async throws -> String {
            let answer = try await http("POST", path, token: token, body: body)
            let json = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
            return (json?["error"] as? [String: Any])?["code"] as? String ?? "\(answer.status)"
        }
        #expect(try await code(path, ada.token, image) == "200")
        let first = try #require((try await get(guest, id)["picture"] as? [String: Any])?["id"] as? String)
        #expect(try await http("GET", "/v1/photos/\(first)/full").status == 200)
        #expect(try await code(path, ada.token, image) == "200")
        let second = try #require((try await get(guest, id)["picture"] as? [String: Any])?["id"] as? String)
        #expect(first != second)
        #expect(try await http("GET", "/v1/photos/\(first)/full").status == 404)

        #expect(try await code(path, bob.token, image) == "room.forbidden")
        #expect(["room.forbidden", "auth.account_required"].contains(try await code(path, guest.token, image)))
        #expect(try await code(path, nil, image) == "auth.required")
        #expect(try await code("/v1/rooms/\(hidden)/picture", bob.token, image) == "room.not_found")
        #expect(try await code("/v1/rooms/@ada/picture", ada.token, image) == "room.not_found")
        #expect(try await code("/v1/rooms//picture", ada.token, image) == "room.not_found")
        #expect(try await code("/v1/rooms/0000000000000000000a/picture", ada.token, image) == "room.not_found")
        #expect(try await code(path, ada.token, Data("no picture".utf8)) == "photo.type_unsupported")
        #expect(try await code(path, ada.token, Data(count: 5_242_881)) == "photo.too_large")
        #expect((try await get(ada, id)["picture"] as? [String: Any])?["id"] as? String == second)

        for _ in 0..<2 { try await ada.call("room.remove_picture", ["room": id]) }
        #expect(try await get(bob, id)["picture"] is NSNull)
        #expect(try await http("GET", "/v1/photos/\(second)/full").status == 404)
        try await becomes("members hear of it") {
            let room = self.heard(bob, id).last?.data["room"] as? [String: Any]
            return room?["picture"] is NSNull && self.heard(bob, id).count >= 2
        }
        #expect(isGapless(heard(bob, id), after: snapshot))
    }

    @Test func `after SIGKILL rooms are as they were, and found`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let id = try await room(
            ada, "Café Süd",
            [
                "tags": ["ambient", "夜"], "description": "Two\nlines", "guests": false, "on_private": "leave",
                "delivery": "interactive", "lead_ms": 250,
            ])
        let closed = try await room(ada, "Closed")
        let hidden = try await room(ada, "Hidden", ["visibility": "private"])
        let sent = try await http("POST", "/v1/rooms/\(id)/picture", token: ada.token, body: PictureFile.png(side: 64))
        #expect(sent.status == 200)
        try await ada.call("room.close", ["room": closed])
        try await update(ada, id, ["title": "Café Nord"])
        let before = try await get(bob, id)
        server.process.signal(SIGKILL)
        _ = await server.process.ending()

        let after = try await TestServer(folder: server.folder, RoomStory.options, port: server.port)
        let (adaAgain, bobAgain) = (try await again(ada), try await again(bob))
        #expect(try await get(bobAgain, id) as NSDictionary == before as NSDictionary)
        for query in ["cafe nord", "ambi", "夜", "ada"] { #expect(try await found(bobAgain, query) == [id]) }
        #expect(try await found(bobAgain, "") == [id])
        #expect(Set(try await found(adaAgain, "")) == [id, hidden])
        #expect(try await bobAgain.refusal("room.get", ["room": closed])?.code == "room.closed")
        #expect(try await bobAgain.refusal("room.get", ["room": hidden])?.code == "room.not_found")
        let guest = try await SocketClient.guest(after)
        #expect(try await guest.refusal("room.join", ["room": id])?.code == "room.guests_not_allowed")
        #expect(await after.stop().status == 0)
    }
}
