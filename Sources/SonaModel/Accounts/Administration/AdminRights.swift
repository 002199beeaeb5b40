package import SonaDatabase
package import SonaWire

/// Checks of administrators' rights, inside the transaction of the change. A role may have been withdrawn since the
/// request arrived.
package enum AdminRights {
    /// Requires that `actor` has a permission.
    ///
    /// - Parameter actor: The administrator. `nil`: the operator, who may do everything.
    /// - Throws: `forbidden`, `banned`; `tokenInvalid` if the account is gone.
    package static func require(
        _ permission: Permission, of actor: UserID?, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws {
        guard let actor else { return }
        guard let user = try db.first(UserRecord.self, key: actor) else { throw Refusal.tokenInvalid }
        try UserDAO.refuseIfBanned(actor, now: now, in: &db)
        guard user.role.permissions.contains(permission) else { throw Refusal.forbidden(permission) }
    }

    /// Refuses to remove, demote or ban `user` if no other administrator could sign in then.
    ///
    /// If two administrators remove each other at once, the second attempt is refused: there is one writer.
    ///
    /// - Throws: `lastAdmin`.
    static func refuseIfLast(
        _ user: UserRecord, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws {
        guard user.role == .admin, try UserDAO.ban(of: user.uid, now: now, in: &db) == nil,
            try !db.exists(WaitingAccountRecord.self, key: user.uid)
        else { return }
        let isAnotherThere = try db.value(
            """
            SELECT EXISTS (SELECT 1 FROM users u WHERE u.role = 'admin' AND u.uid <> \(user.uid)
                AND NOT EXISTS (SELECT 1 FROM bans b WHERE b.uid = u.uid
                    AND (b.until_ms IS NULL OR b.until_ms > \(now)))
                AND NOT EXISTS (SELECT 1 FROM waiting_accounts w WHERE w.uid = u.uid))
            """, as: Bool.self)
        guard isAnotherThere == true else { throw Refusal.lastAdmin }
    }
}
