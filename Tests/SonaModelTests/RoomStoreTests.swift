import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct RoomStoreTests {
    private func playback(_ position: Int64, revision: UInt32 = 1) -> RoomStore.StoredPlayback {
        RoomStore.StoredPlayback(
            state: .playing, positionMicroseconds: position, ratePPM: 1_000_000, anchorMonotonicMicroseconds: 55,
            clockID: "0123456789abcdef", anchorWallMilliseconds: 1_800_000_000_000, revision: revision, hasAudio: true)
    }

    private func create(
        _ rooms: RoomStore, _ owner: UserID, title: String = "A room", visibility: Visibility = .public
    ) async throws(Refusal) -> RoomStore.StoredRoom {
        try await rooms.create(RoomSettings(title: title, visibility: visibility), owner: owner)
    }

    @Test func `a room comes back as it was made`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let ada = try await model.accounts.signUp("Ada").account
        let title = "Nächte mit 🎵"
        let settings = RoomSettings(
            title: title, visibility: .private, delivery: .interactive, leadMilliseconds: 150)
        let room = try await model.rooms.create(settings, owner: ada.uid)
        #expect(room.id.rawValue.utf8.count == 20)
        #expect(room.owner == User(uid: ada.uid, username: Username("Ada"), isGuest: false))
        #expect(room.settings == settings)
        #expect(
            room.createdMilliseconds == 1_800_000_000_000 && room.lastLiveMilliseconds == nil && room.playback == nil)
        #expect(try await model.rooms.room(room.id) == room)
        var generator = SystemRandomNumberGenerator()
        #expect(try await model.rooms.room(RoomID.random(using: &generator)) == nil)
        await model.close()
    }

    @Test func `limits hold, and the one past each does not`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let ada = try await model.accounts.signUp("ada").account.uid
        func code(title: String = "x", delivery: Delivery = .party, lead: Int = 600) async -> String? {
            let error = await refusal {
                try await model.rooms.create(
                    RoomSettings(title: title, delivery: delivery, leadMilliseconds: lead), owner: ada, maxPerOwner: 99)
            }
            return error?.code.text
        }
        #expect(await code(title: String(repeating: "é", count: 100)) == nil)
        #expect(await code(title: String(repeating: "é", count: 100) + "x") == "request.invalid")
        #expect(await code(delivery: .interactive) == nil)
        for (lead, expected) in [(149, "request.invalid"), (150, nil), (10_000, nil), (10_001, "request.invalid")] {
            #expect(await code(lead: lead) == expected)
        }
        let guest = model.accounts.guest().account.uid
        #expect(await refusal { try await create(model.rooms, guest) } == .ownerUnknown)
        await model.close()
    }

    @Test func `the number of rooms per owner holds under twenty requests at once`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let ada = try await model.accounts.signUp("ada").account.uid
        let bob = try await model.accounts.signUp("bob").account.uid
        let errors = await withTaskGroup(of: Refusal?.self) { group in
            for _ in 0..<20 {
                group.addTask { await refusal { try await create(model.rooms, ada) } }
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(errors.count { $0 == nil } == 8)
        #expect(errors.count { $0 == .limitReached } == 12)
        _ = try await create(model.rooms, bob)
        let one = try #require(try await model.rooms.list(publicOnly: false, owner: ada, after: nil, limit: 1).first)
        try await model.rooms.delete(one.id)
        _ = try await create(model.rooms, ada)
        #expect(await refusal { try await create(model.rooms, ada) } == .limitReached)
        await model.close()
    }

    @Test func `playback is written down, replaced, and gone with its room`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let ada = try await model.accounts.signUp("ada").account.uid
        let room = try await create(model.rooms, ada)
        try await model.rooms.savePlaybacks([room.id: playback(5)])
        #expect(try await model.rooms.room(room.id)?.playback == playback(5))
        try await model.rooms.savePlaybacks([room.id: playback(-9, revision: .max)])
        #expect(try await model.rooms.room(room.id)?.playback == playback(-9, revision: .max))
        let other = try await create(model.rooms, ada)
        try await model.rooms.delete(room.id)
        #expect(try await model.rooms.room(room.id) == nil)
        // What is refused keeps the others from nothing.
        let refused = try await model.rooms.savePlaybacks([room.id: playback(5), other.id: playback(7)])
        #expect(refused == [room.id: .roomUnknown])
        #expect(try await model.rooms.room(other.id)?.playback == playback(7))
        #expect(
            await refusal { try await model.rooms.markLive(room.id, at: 5) }
                == .roomUnknown)
        #expect(await refusal { try await model.rooms.delete(room.id) } == .roomUnknown)
        await model.close()
    }

    @Test func `a user's rooms come last live first, then newest`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let ada = try await model.accounts.signUp("Ada").account.uid
        let bob = try await model.accounts.signUp("Bob").account.uid
        _ = try await create(model.rooms, bob, title: "bob's")
        for title in ["one", "two", "three", "four"] {
            _ = try await create(model.rooms, ada, title: title)
            calendar.advance(seconds: 1)
        }
        let name = try #require(Username("aDA"))
        var rooms = try await model.rooms.room(ofUsername: name)
        #expect(rooms.map(\.settings.title) == ["four", "three", "two", "one"])
        try await model.rooms.markLive(rooms[3].id, at: 2_000)
        try await model.rooms.markLive(rooms[1].id, at: 1_000)
        // A late report of an earlier moment changes nothing.
        try await model.rooms.markLive(rooms[3].id, at: 500)
        rooms = try await model.rooms.room(ofUsername: name)
        #expect(rooms.map(\.settings.title) == ["one", "three", "four", "two"])
        #expect(rooms.map(\.lastLiveMilliseconds) == [2_000, 1_000, nil, nil])
        #expect(try await model.rooms.room(ofUsername: try #require(Username("nobody"))) == [])
        await model.close()
    }

    @Test func `pages follow one another without a gap or a repetition`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        var owners: [UserID] = []
        for name in ["ada", "bob", "cyd"] { owners.append(try await model.accounts.signUp(name).account.uid) }
        // Several in each millisecond, so that the id has to decide between them.
        for number in 0..<24 {
            if number % 5 == 0 { calendar.advance(seconds: 1) }
            _ = try await create(
                model.rooms, owners[number % 3], title: "\(number)", visibility: number % 4 != 0 ? .public : .private)
        }
        func pages(publicOnly: Bool, owner: UserID?, limit: Int) async throws -> [RoomStore.StoredRoom] {
            var all: [RoomStore.StoredRoom] = []
            while true {
                let page = try await model.rooms.list(
                    publicOnly: publicOnly, owner: owner, after: all.last.map { ($0.createdMilliseconds, $0.id) },
                    limit: limit)
                #expect(page.count <= limit)
                if page.isEmpty { return all }
                all += page
            }
        }
        for limit in [1, 5, 24, 200] {
            let all = try await pages(publicOnly: false, owner: nil, limit: limit)
            #expect(Set(all.map(\.id)).count == 24 && all.count == 24)
            #expect(all.map(\.createdMilliseconds) == all.map(\.createdMilliseconds).sorted(by: >))
            #expect(try await pages(publicOnly: true, owner: nil, limit: limit).count == 18)
            let mine = try await pages(publicOnly: false, owner: owners[0], limit: limit)
            #expect(mine.count == 8 && mine.allSatisfy { $0.owner.uid == owners[0] })
            #expect(try await pages(publicOnly: true, owner: owners[0], limit: limit).count == 6)
        }
        #expect(try await model.rooms.list(publicOnly: false, owner: nil, after: nil, limit: 0).count == 1)
        #expect(try await model.rooms.list(publicOnly: false, owner: nil, after: nil, limit: .max).count == 24)
        await model.close()
    }

    // MARK: Changing

    private func update(
        _ model: Model, _ id: RoomID, _ body: (inout RoomUpdate) -> Void
    ) async throws(Refusal) -> (room: RoomStore.StoredRoom, changeNumber: Int64) {
        var request = RoomUpdate(room: .id(id))
        body(&request)
        return try await model.rooms.update(id, request)
    }

    @Test func `what is given changes, the rest stays, and all of it is there after a restart`() async throws {
        let folder = TemporaryFolder()
        var model = try await Model.opened(folder)
        let ada = try await model.accounts.signUp("ada").account.uid
        let made = try await model.rooms.create(
            RoomSettings(title: "One", tags: ["a", "b"], about: "Old", allowsGuests: false, privatePolicy: .leave),
            owner: ada)
        #expect(made.settings.about == "Old" && made.settings.tags == ["a", "b"] && !made.settings.allowsGuests)
        #expect(made.settings.privatePolicy == .leave && made.closedMilliseconds == nil && made.picture == nil)
        var expected: RoomStore.StoredRoom = made
        var lastChangeNumber: Int64 = 0
        let changes: [(inout RoomUpdate) -> Void] = [
            { $0.title = "東京\u{301}" }, { $0.tags = ["z", "a", "z"] }, { $0.tags = [] },
            { $0.about = "Two\nlines" }, { $0.about = "" }, { $0.visibility = .private }, { $0.allowsGuests = true },
            { $0.privatePolicy = .stay }, { $0.delivery = .interactive }, { $0.leadMilliseconds = 10_000 },
            { $0.hasWaitingRoom = true }, { $0.chatRule = .members }, { $0.slowModeSeconds = 3_600 },
            { $0.keepsReplays = true }, { $0.offersDataSaver = true }, { _ in },
        ]
        for change in changes {
            let (room, changeNumber) = try await update(model, made.id, change)
            #expect(changeNumber > lastChangeNumber)
            #expect(try await model.rooms.room(made.id) == room)
            (expected, lastChangeNumber) = (room, changeNumber)
        }
        #expect(
            expected.settings
                == RoomSettings(
                    title: "東京\u{301}", visibility: .private, delivery: .interactive, leadMilliseconds: 10_000,
                    hasWaitingRoom: true, chatRule: .members, slowModeSeconds: 3_600, keepsReplays: true,
                    offersDataSaver: true))
        #expect(expected.createdMilliseconds == made.createdMilliseconds && expected.owner.uid == ada)
        await model.close()
        model = try await Model.opened(folder)
        #expect(try await model.rooms.room(made.id) == expected)
        #expect(try await model.rooms.allOpen().rooms == [expected])
        await model.close()
    }

    @Test func `a room that can't be read is named, and the others are there`() async throws {
        let at = try await RoomFixture()
        let others = [try await at.another("One"), try await at.another("Two")]
        try await at.execute("UPDATE rooms SET tags = '{}' WHERE id = \(at.room)")
        let open = try await at.model.rooms.allOpen()
        #expect(Set(open.rooms.map(\.id)) == Set(others))
        #expect(open.unreadable.map(\.id) == [at.room.rawValue])
        #expect(open.unreadable.first?.reason.isEmpty == false)
        await at.model.close()
    }

    @Test func `a change that is not allowed changes nothing`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let ada = try await model.accounts.signUp("ada").account.uid
        let room = try await create(model.rooms, ada)
        let long = String(repeating: "é", count: 501)
        let faults: [(inout RoomUpdate) -> Void] = [
            { $0.title = String(repeating: "x", count: 201) }, { $0.about = long }, { $0.leadMilliseconds = 149 },
            { $0.leadMilliseconds = 10_001 },
        ]
        for fault in faults {
            let error = await refusal {
                try await update(model, room.id) { request in
                    request.tags = ["never"]
                    fault(&request)
                }
            }
            #expect(error == .invalid)
        }
        #expect(try await model.rooms.room(room.id) == room)
        var generator = SystemRandomNumberGenerator()
        let nowhere = RoomID.random(using: &generator)
        let unknown = await refusal { try await update(model, nowhere) { _ in } }
        #expect(unknown == .roomUnknown)
        #expect(
            await refusal { try await model.rooms.close(nowhere) } == .roomUnknown)
        await model.close()
    }

    @Test func `a closed room is in no list, makes place for another, and stays closed`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let ada = try await model.accounts.signUp("Ada").account.uid
        var rooms: [RoomStore.StoredRoom] = []
        for number in 0..<8 { rooms.append(try await create(model.rooms, ada, title: "\(number)")) }
        let id = rooms[3].id
        try await model.rooms.markLive(id, at: 5_000)
        calendar.advance(seconds: 7)
        let closed = try await model.rooms.close(id)
        #expect(closed.closedMilliseconds == 1_800_000_007_000)
        #expect(try await model.rooms.room(id) == closed, "who could see it is told that it is closed")
        let name = try #require(Username("ada"))
        #expect(!(try await model.rooms.room(ofUsername: name)).contains { $0.id == id })
        for isMine in [true, false] {
            let page = try await model.rooms.list(
                publicOnly: !isMine, owner: isMine ? ada : nil, after: nil, limit: 200)
            #expect(page.count == 7 && !page.contains { $0.id == id })
        }
        #expect(!(try await model.rooms.allOpen()).rooms.contains { $0.id == id })
        _ = try await create(model.rooms, ada)
        #expect(await refusal { try await create(model.rooms, ada) } == .limitReached)
        calendar.advance(seconds: 1)
        #expect(await refusal { try await model.rooms.close(id) } == .roomClosed)
        let late = await refusal { try await update(model, id) { $0.title = "Late" } }
        #expect(late == .roomClosed)
        #expect(await refusal { _ = try await model.rooms.touched(id) } == .roomClosed)
        #expect(try await model.rooms.room(id) == closed)
        await model.close()
    }

    @Test func `of changes at once the last to be written has the highest number`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let ada = try await model.accounts.signUp("ada").account.uid
        let room = try await create(model.rooms, ada)
        let changes = try await withThrowingTaskGroup(of: (changeNumber: Int64, title: String).self) { group in
            for number in 0..<50 {
                group.addTask {
                    let (changed, changeNumber) = try await model.rooms.update(
                        room.id, RoomUpdate(room: .id(room.id), title: "Title \(number)"))
                    #expect(changed.settings.title == "Title \(number)", "the room as this change left it")
                    return (changeNumber, changed.settings.title)
                }
            }
            return try await group.reduce(into: [(changeNumber: Int64, title: String)]()) { $0.append($1) }
        }
        #expect(Set(changes.map(\.changeNumber)).count == 50)
        let last = changes.max { $0.changeNumber < $1.changeNumber }
        #expect(try await model.rooms.room(room.id)?.settings.title == last?.title)
        await model.close()
    }

    @Test func `a room's picture is with it, and goes with it`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let ada = try await model.accounts.signUp("ada").account.uid
        let (one, other) = (try await create(model.rooms, ada), try await create(model.rooms, ada))
        let red = try await model.photos.set(PhotoFixture.red, ofRoom: one.id)
        let (touched, changeNumber) = try await model.rooms.touched(one.id)
        #expect(touched.picture == red && changeNumber > 0)
        let blue = try await model.photos.set(PhotoFixture.blue, ofRoom: one.id)
        #expect(try await model.rooms.room(one.id)?.picture == blue)
        #expect(try await model.rooms.room(other.id)?.picture == nil)
        #expect(try await model.photos.bytes(red.id, .full) == nil, "the one before is gone")
        try await model.photos.remove(ofRoom: one.id)
        try await model.photos.remove(ofRoom: one.id)
        #expect(try await model.rooms.room(one.id)?.picture == nil)
        let last = try await model.photos.set(PhotoFixture.red, ofRoom: one.id)
        _ = try await model.rooms.close(one.id)
        let left = try await model.photos.bytes(last.id, .full)
        let refused = await refusal {
            try await model.photos.set(PhotoFixture.red, ofRoom: one.id)
        }
        #expect(left == nil, "a closed room's picture is gone")
        #expect(refused != nil, "a closed room takes no picture")
        await model.close()
    }
}
