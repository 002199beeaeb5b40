import Foundation
import Testing

/// What is done to one room by several at once.
@Suite(.serialized) final class RoomRaceTests: RoomStory {
    private static let rounds = 30

    /// Goal: the room that lives, the one that is found, the one that is told and the one that is stored are one. Way:
    /// titles from four connections at once, of a room that is awake and of one that is asleep; a restart at the end.
    @Test(arguments: [true, false])
    func `after many changes at once everybody agrees`(isAwake: Bool) async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let id = try await room(ada, "Title")
        let first = try await bob.call("room.watch")
        if isAwake { try await bob.call("room.join", ["room": id]) }
        var owners: [SocketClient] = []
        for _ in 0..<4 { owners.append(try await again(ada)) }
        for round in 0..<Self.rounds {
            var asked: [(SocketClient, Int)] = []
            for (number, owner) in owners.enumerated() {
                let change = ["room": id, "title": "Round \(round) by \(number)"]
                asked.append((owner, try owner.begin("room.update", change)))
            }
            for (owner, request) in asked { try await owner.reply(request) }
            let now = try await get(bob, id)["title"] as? String
            let page = try await bob.call("room.search", ["query": ""])
            let found = (page["rooms"] as? [[String: Any]])?.first?["title"] as? String
            #expect(found == now, "the directory is behind in round \(round)")
            if isAwake {
                try await becomes("members agree in round \(round)") {
                    let told = bob.events("room.updated").last?.data["room"] as? [String: Any]
                    return told?["title"] as? String == now
                }
            }
        }
        try await becomes("the list agrees") {
            let listed = WatchedList(first, bob).rooms[id]?["title"] as? String
            return try await self.get(bob, id)["title"] as? String == listed
        }
        let last = try await get(bob, id)["title"] as? String
        server.process.signal(SIGKILL)
        _ = await server.process.ending()
        let after = try await TestServer(folder: server.folder, ["--exempt", "127.0.0.1"], port: server.port)
        #expect(try await get(try await again(bob), id)["title"] as? String == last, "what is stored is another")
        #expect(await after.stop().status == 0)
    }

    @Test func `nobody gets into a room that is being closed`() async throws {
        let ada = try await newcomer("ada")
        for round in 0..<Self.rounds {
            let id = try await room(ada, "Evening")
            let bob = try await SocketClient.guest(server)
            let joining = try bob.begin("room.join", ["room": id])
            let closing = try ada.begin("room.close", ["room": id])
            let isInside = try await didSucceed(bob, joining)
            try await ada.reply(closing)
            if isInside {
                try await becomes("who came in is put out in round \(round)", within: 3) {
                    !bob.events("room.closed").isEmpty
                }
            }
            #expect(try await bob.refusal("room.leave")?.code == "room.not_joined", "round \(round)")
            #expect(try await bob.refusal("room.join", ["room": id])?.code == "room.closed", "round \(round)")
            #expect(try await found(bob, "") == [], "round \(round)")
        }
    }

    @Test func `a room that turns private is private to all, whoever comes in meanwhile`() async throws {
        let ada = try await newcomer("ada")
        let late = try await SocketClient.guest(server)
        for round in 0..<Self.rounds {
            let id = try await room(ada, "Evening", ["on_private": "leave"])
            let bob = try await SocketClient.guest(server)
            let joining = try bob.begin("room.join", ["room": id])
            let hiding = try ada.begin("room.update", ["room": id, "visibility": "private"])
            let isInside = try await didSucceed(bob, joining)
            try await ada.reply(hiding)
            if isInside {
                try await becomes("who came in is put out in round \(round)", within: 3) {
                    !bob.events("room.closed").isEmpty
                }
            }
            #expect(try await get(ada, id)["visibility"] as? String == "private", "round \(round)")
            #expect(try await late.refusal("room.join", ["room": id])?.code == "room.not_found", "round \(round)")
            #expect(try await found(late, "") == [], "round \(round)")
            try await ada.call("room.close", ["room": id])
        }
    }

    @Test func `a room that is closed and changed at once is closed`() async throws {
        let people = try await newcomers("ada", "bob")
        let (ada, bob) = (people[0], people[1])
        let other = try await again(ada)
        let first = try await bob.call("room.watch")
        for round in 0..<Self.rounds {
            let id = try await room(ada, "Evening")
            let changing = try other.begin("room.update", ["room": id, "title": "Late"])
            let closing = try ada.begin("room.close", ["room": id])
            _ = try await didSucceed(other, changing)
            try await ada.reply(closing)
            #expect(try await found(bob, "") == [], "round \(round)")
            #expect(try await bob.refusal("room.get", ["room": id])?.code == "room.closed")
        }
        try await becomes("the list is empty") { WatchedList(first, bob).order == [] }
    }

    private func didSucceed(_ client: SocketClient, _ request: Int) async throws -> Bool {
        do {
            try await client.reply(request)
            return true
        } catch is SocketClient.Refusal { return false }
    }
}
