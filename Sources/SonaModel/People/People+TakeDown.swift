internal import SonaDatabase
package import SonaWire

extension People {
    /// Takes down a part of a profile for an administrator.
    ///
    /// - Parameters:
    ///   - isPhoto: The photo is meant; else name, text and links.
    ///   - actor: The administrator. `nil`: the operator.
    /// - Throws: `userUnknown`; `forbidden`, `banned` or `tokenInvalid` for the administrator; `busy`, `storage`.
    package func takeDown(
        isPhoto: Bool, of reference: UserReference, by actor: UserID?
    ) async throws(Refusal) {
        let (now, journal) = (clock.nowMilliseconds(), self.journal)
        let kind: TakeDown.Kind = isPhoto ? .photo : .profile
        try await people.write { db in
            let user = try UserDAO.find(reference, in: &db)
            try AdminRights.require(.contentTakeDown, of: actor, now: now, in: &db)
            guard let current = try db.first(ProfileRecord.self, key: user.uid) else { throw Refusal.userUnknown }
            if isPhoto {
                _ = try db.delete(PhotoRecord.self, key: user.uid)
            } else {
                var changed = current
                changed.displayName = nil
                changed.bio = nil
                changed.links = JSON([])
                try db.updateChanges(changed, from: current)
                try DirectoryRecord.update(user, changed, in: &db)
            }
            try journal.append(
                JournalEntry(.takenDown, actor: actor, user: user.uid, ["kind": .text(kind.rawValue)]), in: &db)
        }
    }
}
