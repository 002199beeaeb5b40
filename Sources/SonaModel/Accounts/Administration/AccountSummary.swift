package import SonaWire

extension Accounts {
    /// An account as an administrator sees it: without its address, which is nobody's business.
    package struct Summary: Sendable, Equatable {
        package let uid: UserID
        package let username: Username?
        package let role: AccountRole
        package let createdMilliseconds: Int64
        package let ban: Ban?
    }

    /// Which accounts an administrator asks for.
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
