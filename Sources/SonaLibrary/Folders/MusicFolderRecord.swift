internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// A music folder of the operator. Its path stands in the configuration only.
struct MusicFolderRecord: Record, Equatable {
    typealias Key = Int64

    /// Also the scope of its tracks (`TrackScope`).
    var number: Int64?
    let name: String
    var audience: FolderAudience = .accounts
    /// When the last scan ended; `nil` before the first.
    var scannedMilliseconds: Int64?

    static let number = Column("number", \Self.number, .primaryKey)
    static let name = Column("name", \Self.name, .unique, .byteCount(Limits.folderNameBytes))
    static let audience = Column("audience", \Self.audience, .defaults(to: .accounts), .anyCase)
    static let scanned = Column("scanned_ms", \Self.scannedMilliseconds)

    static let table = Table<Self>("music_folders", number, name, audience, scanned)

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(name)
        values.next(audience)
        values.next(scannedMilliseconds)
    }
}

extension MusicFolderRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        name = try row.next()
        audience = try row.next()
        scannedMilliseconds = try row.next()
    }
}

/// An account that sees a folder of chosen accounts.
struct FolderUserRecord: Record, Equatable {
    typealias Key = FolderUser

    let folder: Int64
    let uid: UserID

    static let folder = Column("folder", \Self.folder, .references(MusicFolderRecord.self, onDelete: .cascade))
    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))

    static let table = Table<Self>(
        "music_folder_users", folder, uid,
        rules: [.primaryKey(folder, uid), .index("music_folder_users_by_user", on: uid.ascending)])

    func bind(to values: inout Binder) {
        values.next(folder)
        values.next(uid)
    }
}

extension FolderUserRecord {
    init(row: inout Row) throws(DatabaseError) {
        folder = try row.next()
        uid = try row.next()
    }
}

/// The key of `FolderUserRecord`.
struct FolderUser: RecordKey, Hashable {
    static let columnCount = 2

    let folder: Int64
    let uid: UserID

    init(_ folder: Int64, _ uid: UserID) {
        self.folder = folder
        self.uid = uid
    }

    init(row: inout Row) throws(DatabaseError) {
        folder = try row.next()
        uid = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(folder)
        values.next(uid)
    }
}
