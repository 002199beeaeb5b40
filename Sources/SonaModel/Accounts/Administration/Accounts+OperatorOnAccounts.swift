internal import SonaDatabase
package import SonaWire

/// What the operator does with somebody's account in their place: for people who have lost theirs, or who ask by letter.
extension Accounts {
    /// Ends every sign-in of an account, with the codes that were mailed to it.
    ///
    /// - Throws: `userUnknown`, `busy`, `storage`.
    package func signOutEverywhere(_ reference: UserReference) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        let until = Self.revokedUntil(now)
        let journal = self.journal
        let families = try await users.write { db in
            let user = try UserDAO.find(reference, in: &db)
            try AccountCodeDAO.deleteAll(of: user.uid, in: &db)
            let families = try RefreshTokenDAO.endAll(of: user.uid, until: until, now: now, in: &db)
            try journal.append(
                JournalEntry(.signOutEverywhere, user: user.uid, ["sign_ins": .integer(Int64(families.count))]),
                in: &db)
            return families
        }
        tellRevoked(families, until: until, now: now)
    }

    /// Exports everything that is stored about an account, as `export(_:)` does for its owner. No code is made.
    ///
    /// - Throws: `userUnknown`, `busy`, `storage`.
    package func export(_ reference: UserReference) async throws(Refusal) -> SonaWire.JSON {
        let uid = try await summary(of: reference).user.uid
        let data = try await exportData(of: uid)
        let journal = self.journal
        try await users.write { db in
            guard try db.exists(UserRecord.self, key: uid) else { throw Refusal.userUnknown }
            try journal.append(JournalEntry(.accountExported, user: uid), in: &db)
        }
        return data.json(journal: try await lines(about: uid))
    }

    /// Erases an account, as `remove(_:code:rooms:)` does for its owner; a banned one as well.
    ///
    /// - Throws: `userUnknown`, `lastAdmin`, `busy`, `storage`.
    package func remove(_ reference: UserReference, rooms fate: AccountRemove.Rooms) async throws(Refusal) {
        let uid = try await summary(of: reference).user.uid
        try await remove(uid, rooms: fate, by: nil) { _, _ in }
    }
}
