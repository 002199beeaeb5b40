package import SonaWire

extension Accounts {
    /// An account as administrators see it. The e-mail address is left out for privacy.
    package struct Summary: Sendable, Equatable {
        package let uid: UserID
        package let username: Username?
        package let role: AccountRole
        package let createdMilliseconds: Int64
        package let ban: Ban?
    }

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
