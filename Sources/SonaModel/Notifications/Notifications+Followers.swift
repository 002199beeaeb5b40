internal import SonaDatabase
internal import SonaWire

extension Notifications {
    /// Followers that one transaction writes to: some milliseconds, between which others write.
    private static let stepCount = 200
    /// A host who goes off air and on again within this time is not announced again.
    private static let quietMilliseconds: Int64 = 3_600_000

    /// Tells the followers of a host that a public room is live.
    ///
    /// - Parameter broadcast: Its number in the room.
    /// - Throws: `busy`, `storage`.
    func announce(_ host: UserID, in room: RoomID, broadcast: Int64, now: Int64) async throws(Refusal) {
        var after: String? = ""
        while let last = after {
            let (posted, next) = try await dao.write { [self] db -> ([PostedNotification], String?) in
                guard let record = try db.first(RoomRecord.self, key: room), record.closedMilliseconds == nil,
                    record.settings.visibility == .public
                else { return ([], nil) }
                let followers = try db.values(
                    """
                    SELECT follower_uid FROM follows f WHERE followed_uid = \(host) AND follower_uid > \(last)
                        AND NOT EXISTS (SELECT 1 FROM notifications n WHERE n.uid = f.follower_uid
                            AND n.from_uid = \(host) AND n.kind = \(NotificationKind.hostLive.rawValue)
                            AND n.created_ms > \(now - Self.quietMilliseconds))
                    ORDER BY follower_uid LIMIT \(Self.stepCount)
                    """, as: UserID.self)
                var new = NewNotification(.hostLive, from: host, key: "live:\(room.rawValue):\(broadcast)")
                new.room = room
                new.title = record.settings.title
                let posted = try followers.compactMap { try post(new, to: $0, in: &db) }
                return (posted, followers.count == Self.stepCount ? followers.last?.rawValue : nil)
            }
            tell(posted)
            after = next
        }
    }

    /// Writes to some followers of a room's owner that the room opens by its schedule.
    ///
    /// - Parameters:
    ///   - after: Only to those whose identifiers come after this.
    /// - Returns: What to tell when it is committed, and after whom the next step begins; `nil` if nobody is left.
    func announce(
        _ occurrence: RoomSchedule.Occurrence, of room: RoomRecord, after: String, now: Int64, in db: inout WriteAccess
    ) throws -> ([PostedNotification], String?) {
        let followers = try db.values(
            """
            SELECT follower_uid FROM follows f WHERE followed_uid = \(room.owner) AND follower_uid > \(after)
                AND NOT EXISTS (SELECT 1 FROM notifications n WHERE n.uid = f.follower_uid
                    AND n.room_id = \(room.id) AND n.kind = \(NotificationKind.roomOpens.rawValue)
                    AND n.created_ms > \(now - Self.quietMilliseconds))
            ORDER BY follower_uid LIMIT \(Self.stepCount)
            """, as: UserID.self)
        var new = NewNotification(
            .roomOpens, from: room.owner, key: "opens:\(occurrence.slot.rawValue):\(occurrence.start)")
        new.room = room.id
        new.title = occurrence.title ?? room.settings.title
        let posted = try followers.compactMap { try post(new, to: $0, in: &db) }
        return (posted, followers.count == Self.stepCount ? followers.last?.rawValue : nil)
    }
}
