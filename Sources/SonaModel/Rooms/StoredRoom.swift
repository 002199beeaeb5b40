internal import SonaDatabase
package import SonaWire

extension RoomStore {
    /// A room as it survives restarts.
    package struct StoredRoom: Sendable, Equatable {
        package let id: RoomID
        package let owner: UserID
        package let ownerUsername: Username?
        package let title: String
        package let isPublic: Bool
        /// `interactive` or `party`.
        package let delivery: String
        package let leadMilliseconds: Int
        package let createdMilliseconds: Int64
        /// When a host was last heard; `nil` if never.
        package let lastLiveMilliseconds: Int64?
        /// Where the room was when it was last written down; `nil` if it never played.
        package let playback: StoredPlayback?
    }

    /// Where a room was, with both clocks, so that a restarted server can tell how much later it is now.
    package struct StoredPlayback: Sendable, Equatable {
        /// 0 stopped, 1 playing, 2 paused, 3 buffering.
        package let state: Int
        package let positionMicroseconds: Int64
        package let ratePPM: Int
        /// Time of the server's monotonic clock at which the room was at the position; means something only to the
        /// process whose clock has `clockID`.
        package let anchorMonotonicMicroseconds: Int64
        package let clockID: String
        /// The same moment by the calendar.
        package let anchorWallMilliseconds: Int64
        package let revision: UInt32
        package let hasAudio: Bool

        package init(
            state: Int, positionMicroseconds: Int64, ratePPM: Int, anchorMonotonicMicroseconds: Int64,
            clockID: String, anchorWallMilliseconds: Int64, revision: UInt32, hasAudio: Bool
        ) {
            self.state = state
            self.positionMicroseconds = positionMicroseconds
            self.ratePPM = ratePPM
            self.anchorMonotonicMicroseconds = anchorMonotonicMicroseconds
            self.clockID = clockID
            self.anchorWallMilliseconds = anchorWallMilliseconds
            self.revision = revision
            self.hasAudio = hasAudio
        }
    }
}

extension RoomStore.StoredRoom {
    /// What `init(row:)` reads, in its order, from rooms `r`, users `u` and room_playback `p`.
    static let select: SQL = """
        SELECT r.id, r.owner_uid, u.username, r.title, r.visibility = 'public', r.delivery, r.lead_ms, r.created_ms,
            r.last_live_ms, p.state, p.position_us, p.rate_ppm, p.anchor_monotonic_us, p.clock_id, p.anchor_wall_ms,
            p.revision, p.has_audio
        FROM rooms r JOIN users u ON u.uid = r.owner_uid LEFT JOIN room_playback p ON p.room_id = r.id
        """

    init(row: inout Row) throws {
        id = try row.next()
        owner = try row.next()
        ownerUsername = try row.next()
        title = try row.next()
        isPublic = try row.next()
        delivery = try row.next()
        leadMilliseconds = try row.next()
        createdMilliseconds = try row.next()
        lastLiveMilliseconds = try row.next()
        if let state = try row.next(Int?.self) {
            playback = RoomStore.StoredPlayback(
                state: state, positionMicroseconds: try row.next(), ratePPM: try row.next(),
                anchorMonotonicMicroseconds: try row.next(), clockID: try row.next(),
                anchorWallMilliseconds: try row.next(), revision: try row.next(), hasAudio: try row.next())
        } else {
            playback = nil
        }
    }
}
