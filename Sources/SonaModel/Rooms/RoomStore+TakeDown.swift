internal import SonaDatabase
package import SonaWire

/// Take-downs of rooms and their parts, whoever owns the rooms. The right is decided in the transaction, and the journal
/// has a line of it.
extension RoomStore {
    /// The parts of a room that can be taken down.
    package enum Part: Sendable {
        /// The room ends for good.
        case all
        /// Title, description and tags, and the titles of the slots of its schedule.
        case text
        case picture

        fileprivate var kind: TakeDown.Kind {
            switch self {
            case .all: .room
            case .text: .roomText
            case .picture: .roomPicture
            }
        }
    }

    /// The title of a room that has lost its own.
    static let plainTitle = "A room"

    /// - Parameter actor: The administrator. `nil`: the operator.
    /// - Returns: The room, and a number that is larger than that of every change before.
    /// - Throws: `roomUnknown`, `roomClosed`; `forbidden`, `banned` or `tokenInvalid` for the administrator; `busy`,
    ///   `storage`.
    package func takeDown(
        _ part: Part, of id: RoomID, by actor: UserID?
    ) async throws(Refusal) -> (room: StoredRoom, changeNumber: Int64) {
        let (now, journal) = (clock.nowMilliseconds(), self.journal)
        return try await rooms.change(
            id, changes,
            first: { db in
                try AdminRights.require(.contentTakeDown, of: actor, now: now, in: &db)
                if case .picture = part {
                    _ = try db.delete(RoomPictureRecord.self, key: id)
                    try db.execute("DELETE FROM room_covers WHERE room_id = \(id)")
                }
                if case .text = part {
                    try db.execute(
                        """
                        UPDATE room_slots SET title = NULL, changed_ms = \(now), revision = revision + 1
                        WHERE room_id = \(id) AND title IS NOT NULL
                        """)
                }
                try journal.append(
                    JournalEntry(.takenDown, actor: actor, room: id, ["kind": .text(part.kind.rawValue)]), in: &db)
            }
        ) { room in
            switch part {
            case .all: room.closedMilliseconds = now
            case .text:
                room.settings.title = Self.plainTitle
                room.settings.about = nil
                room.settings.tags = []
            case .picture: break
            }
        }
    }
}
