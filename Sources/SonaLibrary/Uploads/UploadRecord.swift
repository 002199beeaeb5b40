internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// An upload: under way, or finished a short time ago.
///
/// Under way, `track` is `nil`. Once the track is there the row stays for a day, so that a client that has lost the last
/// answer can ask for it.
struct UploadRecord: Record, Equatable {
    typealias Key = MusicID

    let id: MusicID
    let owner: UserID
    /// The name of the file as the client told it, fit to be shown.
    let name: String?
    /// Bytes of the whole file.
    let length: Int64
    /// Bytes that are on disk: each was fsynced before this number was stored.
    var received: Int64 = 0
    /// `Upload-Metadata` as the client sent it.
    let metadata: String?
    /// Whether the client may go on after its connection was lost.
    let isResumable: Bool
    /// SHA-256 of the whole file, stored before the file is moved to its place.
    var content: [UInt8]?
    var track: Int64?
    let createdMilliseconds: Int64
    /// When something came last.
    var touchedMilliseconds: Int64

    static let id = Column("id", \Self.id, .primaryKey)
    static let owner = Column("owner_uid", \Self.owner, .references(UserRecord.self, onDelete: .cascade))
    static let name = Column("name", \Self.name, .byteCount(Limits.uploadNameBytes))
    static let length = Column("length", \Self.length, .range(1...Int64.max))
    static let received = Column("received", \Self.received, .range(0...Int64.max))
    static let metadata = Column("metadata", \Self.metadata, .byteCount(...Limits.uploadMetadataBytesMax))
    static let isResumable = Column("resumable", \Self.isResumable, .oneOf(false, true))
    static let content = Column("content", \Self.content)
    static let track = Column("track", \Self.track, .references(TrackRecord.self, onDelete: .cascade))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let touched = Column("touched_ms", \Self.touchedMilliseconds)

    static let table = Table<Self>(
        "uploads", id, owner, name, length, received, metadata, isResumable, content, track, created, touched,
        rules: [
            .index("uploads_by_owner", on: owner.ascending, created.ascending),
            .index("uploads_by_silence", on: touched.ascending),
            .index("uploads_by_track", on: track.ascending, where: "track IS NOT NULL"),
            .index("uploads_by_content", on: content.ascending, where: "content IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(owner)
        values.next(name)
        values.next(length)
        values.next(received)
        values.next(metadata)
        values.next(isResumable)
        values.next(content)
        values.next(track)
        values.next(createdMilliseconds)
        values.next(touchedMilliseconds)
    }
}

extension UploadRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        owner = try row.next()
        name = try row.next()
        length = try row.next()
        received = try row.next()
        metadata = try row.next()
        isResumable = try row.next()
        content = try row.next()
        track = try row.next()
        createdMilliseconds = try row.next()
        touchedMilliseconds = try row.next()
    }
}

/// A content that finished uploads brought: one file, however many tracks are of it.
struct MediaContentRecord: Record, Equatable {
    typealias Key = [UInt8]

    /// SHA-256 of its bytes, which is also its place in the media folder.
    let content: [UInt8]
    let size: Int64

    static let content = Column("content", \Self.content, .primaryKey)
    static let size = Column("size", \Self.size, .range(1...Int64.max))

    static let table = Table<Self>("media_contents", content, size)

    func bind(to values: inout Binder) {
        values.next(content)
        values.next(size)
    }
}

extension MediaContentRecord {
    init(row: inout Row) throws(DatabaseError) {
        content = try row.next()
        size = try row.next()
    }
}

/// Uploads, and the contents that they brought.
struct UploadDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(UploadRecord.self)
        setUp.createTable(MediaContentRecord.self)
    }
}
