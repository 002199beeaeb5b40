import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Answers while the database is busy, and long requests that do not hold up others.
struct CrowdTests {
    private let folder = TemporaryFolder()
    private let calendar = ManualCalendar()

    /// Goal: requests other than sign-ins answer `server.busy`. Way: another connection holds SQLite's write lock for
    /// as long as the server's writer waits for it.
    @Test func `while another process holds the write lock, writes answer that the server is busy`()
        async throws
    {
        let model = try await Model.opened(folder, calendar)
        let people = try await model.accounts.signUp(all: ["ada", "bob"])
        let uid = people[0].uid
        let room = try await model.rooms.create(RoomSettings(title: "Ada's"), owner: uid)
        let beside = try await Model.look(folder)
        let gate = Monitor((isHeld: false, isOpen: false))
        let holder = Task {
            try await beside.write { db in
                try db.execute("UPDATE rooms SET title = title")
                gate.notify { $0.isHeld = true }
                gate.wait { $0.isOpen ? () : nil }
            }
        }
        while !gate.withLock({ $0.isHeld }) { try await Task.sleep(for: .milliseconds(1)) }
        async let follow = refusal { try await model.people.follow(.id(people[1].uid), uid) }
        async let profile = refusal {
            try await model.people.update(ProfileUpdate(displayName: "Ada"), of: uid)
        }
        async let settings = refusal {
            try await model.people.update(SettingsUpdate(theme: .dark), of: uid)
        }
        async let photo = refusal { try await model.photos.remove(of: uid) }
        async let update = refusal {
            try await model.rooms.update(room.id, RoomUpdate(room: .id(room.id), title: "Other"))
        }
        let codes = [
            await follow?.code, await profile?.code, await settings?.code, await photo?.code, await update?.code,
        ]
        #expect(codes.allSatisfy { $0 == .serverBusy }, "\(codes)")
        gate.notify { $0.isOpen = true }
        try await holder.value
        await beside.close()
        _ = try await model.people.follow(.id(people[1].uid), uid)
        await model.close()
    }

    /// Goal: a search that takes too long is aborted. Way: a time limit of zero, and a directory that takes some time.
    @Test func `a search that takes too long is aborted, and its reader is free again`() async throws {
        var options = Model.Options.test(calendar)
        options.readLimit = .zero
        let model = try await Model.open(dataFolder: folder.file("data"), options)
        let ada = try await model.accounts.signUp("ada").account
        try await Model.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO users (uid, created_ms) SELECT 'u' || i, 1 FROM n
            """,
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO directory (uid, username, display_name) SELECT 'u' || i, 'name' || i, 'ada lovelace' FROM n
            """, in: folder)
        for _ in 0..<20 {
            #expect(
                await refusal {
                    try await model.people.search("lovel", for: ada.uid, offset: nil, limit: 20)
                }?.code == .serverBusy)
        }
        await model.close()
        let again = try await Model.opened(folder, calendar)
        _ = try await again.people.search("lovel", for: ada.uid, offset: nil, limit: 20)
        await again.close()
    }

    @Test func `a recap that takes too long is aborted`() async throws {
        let at = try await RoomFixture()
        try await at.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO room_history (room_id, id, at_ms, title, artist, album, duration_us, artwork, host_uid, session)
            SELECT \(at.room), i, i, 'x', NULL, NULL, NULL, NULL, NULL, 1 FROM n
            """)
        await at.model.close()
        var options = Model.Options.test(at.calendar)
        options.readLimit = .zero
        let model = try await Model.open(dataFolder: at.folder.file("data"), options)
        #expect(
            await refusal {
                try await model.roomStorage.history.recap(of: at.room)
            }?.code == .serverBusy)
        await model.close()
    }

    /// Goal: an export does not hold up writes, and writes one line of the journal an hour. Way: the writer works while
    /// an export is read.
    @Test func `an account is exported from a reader's snapshot, with one line of the journal an hour`() async throws {
        let model = try await Model.opened(folder, calendar)
        let ada = try await model.accounts.signUp("ada").account
        func lines() async throws -> Int { try await model.journal.page(kind: .accountExported).count }
        var codes: Set<String> = []
        for _ in 0..<5 { codes.insert(try await model.accounts.export(ada).code) }
        #expect(codes.count == 5)
        #expect(try await lines() == 1)
        calendar.advance(seconds: 3_600)
        let again = try await model.accounts.signIn("ada").account
        _ = try await model.accounts.export(again)
        #expect(try await lines() == 2)
        // The snapshot is read even while another process holds the writer. Only the code needs the writer.
        let commits = model.storageStatus.commits
        _ = try await model.accounts.export(again)
        #expect(model.storageStatus.commits == commits + 1)
        await model.close()
    }

    @Test(arguments: [
        "", " ", "   ", "\u{200B}", "\u{202E}", "\u{202E}abc", "a\nb", "\u{2066}a", "\u{0}a", "\u{FEFF} ",
    ])
    func `a title that is invisible or disturbs the text around it is refused`(title: String) async throws {
        let at = try await RoomFixture()
        #expect(
            await refusal {
                try await at.model.rooms.create(RoomSettings(title: title), owner: at.ada)
            } == .titleInvalid)
        #expect(
            await refusal {
                try await at.model.rooms.update(at.room, RoomUpdate(room: .id(at.room), title: title))
            } == .titleInvalid)
        #expect(try await at.model.rooms.room(at.room)?.settings.title == "Ada's")
        await at.model.close()
    }

    @Test func `a title is stored as it is shown`() async throws {
        let at = try await RoomFixture()
        let update = RoomUpdate(room: .id(at.room), title: "  Nächte 🎵\u{301}  مساء ")
        #expect(try await at.model.rooms.update(at.room, update).room.settings.title == "Nächte 🎵\u{301}  مساء")
        await at.model.close()
    }
}
