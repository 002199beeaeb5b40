package import SonaDatabase
package import SonaWire

/// Finds accounts for other modules, inside of their transactions.
package enum UserLookup {
    /// - Throws: `userUnknown`.
    package static func uid(
        of reference: UserReference, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> UserID {
        try UserDAO.find(reference, in: &db).uid
    }
}
