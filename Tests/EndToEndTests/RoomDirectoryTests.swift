import Foundation
import Testing

/// Searches for rooms: who finds which, and who does not.
@Suite(.serialized) final class RoomDirectoryTests: RoomStory {
    @Test func `a room that turns private leaves the searches and lists of others, and comes back`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob, guest) = (people[0], people[1], try await SocketClient.guest(server))
        let id = try await room(ada, "Night music")
        let other = try await room(ada, "Nocturnes")
        let lists = [
            (bob, try await bob.call("room.watch", ["query": "ni"])),
            (guest, try await guest.call("room.watch")),
        ]
        for reader in [ada, bob, guest] { #expect(try await found(reader, "night") == [id]) }
        for visibility in ["private", "public", "private"] {
            try await update(ada, id, ["visibility": visibility])
            let isPublic = visibility == "public"
            for reader in [bob, guest] {
                try await becomes("\(visibility) for others") {
                    try await found(reader, "night").contains(id) == isPublic
                }
                #expect(try await found(reader, "").count == (isPublic ? 2 : 1))
                let refused = try await reader.refusal("room.get", ["room": id])
                #expect(refused?.code == (isPublic ? nil : "room.not_found"))
                #expect(try await reader.refusal("room.join", ["room": id])?.code == refused?.code)
                // A member who stays inside may see it, private or not.
                if isPublic { try await reader.call("room.leave") }
            }
            for (reader, first) in lists {
                try await becomes("\(visibility) in lists") {
                    WatchedList(first, reader).order.contains(id) == isPublic
                }
                #expect(WatchedList(first, reader).faults == [])
            }
            #expect(try await found(ada, "night") == [id])
            #expect(try await found(ada, "").count == 2)
        }
        let list = try await bob.call("room.list")
        #expect(Self.identifiers(list["rooms"]) == [other])
        #expect(Self.identifiers(try await ada.call("room.list", ["mine": true])["rooms"]).count == 2)
    }

    @Test func `words are found in any place and any script`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let cafe = try await room(ada, "Café  Süd", ["tags": ["Ambient drone", "Łódź"]])
        let tokyo = try await room(bob, "東京の夜 ラジオ")
        let playing = try await room(bob, "Untitled")
        try await play(bob, playing, title: "Gymnopédie No. 1", artist: "Erik SATIE")
        let hits: [(String, [String])] = [
            ("cafe", [cafe]), ("CAFÉ sud", [cafe]), ("sud caf", [cafe]), ("caf ", [cafe]), ("caf sü", [cafe]),
            ("afe", []), ("café ", [cafe]),
            ("dron", [cafe]), ("lodz", [cafe]), ("ada", [cafe]), ("ambient ad", [cafe]), ("ａｄａ", [cafe]),
            ("東京", [tokyo]), ("夜", [tokyo]), ("ラジオ", [tokyo]), ("gymnopedie", [playing]),
            ("satie gymno", [playing]), ("satie bob unt", [playing]), ("satie cafe", []), ("nothing", []),
            ("\u{200B}", [playing, tokyo, cafe]), ("   ", [playing, tokyo, cafe]),
        ]
        for (query, expected) in hits {
            try await becomes("\"\(query)\" finds \(expected.count)") {
                Set(try await found(ada, query)) == Set(expected)
            }
        }
        // Live rooms come first.
        #expect(try await found(ada, "").first == playing)
        try await bob.call("host.track", ["track": ["title": "Vexations"]])
        try await becomes("the next track is found") { try await found(ada, "vexa") == [playing] }
        try await becomes("the last one is not") { try await found(ada, "gymno") == [] }
        #expect(
            try await ada.refusal("room.search", ["query": String(repeating: "a", count: 101)])?.field == "data.query")
        #expect(try await ada.refusal("room.search", ["query": "a\nb"])?.field == "data.query")
        #expect(try await ada.refusal("room.search")?.field == "data.query")
        for limit in [0, 101] {
            #expect(try await ada.refusal("room.search", ["query": "", "limit": limit])?.field == "data.limit")
            #expect(try await ada.refusal("room.watch", ["limit": limit])?.field == "data.limit")
        }
    }

    @Test func `a host who is renamed is found by the new name alone`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let id = try await room(ada, "Quiet")
        let first = try await bob.call("room.watch")
        #expect(try await found(bob, "ada") == [id])
        try await ada.call("username.change", ["old_username": "ada", "username": "lovelace"])
        try await becomes("the new name finds it") { try await found(bob, "lovelace") == [id] }
        #expect(try await found(bob, "ada") == [])
        try await becomes("the list has the new name") {
            let owner = WatchedList(first, bob).rooms[id]?["owner"] as? [String: Any]
            return owner?["username"] as? String == "lovelace"
        }
    }

    @Test func `rooms of friends and followed users have their own lists, and blocks hide rooms`() async throws {
        let people = try await newcomers("ada", "bob", "cleo", "dora", "eve")
        let (ada, bob, cleo, dora) = (people[0], people[1], people[2], people[3])
        let bobs = try await room(bob, "Bob's")
        let cleos = try await room(cleo, "Cleo's")
        let doras = try await room(dora, "Dora's")
        let mine = try await room(ada, "Mine")
        for (one, other) in [(ada, bob), (bob, ada), (ada, cleo), (dora, ada)] {
            try await one.call("people.follow", ["user": other.uid])
        }
        #expect(try await found(ada, "", scope: "friends") == [bobs])
        #expect(Set(try await found(ada, "", scope: "following")) == [bobs, cleos])
        #expect(try await found(ada, "cl", scope: "following") == [cleos])
        #expect(Set(try await found(ada, "")) == [bobs, cleos, doras, mine])
        let guest = try await SocketClient.guest(server)
        for (type, data) in [("room.search", ["query": ""]), ("room.watch", [:])] {
            for scope in ["friends", "following"] {
                let refused = try await guest.refusal(type, data.merging(["scope": scope]) { $1 })
                #expect(refused?.code == "auth.account_required" && refused?.permission == "people.find")
            }
        }
        let first = try await ada.call("room.watch", ["scope": "following"])
        #expect(Set(WatchedList(first).order) == [bobs, cleos])

        try await dora.call("people.block", ["user": ada.uid])
        try await ada.call("people.block", ["user": cleo.uid])
        #expect(Set(try await found(ada, "")) == [bobs, mine])
        #expect(Set(try await found(dora, "")) == [bobs, cleos, doras])
        #expect(Set(try await found(cleo, "")) == [bobs, cleos, doras])
        #expect(try await found(ada, "", scope: "following") == [bobs])
        try await becomes("whom one blocks leaves the list") { WatchedList(first, ada).order == [bobs] }
        try await ada.call("people.unfollow", ["user": bob.uid])
        #expect(try await found(ada, "", scope: "following") == [])
        try await dora.call("people.unblock", ["user": ada.uid])
        #expect(Set(try await found(ada, "")) == [bobs, doras, mine])
        try await ada.call("people.follow", ["user": dora.uid])
        // Follows show in the list when it is looked up again: after a while, or with the reader's next block.
        try await ada.call("people.block", ["user": people[4].uid])
        try await becomes("the list follows") { WatchedList(first, ada).order == [doras] }
        #expect(WatchedList(first, ada).faults == [])
        // A private room is in no scope but its owner's.
        try await update(dora, doras, ["visibility": "private"])
        try await becomes("what turns private leaves it") { WatchedList(first, ada).order == [] }
        #expect(try await found(ada, "", scope: "following") == [])
    }

    @Test func `pages of sixty rooms hold together while others come and go`() async throws {
        var owners: [SocketClient] = []
        for number in 0..<8 { owners.append(try await newcomer("owner\(number)")) }
        var rooms: [String] = []
        for number in 0..<60 { rooms.append(try await room(owners[number % 8], "Set \(number)")) }
        let reader = try await newcomer("reader")
        var page = try await reader.call("room.search", ["query": "set", "limit": 7])
        #expect(page["count"] as? Int == 60)
        var seen = Self.identifiers(page["rooms"])
        var gone: Set<String> = []
        var step = 0
        while let cursor = page["next_cursor"] as? String {
            // One shown room and one room still to come leave, one changes, one moves to the front, one comes.
            let candidates = rooms.indices.filter { !gone.contains(rooms[$0]) }
            let leaving = candidates[step * 13 % candidates.count]
            gone.insert(rooms[leaving])
            if step % 2 == 0 {
                try await owners[leaving % 8].call("room.close", ["room": rooms[leaving]])
            } else {
                try await update(owners[leaving % 8], rooms[leaving], ["visibility": "private"])
            }
            let changing = candidates[(step * 7 + 1) % candidates.count]
            if !gone.contains(rooms[changing]) {
                try await update(owners[changing % 8], rooms[changing], ["tags": ["step \(step)"]])
                try await play(owners[changing % 8], rooms[changing], title: "T", artist: "A")
            }
            page = try await reader.call("room.search", ["query": "set", "limit": 7, "cursor": cursor])
            let ids = Self.identifiers(page["rooms"])
            #expect(ids.count <= 7)
            #expect(gone.isDisjoint(with: ids), "what is gone is shown")
            seen += ids
            step += 1
            try #require(step < 60, "the last page never comes")
        }
        #expect(Set(seen).count == seen.count, "a room is on two pages")
        #expect(Set(rooms).subtracting(gone).isSubset(of: seen), "a room that was there all the time is missing")
        #expect(step > 5)
    }

    @Test func `a cursor belongs to its query, its scope and its caller`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        for owner in people {
            let other = owner === ada ? bob : ada
            try await owner.call("people.follow", ["user": other.uid])
            for number in 0..<3 { _ = try await room(owner, "Set \(number)") }
        }
        func cursor(_ scope: String) async throws -> String {
            let page = try await ada.call("room.search", ["query": "set", "scope": scope, "limit": 1])
            return try #require(page["next_cursor"] as? String)
        }
        func code(_ reader: SocketClient, _ query: String, _ scope: String, _ cursor: String) async throws -> String? {
            try await reader.refusal(
                "room.search", ["query": query, "scope": scope, "limit": 1, "cursor": cursor])?.code
        }
        let (all, friends) = (try await cursor("all"), try await cursor("friends"))
        #expect(try await code(ada, "set", "all", all) == nil)
        #expect(try await code(bob, "set", "all", all) == "request.invalid")
        #expect(try await code(ada, "sets", "all", all) == "request.invalid")
        #expect(try await code(ada, "set", "friends", all) == "request.invalid")
        #expect(try await code(ada, "set", "following", friends) == "request.invalid")
        #expect(try await code(ada, "set", "all", "ffff.1") == "request.invalid")
        for junk in ["0", ".", "-1.0", String(repeating: "f", count: 256), String(repeating: "f", count: 257), ""] {
            #expect(try await code(ada, "set", "all", junk) == "request.invalid")
        }
    }
}
