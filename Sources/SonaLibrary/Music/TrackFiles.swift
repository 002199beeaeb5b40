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

    /// The tracks before and after a track on its disc of its album, where the one runs into the other.
    struct Neighbours: Sendable {
        var before: Found?
        var after: Found?

        /// A part of a file's name that tells them and their files from others; empty if there are none.
        var name: String {
            guard before != nil || after != nil else { return "" }
            return [before, after].map { "~" + ($0?.source ?? "") }.joined()
        }
    }

    /// Neighbours whose sound has the rate and the channels of the track's, and that belong to whoever the track belongs to.
    static func neighbours(
        of found: Found, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> Neighbours {
        let track = found.track
        guard let album = track.albumNumber, let place = track.place, track.sampleRate > 0, 1...2 ~= track.channels
        else {
            return Neighbours()
        }
        func neighbour(_ place: Int) throws -> Found? {
            let record = try db.first(
                TrackRecord.self,
                """
                WHERE album = \(album) AND coalesce(disc, 1) = \(track.disc ?? 1) AND place = \(place)
                    AND sample_rate = \(track.sampleRate) AND channels = \(track.channels)
                    AND owner_uid IS \(track.owner) AND status IS \(track.status) ORDER BY number LIMIT 1
                """)
            do { return try record.map { try find($0, in: &db) } } catch is Refusal { return nil }
        }
        return Neighbours(before: try neighbour(place - 1), after: try neighbour(place + 1))
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
