internal import Glibc
internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// The files of tracks: in a music folder, or uploaded.
struct TrackFiles: Sendable {
    let database: any DatabaseWriter
    let folders: MusicFolders
    let uploads: MediaFolder

    /// A track and the file that its sound is in.
    struct Found: Sendable {
        let track: TrackRecord
        let file: MusicFileRecord
        let directory: MusicDirectoryRecord?

        /// The state of the file: another sound is another source.
        var source: String { "\(file.size)-\(file.modifiedNanoseconds)" }
    }

    /// - Throws: `trackNotFound`, `trackUnavailable`.
    static func find(_ id: MusicID, in db: inout some DatabaseAccess & ~Copyable) throws -> Found {
        guard let track = try db.first(TrackRecord.filter(TrackRecord.id == id)) else { throw Refusal(.trackNotFound) }
        return try find(track, in: &db)
    }

    static func find(_ track: TrackRecord, in db: inout some DatabaseAccess & ~Copyable) throws -> Found {
        guard
            let file = try db.first(
                MusicFileRecord.self,
                """
                WHERE track = \(track.number) AND missing_ms IS NULL AND problem IS NULL ORDER BY number LIMIT 1
                """)
        else { throw Refusal(.trackUnavailable) }
        let directory = try file.directory.flatMap { try db.first(MusicDirectoryRecord.self, key: $0) }
        return Found(track: track, file: file, directory: directory)
    }

    /// Opens the file for reading. Blocks.
    ///
    /// - Returns: `nil` if it is not there; the caller closes the descriptor.
    func open(_ found: Found) -> Int32? {
        if let content = found.file.content { return uploads.open(content: content) }
        guard let directory = found.directory, let name = found.file.name else { return nil }
        return folders.open(
            directory.path.isEmpty ? name : directory.path + [UInt8(ascii: "/")] + name, in: directory.folder)
    }
}
