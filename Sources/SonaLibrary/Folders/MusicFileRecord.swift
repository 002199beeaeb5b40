internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// A directory of a music folder.
struct MusicDirectoryRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    let folder: Int64
    /// From the folder on, without a slash at either end; empty for the folder itself. Bytes, since names of files need
    /// not be UTF-8.
    let path: [UInt8]
    /// The name of the picture in it that is the cover of what lies here.
    var cover: [UInt8]?
    /// When that picture was last changed, nanoseconds since 1970; `nil` until a scan has seen it.
    var coverModifiedNanoseconds: Int64?
    /// Its colour, `0xRRGGBB`, or `CoverSource.noColor`; `nil` until a cover was made of it.
    var coverColor: Int64?

    static let number = Column("number", \Self.number, .primaryKey)
    static let folder = Column("folder", \Self.folder, .references(MusicFolderRecord.self, onDelete: .cascade))
    static let path = Column("path", \Self.path)
    static let cover = Column("cover", \Self.cover)
    static let coverModified = Column("cover_modified_ns", \Self.coverModifiedNanoseconds)
    static let coverColor = Column("cover_color", \Self.coverColor)

    static let table = Table<Self>(
        "music_directories", number, folder, path, cover, coverModified, coverColor, rules: [.unique(folder, path)])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(folder)
        values.next(path)
        values.next(cover)
        values.next(coverModifiedNanoseconds)
        values.next(coverColor)
    }
}

extension MusicDirectoryRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        folder = try row.next()
        path = try row.next()
        cover = try row.next()
        coverModifiedNanoseconds = try row.next()
        coverColor = try row.next()
    }
}

/// A file of music: in a folder of the operator, or uploaded.
struct MusicFileRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    /// Where it lies in a folder; `nil` for uploads.
    var directory: Int64?
    /// Its name there, or the name that an upload was sent with, if it was sent with one.
    var name: [UInt8]?
    /// SHA-256 of the bytes of an upload, which is also its place in the data folder.
    var content: [UInt8]?
    var size: Int64
    /// Nanoseconds since 1970, and the inode: with the size they tell whether the file has changed.
    var modifiedNanoseconds: Int64 = 0
    var inode: Int64 = 0
    /// Recognises the file at another place: see `Fingerprint`.
    var fingerprint: [UInt8]?
    /// `nil` if there is nothing to play in it.
    var track: Int64?
    /// Why there is nothing to play in it, a word of `FileProblem`.
    var problem: String?
    /// Further words on the problem, for the operator.
    var detail: String?
    var hasPicture = false
    /// When a scan no longer found it; `nil` while it is there.
    var missingMilliseconds: Int64?
    /// What the file says of itself, as `SoundTags` encodes it.
    var tags: [UInt8]?
    /// The colour of the picture in it, as in `MusicDirectoryRecord`.
    var coverColor: Int64?
    /// When the file with lyrics beside it was last changed, nanoseconds since 1970; 0 if there is none, `nil` until a scan
    /// has looked for it.
    var lyricsNanoseconds: Int64?

    static let number = Column("number", \Self.number, .primaryKey)
    static let directory = Column(
        "directory", \Self.directory, .references(MusicDirectoryRecord.self, onDelete: .cascade))
    static let name = Column("name", \Self.name)
    static let content = Column("content", \Self.content)
    static let size = Column("size", \Self.size)
    static let modified = Column("modified_ns", \Self.modifiedNanoseconds)
    static let inode = Column("inode", \Self.inode)
    static let fingerprint = Column("fingerprint", \Self.fingerprint)
    static let track = Column("track", \Self.track, .references(TrackRecord.self, onDelete: .cascade))
    static let problem = Column("problem", \Self.problem, .byteCount(1...64))
    static let detail = Column("detail", \Self.detail)
    static let hasPicture = Column("has_picture", \Self.hasPicture)
    static let missing = Column("missing_ms", \Self.missingMilliseconds)
    static let tags = Column("tags", \Self.tags)
    static let coverColor = Column("cover_color", \Self.coverColor)
    static let lyrics = Column("lyrics_ns", \Self.lyricsNanoseconds)

    static let table = Table<Self>(
        "music_files", number, directory, name, content, size, modified, inode, fingerprint, track, problem, detail,
        hasPicture, missing, tags, coverColor, lyrics,
        rules: [
            .unique(directory, name),
            .index("music_files_by_track", on: track.ascending),
            .index("music_files_by_fingerprint", on: fingerprint.ascending, where: "fingerprint IS NOT NULL"),
            .index("music_files_by_content", on: content.ascending, where: "content IS NOT NULL"),
            .index("music_files_with_problems", on: number.ascending, where: "problem IS NOT NULL"),
            .index("missing_music_files", on: missing.ascending, where: "missing_ms IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(directory)
        values.next(name)
        values.next(content)
        values.next(size)
        values.next(modifiedNanoseconds)
        values.next(inode)
        values.next(fingerprint)
        values.next(track)
        values.next(problem)
        values.next(detail)
        values.next(hasPicture)
        values.next(missingMilliseconds)
        values.next(tags)
        values.next(coverColor)
        values.next(lyricsNanoseconds)
    }
}

extension MusicFileRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        directory = try row.next()
        name = try row.next()
        content = try row.next()
        size = try row.next()
        modifiedNanoseconds = try row.next()
        inode = try row.next()
        fingerprint = try row.next()
        track = try row.next()
        problem = try row.next()
        detail = try row.next()
        hasPicture = try row.next()
        missingMilliseconds = try row.next()
        tags = try row.next()
        coverColor = try row.next()
        lyricsNanoseconds = try row.next()
    }
}
