import SonaDatabase
import SonaTestSupport
import SonaWire

@testable import SonaModel

/// A model with a room of Ada's, on a calendar that the test moves.
struct RoomFixture {
    let folder: TemporaryFolder
    let calendar: ManualCalendar
    let model: Model
    let ada: UserID
    let room: RoomID

    var storage: RoomStorage { model.roomStorage }
    var membership: MembershipStore { model.roomStorage.membership }
    var invites: InviteStore { model.roomStorage.invites }
    var chat: ChatStore { model.roomStorage.chat }
    var history: HistoryStore { model.roomStorage.history }
    var queues: QueueStore { model.roomStorage.queues }

    init() async throws {
        folder = TemporaryFolder()
        calendar = ManualCalendar()
        model = try await Model.opened(folder, calendar)
        ada = try await model.accounts.signUp("ada").account.uid
        room = try await model.rooms.create(RoomSettings(title: "Ada's", visibility: .private), owner: ada).id
    }

    func account(_ name: String) async throws -> UserID { try await model.accounts.signUp(name).account.uid }

    func another(_ title: String = "Another") async throws -> RoomID {
        try await model.rooms.create(RoomSettings(title: title), owner: ada).id
    }

    static func guest() -> UserID {
        var generator = SystemRandomNumberGenerator()
        return UserID.random(using: &generator)
    }

    /// A room that nobody made.
    static func noRoom() -> RoomID {
        var generator = SystemRandomNumberGenerator()
        return RoomID.random(using: &generator)
    }

    /// The journal's lines on some user: kind and detail, oldest first.
    func lines(_ uid: UserID) async throws -> [String] {
        try await model.journal.page(subject: uid.rawValue).reversed().filter { $0.kind.hasPrefix("room_") }
            .map { "\($0.kind) \($0.actor ?? "-") \($0.detail)" }
    }

    /// Statements past the model, to make in a moment what would take long.
    func execute(_ statements: SQL...) async throws {
        let beside = try await Model.look(folder)
        try await beside.write { db in for statement in statements { try db.execute(statement) } }
        await beside.close()
    }

    /// Adds a row of a cover, which is no image.
    func addCover(to room: RoomID) async throws {
        try await execute(
            """
            INSERT INTO room_covers (id, room_id, digest, color, foreground, width, height, created_ms, px32, px64,
                px_full) VALUES (\("cover-\(room)"), \(room), \(String(repeating: "0", count: 64)), 0, 0, 1, 1, 1, x'00',
                x'00', x'00')
            """)
    }

    func count(_ table: SQL, where condition: SQL = "TRUE") async throws -> Int {
        let beside = try await Model.look(folder)
        let count = try await beside.read { db in
            try db.value("SELECT count(*) FROM \(table) WHERE \(condition)", as: Int.self)
        }
        await beside.close()
        return count ?? 0
    }
}

extension QueueRows.Change {
    /// The first of a queue, with a row in every table.
    static var everything: Self {
        var change = Self(after: 0, state: "{}")
        change.entries = [QueueRows.Entry(id: 1, list: .waiting, place: 5, text: "{}")]
        change.plays = [QueueRows.Play(number: 1, text: "{}")]
        change.votes = [QueueRows.Vote(entry: 1, user: "bob", choice: .up)]
        return change
    }
}
