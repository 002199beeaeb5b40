internal import SonaDatabase
package import SonaWire

extension RoomStore {
    /// A room as it survives restarts.
    package struct StoredRoom: Sendable, Equatable {
        package let id: RoomID
        package let owner: User
        package let settings: RoomSettings
        package let createdMilliseconds: Int64
        /// When a host was last heard; `nil` if never.
        package let lastLiveMilliseconds: Int64?
        /// When its owner ended it for good; `nil` while it lasts.
        package let closedMilliseconds: Int64?
        package let picture: Photo?
        /// Where the room was when it was last written down; `nil` if it never played.
        package let playback: StoredPlayback?
    }

    /// Where a room was, with both clocks, so that a restarted server can tell how much later it is now.
    package struct StoredPlayback: Sendable, Equatable {
        package let state: PlaybackState
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
            state: PlaybackState, positionMicroseconds: Int64, ratePPM: Int, anchorMonotonicMicroseconds: Int64,
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
    /// What `init(row:)` reads, in its order. Of the users no more than these columns take part, so that every name in
    /// it is one table's, and what follows can name columns as they are.
    static let select: SQL = """
        SELECT \(RoomRecord.table.columnList), \(UserRecord.username), picture_id, picture_color, picture_foreground,
            picture_width, picture_height, \(PlaybackRecord.table.columnList)
        FROM \(RoomRecord.table)
        JOIN (SELECT \(UserRecord.uid), \(UserRecord.username), \(UserRecord.usernameKey) FROM \(UserRecord.table))
            ON \(UserRecord.uid) = \(RoomRecord.owner)
        LEFT JOIN (SELECT \(RoomPictureRecord.room) AS picture_room, \(RoomPictureRecord.id) AS picture_id,
                \(RoomPictureRecord.color) AS picture_color, \(RoomPictureRecord.foreground) AS picture_foreground,
                \(RoomPictureRecord.width) AS picture_width, \(RoomPictureRecord.height) AS picture_height
            FROM \(RoomPictureRecord.table)) ON picture_room = \(RoomRecord.id)
        LEFT JOIN \(PlaybackRecord.table) ON \(PlaybackRecord.room) = \(RoomRecord.id)
        """

    init(row: inout Row) throws(DatabaseError) {
        let room = try RoomRecord(row: &row)
        let username = try row.next(Username?.self)
        let picture = try Photo(row: &row)
        let hasPlayback = !row.isNextNull
        row.skip()
        self.init(
            room, ownerUsername: username, picture: picture,
            playback: hasPlayback ? try RoomStore.StoredPlayback(row: &row) : nil)
    }

    init(
        _ room: RoomRecord, ownerUsername: Username?, picture: Photo? = nil, playback: RoomStore.StoredPlayback?
    ) {
        id = room.id
        owner = User(uid: room.owner, username: ownerUsername, isGuest: false)
        settings = room.settings
        createdMilliseconds = room.createdMilliseconds
        lastLiveMilliseconds = room.lastLiveMilliseconds
        closedMilliseconds = room.closedMilliseconds
        self.picture = picture
        self.playback = playback
    }
}
