internal import SonaDatabase
internal import SonaWire

/// What accounts are told of, and what becomes of it by its kind.
struct NotificationDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(NotificationRecord.self)
        setUp.createTable(NotificationPreferenceRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        case .check: .invalid
        // The account was removed a moment ago.
        case .foreignKey: .tokenInvalid
        default: nil
        }
    }

    /// Notifications `n` with the users `u` they come from.
    static func notifications(
        _ rest: SQL, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Notification] {
        try db.all(
            """
            SELECT n.number, n.kind, u.uid, u.username, n.room_id, n.track, n.album, n.playlist, n.title, n.result,
                n.text, n.created_ms, n.read_ms IS NOT NULL, n.at_s
            FROM notifications n LEFT JOIN users u ON u.uid = n.from_uid \(rest)
            """
        ) { row in
            Notification(
                id: try row.next(), kind: try row.next(), from: try User(accountIn: &row), room: try row.next(),
                track: try row.next(), album: try row.next(), playlist: try row.next(), title: try row.next(),
                result: try row.next(), text: try row.next(), createdMilliseconds: try row.next(),
                isRead: try row.next(), seconds: try row.next())
        }
    }

    static func unreadCount(of uid: UserID, in db: inout some DatabaseAccess & ~Copyable) throws -> Int {
        try db.value("SELECT count(*) FROM notifications WHERE uid = \(uid) AND read_ms IS NULL") ?? 0
    }
}
