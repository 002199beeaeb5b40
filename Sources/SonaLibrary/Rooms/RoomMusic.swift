internal import Glibc
internal import SonaDatabase
package import SonaModel
package import SonaWire

/// The music that rooms play: tracks by the names that queues have for them, and their sound.
///
/// What a room may play is what its owner may hear as an ordinary account. An administrator's room does not play what
/// others keep to themselves.
package struct RoomMusic: Sendable {
    let finder: LibraryFinder
    let tracks: TrackStore
    private let media: MediaWork
    private let folders: MusicFolders

    init(_ finder: LibraryFinder, _ tracks: TrackStore, _ media: MediaWork, _ folders: MusicFolders) {
        self.finder = finder
        self.tracks = tracks
        self.media = media
        self.folders = folders
    }

    func listener(_ owner: UserID) async throws(Refusal) -> Listener {
        Listener(uid: owner, guestAccess: .none, folders: try await folders.numbers(for: owner))
    }

    /// Tracks as rooms tell them. Those that the listener may hear nothing of are left out.
    ///
    /// - Throws: `busy`, `storage`.
    package func described(_ ids: [MusicID], for listener: Listener) async throws(Refusal) -> [MusicID: Track] {
        let (objects, list) = (finder.objects(for: listener), PlaylistEditor.json(ids))
        return try await finder.read { db in
            let rows = try db.all(
                """
                SELECT \(TrackRecord.table.columnList) FROM tracks t
                WHERE t.id IN (SELECT value FROM json_each(\(list))) AND \(Access.condition(for: listener))
                """
            ) { try TrackRecord(row: &$0) }
            var found: [MusicID: Track] = [:]
            for track in try objects.tracks(rows, in: &db) { found[track.id] = Track(track) }
            return found
        }
    }

    /// Whether a playlist is there for an owner to play from.
    ///
    /// - Throws: `playlistNotFound`, `busy`, `storage`.
    package func requirePlaylist(_ id: MusicID, for owner: UserID) async throws(Refusal) {
        let listener = try await listener(owner)
        _ = try await finder.read { db in try OpenPlaylist(id, for: listener, in: &db).number }
    }

    // MARK: Sound

    /// The sound of a track, open for reading.
    package struct Sound: Sendable {
        /// An Ogg Opus file. The caller closes it.
        package let descriptor: Int32
        /// Files with one tag are equal.
        package let tag: String
        /// The gain to play it with, hundredths of dB; `nil` until measured.
        package let gain: Int?
    }

    /// Opens the whole Opus file of a track, and has it made first if it was not.
    ///
    /// - Parameters:
    ///   - before: The track that is heard before it.
    ///   - after: The track that is likely to follow. Where one of the two is its neighbour on the album, the gain is that of
    ///     the album.
    /// - Throws: `trackNotFound`, also where the owner may not hear the whole track; `trackUnavailable`,
    ///   `trackConversionFailed`, `jobLimitReached`, `busy`, `storage`.
    package func sound(
        of id: MusicID, between before: MusicID? = nil, and after: MusicID? = nil, for owner: UserID
    ) async throws(Refusal) -> Sound {
        let track = try await tracks.open(id, for: try await listener(owner))
        guard track.access == .full else {
            close(track.descriptor)
            throw Refusal(.trackNotFound)
        }
        do throws(Refusal) {
            let gain = try await gain(of: id, between: before, and: after)
            switch try await media.sound(of: id, as: .full, original: track.descriptor, for: owner, isWhole: true) {
            case .original: return Sound(descriptor: track.descriptor, tag: track.tag, gain: gain)
            case .whole(let descriptor, let tag):
                close(track.descriptor)
                return Sound(descriptor: descriptor, tag: tag, gain: gain)
            case .growing: throw Refusal.busy(retryAfterMilliseconds: 1_000)
            }
        } catch {
            close(track.descriptor)
            throw error
        }
    }

    private func gain(of id: MusicID, between before: MusicID?, and after: MusicID?) async throws(Refusal) -> Int? {
        try await finder.read { db in
            guard let track = try db.first(TrackRecord.filter(TrackRecord.id == id)) else { return nil }
            func isNeighbour(_ other: MusicID?, _ distance: Int) throws -> Bool {
                guard let other, let record = try db.first(TrackRecord.filter(TrackRecord.id == other)) else {
                    return false
                }
                return track.follows(record, by: distance)
            }
            guard let album = track.albumNumber, try isNeighbour(before, 1) || isNeighbour(after, -1) else {
                return track.gain
            }
            return try TrackGain.ofAlbums([album], in: &db)[album] ?? track.gain
        }
    }

    // MARK: Choosing

    /// Chooses a track of a playlist by chance.
    ///
    /// - Parameters:
    ///   - played: Tracks that were played a short time ago. One of them is chosen only if there is no other.
    ///   - artist: Whoever was heard last. A track of theirs is chosen only if there is no other.
    ///   - longest: Tracks of more milliseconds are not chosen.
    /// - Returns: `nil` if the playlist has no track that the owner may hear, or is gone.
    /// - Throws: `busy`, `storage`.
    package func choose(
        from playlist: MusicID, for owner: UserID, sparing played: [MusicID], artist: String?,
        longest: Int64 = .max
    ) async throws(Refusal) -> Track? {
        let listener = try await listener(owner)
        let (objects, now, played) = (finder.objects(for: listener), tracks.clock.nowMilliseconds(), Set(played))
        return try await finder.read { db in
            guard let list = try? OpenPlaylist(playlist, for: listener, in: &db) else { return nil }
            let all: [(id: MusicID, artist: String)]
            if let rule = list.record.rule.flatMap(PlaylistRule.init(stored:)) {
                all = try Self.named(
                    PlaylistRuleQuery(rule, owner: list.record.owner, now: now).tracks(for: listener, in: &db)
                        .map(\.track), longest: longest, in: &db)
            } else {
                all = try db.all(
                    """
                    SELECT t.id, t.artist FROM playlist_entries e JOIN tracks t ON t.number = e.track
                    WHERE e.playlist = \(list.number) AND t.duration_ms <= \(longest)
                        AND \(Access.condition(for: listener))
                    """
                ) { row in (try row.next(), try row.next()) }
            }
            let fresh = all.filter { !played.contains($0.id) }
            let others = fresh.filter { artist == nil || $0.artist != artist }
            guard let chosen = (others.isEmpty ? fresh.isEmpty ? all : fresh : others).randomElement(),
                let row = try db.first(TrackRecord.filter(TrackRecord.id == chosen.id))
            else { return nil }
            return try objects.tracks([row], in: &db).first.map { Track($0) }
        }
    }

    private static func named(
        _ numbers: [Int64], longest: Int64, in db: inout ReadAccess
    ) throws -> [(id: MusicID, artist: String)] {
        try db.all(
            """
            SELECT t.id, t.artist FROM tracks t
            WHERE t.number IN (SELECT value FROM json_each(\(MusicObjects.list(numbers))))
                AND t.duration_ms <= \(longest)
            """
        ) { row in (try row.next(), try row.next()) }
    }
}

extension Track {
    /// A track of the library as hosts name it.
    package init(_ track: MusicTrack) {
        let artist = track.artists.map(\.name).joined(separator: ", ")
        self.init(
            title: Self.line(track.title), artist: Self.line(artist), album: Self.line(track.album?.name),
            durationMicroseconds: track.durationMilliseconds > 0 ? track.durationMilliseconds * 1000 : nil,
            artwork: (track.cover?.path).map { "\($0)/full" }, music: track.id)
    }

    /// Names of the library may be longer than those of rooms.
    private static func line(_ text: String?) -> String? {
        TrackDescription.line(text, bytesMax: Limits.trackTextBytes.upperBound)
    }
}
