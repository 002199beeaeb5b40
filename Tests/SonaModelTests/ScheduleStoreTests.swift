import SonaCalendar
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Slots of rooms: who changes them, and who is told, once, that one has begun.
struct ScheduleStoreTests {
    private func settings(_ title: String? = nil, start: String = "2027-06-01T20:00", minutes: Int = 60) -> SlotSettings
    {
        SlotSettings(title: title, start: start, zone: "UTC", durationSeconds: minutes * 60)
    }

    private func occurrence(_ store: ScheduleStore, _ room: RoomID, at now: Int64) async throws
        -> RoomSchedule.Occurrence
    {
        try #require(try await store.schedule(of: room).state(at: now).now)
    }

    private func list(_ fixture: PeopleFixture, _ name: String) async throws -> [SonaWire.Notification] {
        try await fixture.model.notifications.page(of: fixture[name], NotificationsList(limit: 100)).notifications
    }

    /// What clocks in UTC show so many seconds from now.
    private func start(_ calendar: ManualCalendar, in seconds: Int64 = 0) -> String {
        Zone.utc.time(at: calendar.clock.nowMilliseconds() + seconds * 1_000).description
    }

    private func refusal(_ body: () async throws -> Void) async -> ErrorCode? {
        do {
            try await body()
            return nil
        } catch { return (error as? Refusal)?.code }
    }

