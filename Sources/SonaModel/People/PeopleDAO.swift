package import SonaDatabase
package import SonaWire

/// Storage of follows and blocks.
struct PeopleDAO: AccountRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(FollowRecord.self)
        setUp.createTable(BlockRecord.self)
    }

    /// Reads on a thread of its own, because the search for a common word takes long.
    func readDetached<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws(Refusal) -> Value {
        do { return try await database.readDetached(body) } catch { throw Refusal(reading: error) }
    }

    // MARK: Two people

    static func relation(
        of uid: UserID, to other: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws(DatabaseError) -> Relation {
        let pair = UserPair(uid, other)
        return Relation(
            isFollowing: try db.exists(FollowRecord.self, key: pair),
            isFollowedBy: try db.exists(FollowRecord.self, key: pair.reversed),
            isBlocked: try db.exists(BlockRecord.self, key: pair))
    }

    /// Whether an account is kept from `asker` because it waits for approval, or was rejected. Those who decide about it
    /// see it.
    ///
    /// - Parameter asker: `nil` for guests.
    static func isUnapproved(
        _ uid: UserID, for asker: UserID?, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> Bool {
        guard uid != asker, try db.exists(WaitingAccountRecord.self, key: uid) else { return false }
        guard let asker, let user = try db.first(UserRecord.self, key: asker) else { return true }
        return !user.role.permissions.contains(.registrationManage)
    }

    /// Returns the user that `reference` names, as seen by `uid`. A user who has blocked `uid` does not exist for them,
    /// nor does one who waits for approval.
    ///
    /// - Throws: `userUnknown`.
    static func find(
        _ reference: UserReference, for uid: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> UserRecord {
        let user = try UserDAO.find(reference, in: &db)
        if try isUnapproved(user.uid, for: uid, in: &db) { throw Refusal.userUnknown }
        if try db.exists(BlockRecord.self, key: UserPair(user.uid, uid)) { throw Refusal.userUnknown }
        return user
    }

    // MARK: Cards

    /// Reads cards, the data that lists show of people. `rest` is the rest of the SELECT, beginning with the sort key.
    /// It must call users, profiles and photos `u`, `p` and `ph`.
    static func cards(
        _ rest: SQL, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [(card: UserCard, sortKey: Int64)] {
        try db.all(
            """
            SELECT u.uid, u.username, CASE WHEN p.is_public THEN p.display_name END,
                CASE WHEN p.is_public THEN ph.id END, ph.color, ph.foreground, ph.width, ph.height, \(rest)
            """
        ) { row in
            let user = User(uid: try row.next(UserID.self), username: try row.next(Username?.self), isGuest: false)
            let displayName = try row.next(String?.self)
            let photo = try Photo(row: &row)
            return (UserCard(user: user, displayName: displayName, photo: photo), try row.next(Int64.self))
        }
    }

    /// The joins of `cards` to `users u`.
    static let cardJoins: SQL = """
        JOIN profiles p ON p.uid = u.uid LEFT JOIN photos ph ON ph.uid = u.uid
        """
}

extension Photo {
    /// - Returns: `nil` if the columns are NULL.
    package init?(row: inout Row) throws(DatabaseError) {
        let id = try row.next(String?.self)
        let (color, foreground) = (try row.next(Int?.self), try row.next(Int?.self))
        let (width, height) = (try row.next(Int?.self), try row.next(Int?.self))
        guard let id = id.flatMap(PhotoID.init), let color, let foreground, let width, let height else { return nil }
        self.init(
            id: id, color: HexColor(number: color), foreground: HexColor(number: foreground), width: width,
            height: height)
    }
}

extension Photo {
    /// - Precondition: The picture has an identifier that this server made.
    init(_ picture: StoredPicture) {
        guard let id = PhotoID(picture.id) else { preconditionFailure("A stored picture has an invalid identifier.") }
        self.init(
            id: id, color: HexColor(number: picture.color), foreground: HexColor(number: picture.foreground),
            width: picture.width, height: picture.height)
    }
}

extension HexColor {
    /// - Parameter number: 0xRRGGBB.
    init(number: Int) {
        self.init(
            red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
            blue: UInt8(truncatingIfNeeded: number))
    }
}
