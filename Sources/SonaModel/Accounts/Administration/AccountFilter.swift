package import SonaWire

extension Accounts {
    /// The accounts that an administrator asks for. `nil` in a field: any.
    package struct Filter: Sendable, Equatable {
        /// The beginning of a username, or a whole identifier.
        package var query: String?
        package var role: AccountRole?
        package var isBanned: Bool?

        package init(query: String? = nil, role: AccountRole? = nil, isBanned: Bool? = nil) {
            self.query = query
            self.role = role
            self.isBanned = isBanned
        }
    }
}
