import Foundation
import Testing

/// Changes to one room by several people at once.
@Suite(.serialized) final class RoomRaceTests: RoomStory {
    private static let rounds = 30

    /// Goal: the live room, the one in searches, the one in events and the stored one are the same. Way: titles from
    /// four connections at once, for a room in memory and for one that is not; a restart at the end.
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
        let after = try await TestServer(folder: server.folder, RoomStory.options, port: server.port)
        #expect(try await get(try await again(bob), id)["title"] as? String == last, "what is stored is another")
        #expect(await after.stop().status == 0)
    }

    /// Goal: people who enter while the room ends or turns private are put out with the others. Way: ten people enter
    /// at once a room that nobody was in, with the owner's request in their midst. For each of them the server has to
    /// look up who has blocked them.
    @Test(arguments: ["room.close", "room.update"])
    func `nobody gets into a room that is being closed or turned private`(type: String) async throws {
        let ada = try await newcomer("ada")
        var members: [SocketClient] = []
        for number in 0..<10 { members.append(try await newcomer("member\(number)")) }
        for round in 0..<Self.rounds {
            let id = try await room(ada, "Evening", ["on_private": "leave"])
            var joining: [Int] = []
            var ending = 0
            for (number, member) in members.enumerated() {
                if number == round % 10 { ending = try ada.begin(type, ["room": id, "visibility": "private"]) }
                joining.append(try member.begin("room.join", ["room": id]))
            }
            var isInside: [Bool] = []
            for (member, request) in zip(members, joining) { isInside.append(try await didSucceed(member, request)) }
            try await ada.reply(ending)
            let code = type == "room.close" ? "room.closed" : "room.not_found"
            for (member, wasInside) in zip(members, isInside) {
                if wasInside {
                    try await becomes("who came in is put out in round \(round)", within: 1) {
                        member.events("room.closed").contains { $0.object["room"] as? String == id }
                    }
                }
                #expect(try await member.refusal("room.leave")?.code == "room.not_joined", "round \(round)")
                #expect(try await member.refusal("room.join", ["room": id])?.code == code, "round \(round)")
            }
            #expect(try await found(members[0], "") == [], "round \(round)")
            if type == "room.update" {
                #expect(try await get(ada, id)["visibility"] as? String == "private", "round \(round)")
                try await ada.call("room.close", ["room": id])
            }
        }
    }

    @Test func `a room that is closed and changed at the same time is closed`() async throws {
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