    @Test func `slots are added, changed and removed by whoever has control`() async throws {
        let fixture = try await RoomFixture()
        let (store, room, ada) = (fixture.storage.schedules, fixture.room, fixture.ada)
        let bob = try await fixture.account("bob")
        let rule = SlotRepeat(every: .week, weekdays: [5, 1], until: "2027-12-31")
        let list = MusicID.random(milliseconds: 1)
        var wanted = settings("Late", minutes: 90)
        (wanted.rule, wanted.playlist) = (rule, list)
        let made = try await store.add(wanted, to: room, by: ada)
        #expect(made.rule == SlotRepeat(every: .week, weekdays: [1, 5], until: "2027-12-31"))
        #expect(made.playlist == list && made.zone == "UTC" && made.durationSeconds == 5_400)
        #expect(try await store.schedule(of: room).entries.map(\.slot) == [made])
        let changed = try await store.update(made.id, settings("Later"), in: room, by: ada)
        #expect(
            changed == Slot(id: made.id, title: "Later", start: "2027-06-01T20:00", zone: "UTC", durationSeconds: 3_600)
        )
        #expect(try await store.schedule(of: room).entries.map(\.revision) == [1])
        #expect(await refusal { _ = try await store.add(settings(), to: room, by: bob) } == .roomForbidden)
        #expect(await refusal { _ = try await store.update(made.id, settings(), in: room, by: bob) } == .roomForbidden)
        #expect(await refusal { try await store.remove(made.id, from: room, by: bob) } == .roomForbidden)
        let other = try await fixture.another()
        #expect(
            await refusal { _ = try await store.update(made.id, settings(), in: other, by: ada) } == .scheduleNotFound)
        #expect(await refusal { try await store.remove(made.id, from: other, by: ada) } == .scheduleNotFound)
        try await store.remove(made.id, from: room, by: ada)
        #expect(await refusal { try await store.remove(made.id, from: room, by: ada) } == .scheduleNotFound)
        #expect(try await store.rooms().isEmpty)
        await fixture.model.close()
    }

    @Test func `a slot without a zone is of the server's, and one that there is not is refused`() async throws {
        let fixture = try await RoomFixture()
        let store = fixture.storage.schedules
        var wanted = settings()
        wanted.zone = nil
        #expect(try await store.add(wanted, to: fixture.room, by: fixture.ada).zone == store.zone)
        wanted.zone = "Mars/Olympus"
        #expect(
            await refusal { _ = try await store.add(wanted, to: fixture.room, by: fixture.ada) } == .scheduleZoneUnknown
        )
        await fixture.model.close()
    }

    @Test func `a schedule has two hundred slots`() async throws {
        let fixture = try await RoomFixture()
        let store = fixture.storage.schedules
        for _ in 0..<Limits.slotsPerRoomMax { _ = try await store.add(settings(), to: fixture.room, by: fixture.ada) }
        #expect(
            await refusal { _ = try await store.add(settings(), to: fixture.room, by: fixture.ada) } == .scheduleFull)
        #expect(try await store.slotCount() == Limits.slotsPerRoomMax)
        await fixture.model.close()
    }

    @Test func `followers are told once that a room opens, however often that is tried`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        try await fixture.add((0..<450).map { "fan\($0)" }, followers: "ada")
        let store = fixture.model.roomStorage.schedules
        let room = try await fixture.model.rooms.create(RoomSettings(title: "Radio"), owner: fixture["ada"]).id
        _ = try await store.add(settings("Late", start: start(fixture.calendar)), to: room, by: fixture["ada"])
        let begun = try await occurrence(store, room, at: fixture.calendar.clock.nowMilliseconds())
        #expect(try await store.begin(begun, in: room, isOpening: true))
        #expect(try await store.begin(begun, in: room, isOpening: true) == false)
        for name in ["fan0", "fan199", "fan200", "fan449"] {
            let found = try await list(fixture, name)
            #expect(found.map(\.kind) == ["room_opens"] && found.map(\.title) == ["Late"], "\(name)")
            #expect(found.first?.room == room && found.first?.from?.uid == fixture["ada"])
        }
        #expect(try await list(fixture, "bob").isEmpty)
        await fixture.model.close()
    }

    @Test func `what a killed server had begun to tell is told to the others alone`() async throws {
        let fixture = try await PeopleFixture("ada")
        try await fixture.add((0..<5).map { "fan\($0)" }, followers: "ada")
        let store = fixture.model.roomStorage.schedules
        let room = try await fixture.model.rooms.create(RoomSettings(title: "Radio"), owner: fixture["ada"]).id
        let slot = try await store.add(settings(start: start(fixture.calendar)), to: room, by: fixture["ada"])
        let begun = try await occurrence(store, room, at: fixture.calendar.clock.nowMilliseconds())
        let uids = (0..<5).map { fixture["fan\($0)"].rawValue }.sorted()
        let beside = try await Model.look(fixture.folder)
        try await beside.write { db in
            try db.execute(
                "INSERT INTO room_slot_starts VALUES (\(slot.id), \(begun.start), \(uids[1]))")
        }
        await beside.close()
        #expect(try await store.begin(begun, in: room, isOpening: true) == false)
        var told: [String] = []
        for place in 0..<5 where try await !list(fixture, "fan\(place)").isEmpty {
            told.append(fixture["fan\(place)"].rawValue)
        }
        #expect(told.sorted() == Array(uids.dropFirst(2)))
        await fixture.model.close()
    }

    @Test func `nobody is told of private rooms, of banned owners, of the kind that is off, or long after`()
        async throws
    {
        let fixture = try await PeopleFixture("ada", "bob", "cyd")
        try await fixture.follow("bob", "ada")
        try await fixture.follow("cyd", "ada")
        _ = try await fixture.model.notifications.configure(
            NotificationsConfigure(kind: .roomOpens, isShown: false), of: fixture["cyd"])
        let store = fixture.model.roomStorage.schedules
        func room(_ visibility: Visibility = .public) async throws -> RoomID {
            let room = try await fixture.model.rooms.create(
                RoomSettings(title: "Radio", visibility: visibility), owner: fixture["ada"]
            ).id
            _ = try await store.add(settings(start: start(fixture.calendar)), to: room, by: fixture["ada"])
            return room
        }
        func begin(_ room: RoomID, isOpening: Bool = true) async throws -> Bool {
            let begun = try await occurrence(store, room, at: fixture.calendar.clock.nowMilliseconds())
            return try await store.begin(begun, in: room, isOpening: isOpening)
        }
        let (hidden, follows, late) = (try await room(.private), try await room(), try await room())
        #expect(try await begin(hidden))
        #expect(try await begin(follows, isOpening: false))
        fixture.calendar.advance(seconds: 660)
        #expect(try await begin(late))
        let ofBanned = try await room()
        _ = try await fixture.model.accounts.ban(fixture.user("ada"), seconds: nil, reason: nil, by: nil)
        #expect(try await begin(ofBanned) == false)
        _ = try await fixture.model.accounts.unban(fixture.user("ada"), by: nil)
        let closed = try await room()
        let begun = try await occurrence(store, closed, at: fixture.calendar.clock.nowMilliseconds())
        _ = try await fixture.model.rooms.close(closed, by: fixture["ada"])
        #expect(try await store.begin(begun, in: closed, isOpening: true) == false)
        #expect(try await list(fixture, "bob").isEmpty)
        #expect(try await begin(try await room()))
        #expect(try await list(fixture, "bob").count == 1)
        #expect(try await list(fixture, "cyd").isEmpty)
        await fixture.model.close()
    }

    @Test func `a room that opens again within the hour is told once`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        try await fixture.follow("bob", "ada")
        let store = fixture.model.roomStorage.schedules
        let room = try await fixture.model.rooms.create(RoomSettings(title: "Radio"), owner: fixture["ada"]).id
        for (wait, count) in [(0, 1), (1_800, 1), (1_860, 2)] as [(Int64, Int)] {
            fixture.calendar.advance(seconds: wait)
            let slot = try await store.add(
                settings(start: start(fixture.calendar), minutes: 1), to: room, by: fixture["ada"])
            let begun = try await occurrence(store, room, at: fixture.calendar.clock.nowMilliseconds())
            #expect(begun.slot == slot.id)
            _ = try await store.begin(begun, in: room, isOpening: true)
            #expect(try await list(fixture, "bob").count == count)
        }
        await fixture.model.close()
    }

    @Test func `what has begun is forgotten after some days, and slots go when the room is closed`() async throws {
        let fixture = try await RoomFixture()
        let store = fixture.storage.schedules
        _ = try await store.add(settings(start: start(fixture.calendar)), to: fixture.room, by: fixture.ada)
        let begun = try await occurrence(store, fixture.room, at: fixture.calendar.clock.nowMilliseconds())
        #expect(try await store.begin(begun, in: fixture.room, isOpening: true))
        fixture.calendar.advance(seconds: 2 * 86_400)
        _ = try await fixture.storage.tidy()
        #expect(try await count(fixture, "room_slot_starts") == 1)
        fixture.calendar.advance(seconds: 2 * 86_400)
        _ = try await fixture.storage.tidy()
        #expect(try await count(fixture, "room_slot_starts") == 0)
        _ = try await fixture.model.rooms.close(fixture.room, by: fixture.ada)
        #expect(try await count(fixture, "room_slots") == 0)
        await fixture.model.close()
    }

    @Test func `a take-down of a room's texts takes the titles of its slots`() async throws {
        let fixture = try await RoomFixture()
        let (store, room) = (fixture.storage.schedules, fixture.room)
        _ = try await store.add(settings("Nasty"), to: room, by: fixture.ada)
        _ = try await store.add(settings(), to: room, by: fixture.ada)
        _ = try await fixture.model.rooms.takeDown(.text, of: room, by: nil)
        let entries = try await store.schedule(of: room).entries
        #expect(entries.map(\.slot.title) == [nil, nil])
        #expect(entries.map(\.revision).sorted() == [0, 1])
        await fixture.model.close()
    }

    private func count(_ fixture: RoomFixture, _ table: SQL) async throws -> Int? {
        let beside = try await Model.look(fixture.folder)
        let count = try await beside.read { db in try db.value("SELECT count(*) FROM \(table)", as: Int.self) }
        await beside.close()
        return count
    }

    @Test func `an export has the slots of one's rooms, and how they play`() async throws {
        let fixture = try await RoomFixture()
        let account = try await fixture.model.accounts.signIn("ada").account
        let slot = try await fixture.storage.schedules.add(settings("Late"), to: fixture.room, by: fixture.ada)
        let list = MusicID.random(milliseconds: 1)
        _ = try await fixture.storage.autoplays.set(
            Autoplay(isOn: true, playlist: list), in: fixture.room, by: fixture.ada)
        let export = try await fixture.model.accounts.export(account).data
        let room = try #require(export["rooms"]?.array?.first)
        #expect(room["slots"]?.array?.first?["id"]?.string == slot.id.rawValue)
        #expect(room["autoplay"]?["playlist"]?.string == list.rawValue)
        await fixture.model.close()
    }

    @Test func `whoever is named answers, and loses the slot with the account`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        let (store, ada, bob) = (fixture.model.roomStorage.schedules, fixture["ada"], fixture["bob"])
        let room = try await fixture.model.rooms.create(RoomSettings(title: "Radio"), owner: ada).id
        var wanted = settings("Late")
        wanted.dj = .id(bob)
        let made = try await store.add(wanted, to: room, by: ada)
        #expect(made.dj?.state == .asked && made.dj?.user.uid == bob)
        #expect(try await list(fixture, "bob").map(\.kind) == ["dj_asked"])
        #expect(await refusal { _ = try await store.answer(made.id, accepts: true, by: ada) } == .scheduleNotFound)
        #expect(try await store.answer(made.id, accepts: true, by: bob).slot.dj?.state == .accepted)
        _ = try await store.answer(made.id, accepts: true, by: bob)
        #expect(try await list(fixture, "ada").map(\.result) == ["accepted"], "once")
        // The same times keep the answer.
        wanted.title = "Later"
        #expect(try await store.update(made.id, wanted, in: room, by: ada).dj?.state == .accepted)
        let start = try #require(CivilTime("2027-06-01T20:00").map(Zone.utc.instant))
        let state = try await store.schedule(of: room).state(at: start - Limits.djNoticeMilliseconds - 1)
        #expect(state.soon.isEmpty && state.notice == start - Limits.djNoticeMilliseconds)
        #expect(state.change == state.notice)
        let soon = try await store.schedule(of: room).state(at: start - Limits.djNoticeMilliseconds).soon
        #expect(soon.map(\.dj?.uid) == [bob])
        try await store.tellSoon(soon[0], in: room)
        try await store.tellSoon(soon[0], in: room)
        #expect(try await list(fixture, "bob").map(\.kind) == ["dj_soon", "dj_asked"], "once")
        #expect(try await store.schedule(of: room).state(at: start).hosted?.dj?.uid == bob)
        #expect(try await store.duties(of: bob).map(\.title) == ["Radio"])
        wanted.durationSeconds += 60
        #expect(try await store.update(made.id, wanted, in: room, by: ada).dj?.state == .asked)
        #expect(try await store.schedule(of: room).state(at: start).hosted == nil)
        let account = try await fixture.model.accounts.signIn("bob").account
        let export = try await fixture.model.accounts.export(account)
        #expect(export.data["dj_slots"]?.array?.count == 1)
        try await fixture.model.accounts.remove(account, code: export.code)
        #expect(try await store.schedule(of: room).entries.map(\.slot.dj) == [nil])
        await fixture.model.close()
    }
}
