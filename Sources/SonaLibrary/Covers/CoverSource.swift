internal import SonaDatabase
internal import SonaWire

/// The picture that the cover of a track is made of: the one in its file, else that of its directory.
struct CoverSource: Sendable, Equatable {
    enum Place: Sendable, Equatable {
        /// Inside of a track's file.
        case file(Int64)
        /// Beside it, in a directory of a folder.
        case directory(Int64)
    }

    let track: MusicID
    let trackNumber: Int64
    let place: Place
    /// Another picture has another version, as has a track that others see than before.
    let version: String
    /// `0xRRGGBB`; `nil` until it is known.
    let color: Int64?

    /// What `cover_color` has if no cover could be made.
    static let noColor: Int64 = -1

    /// The rest of a query over files `f` and their directories `d`: those that a cover can be made of.
    static let condition: SQL = "f.missing_ms IS NULL AND f.problem IS NULL AND (f.has_picture OR d.cover IS NOT NULL)"

    /// The sources of tracks, the best first. Those without a cover are not in it.
    ///
    /// - Parameter tracks: A condition on `t`.
    private static func query(_ tracks: SQL) -> SQL {
        """
        SELECT t.number, t.id, t.scope, f.number, f.has_picture, f.size, f.modified_ns, f.cover_color,
            d.number, d.cover, d.cover_modified_ns, d.cover_color
        FROM tracks t JOIN music_files f ON f.track = t.number LEFT JOIN music_directories d ON d.number = f.directory
        WHERE \(tracks) AND \(condition) ORDER BY f.number
        """
    }

    /// - Returns: `nil` if the track has no cover, or is not there.
    static func find(_ track: MusicID, in db: inout some DatabaseAccess & ~Copyable) throws -> CoverSource? {
        try db.all("\(query("t.id = \(track)")) LIMIT 1") { try CoverSource(row: &$0) }.first
    }

    /// - Returns: By the numbers of the tracks.
    static func find(
        _ tracks: [Int64], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Int64: CoverSource] {
        guard !tracks.isEmpty else { return [:] }
        var sources: [Int64: CoverSource] = [:]
        try db.forEach(query("t.number IN (SELECT value FROM json_each(\(MusicObjects.list(tracks))))")) { row in
            let source = try CoverSource(row: &row)
            if sources[source.trackNumber] == nil { sources[source.trackNumber] = source }
            return true
        }
        return sources
    }

    private init(row: inout Row) throws(DatabaseError) {
        trackNumber = try row.next()
        track = try row.next()
        let scope: Int64 = try row.next()
        let file: Int64 = try row.next()
        let isEmbedded: Bool = try row.next()
        let (size, modified): (Int64, Int64) = (try row.next(), try row.next())
        let fileColor: Int64? = try row.next()
        let directory: Int64? = try row.next()
        let name: [UInt8]? = try row.next()
        let nameModified: Int64? = try row.next()
        let directoryColor: Int64? = try row.next()
        let color: Int64?
        if isEmbedded {
            place = .file(file)
            version = "file \(scope) \(file) \(size) \(modified)"
            color = fileColor
        } else {
            place = .directory(directory ?? 0)
            version = "directory \(scope) \(directory ?? 0) \(nameModified ?? 0) \(name ?? [])"
            color = directoryColor
        }
        self.color = color == Self.noColor ? nil : color
    }
}

extension HexColor {
    /// `0xRRGGBB`, as `cover_color` has it.
    init(coverColor number: Int64) {
        self.init(
            red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
            blue: UInt8(truncatingIfNeeded: number))
    }
}
