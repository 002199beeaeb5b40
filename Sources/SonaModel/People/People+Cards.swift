internal import SonaDatabase
package import SonaWire

extension People {
    /// Returns the cards of some users, as lists show them, in the order given. Users without an account are left out.
    ///
    /// - Throws: `busy`, `storage`.
    package func cards(of users: [UserID]) async throws(Refusal) -> [UserCard] {
        guard !users.isEmpty else { return [] }
        return try await people.read { db in
            try users.compactMap { uid in
                try PeopleDAO.cards("0 FROM users u \(PeopleDAO.cardJoins) WHERE u.uid = \(uid)", in: &db).first?.card
            }
        }
    }
}
