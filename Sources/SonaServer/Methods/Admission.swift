internal import SonaModel
internal import SonaWire

extension WireRequest {
    /// Decodes a request of a signed-in user, for both planes: the only place where permissions of roles are checked.
    ///
    /// - Parameters:
    ///   - data: The `data` of the request.
    ///   - isNameless: An account that has not chosen a username yet may ask, too.
    /// - Throws: In this order: `auth.required`; the decoder's error; `auth.forbidden` or `auth.account_required`;
    ///   `auth.username_required`.
    ///
    /// Source: Protocol/spec/connection.md, "Which error".
    static func admitted(
        _ data: JSON, _ account: Accounts.Account?, isNameless: Bool = false
    ) throws(WireError) -> (message: Self, account: Accounts.Account) {
        guard let account else { throw WireError(.authRequired) }
        let message = try Self(data)
        if let permission { try account.require(permission) }
        if !isNameless { try account.requireName() }
        return (message, account)
    }
}

extension Accounts.Account {
    /// Guests have no role, and fewer permissions than any.
    var permissions: Set<Permission> { isGuest ? Permission.ofGuests : role.permissions }

    /// - Throws: `auth.account_required` for guests, `auth.forbidden` for accounts, both naming the permission.
    func require(_ permission: Permission) throws(WireError) {
        guard !permissions.contains(permission) else { return }
        throw WireError(isGuest ? .authAccountRequired : .authForbidden, permission: permission.rawValue)
    }

    /// - Throws: `auth.username_required` for an account that would be shown without a name.
    fileprivate func requireName() throws(WireError) {
        if !isGuest, username == nil { throw WireError(.authUsernameRequired) }
    }
}

extension User {
    init(_ account: Accounts.Account) {
        self.init(uid: account.uid, username: account.username, isGuest: account.isGuest)
    }
}
