/// What a role allows, in a word that errors and `user.me` name.
///
/// A newer server may name others: that is why `Me.permissions` and `WireError.permission` are texts.
///
/// Source: Protocol/spec/permissions.md, "Permissions".
public enum Permission: String, CaseIterable, Sendable {
    case roomsListen = "rooms.listen"
    case peopleView = "people.view"
    case roomsCreate = "rooms.create"
    /// Of rooms one owns or has a standing in, as far as that goes.
    case roomsControl = "rooms.control"
    case peopleFind = "people.find"
    case peopleFollow = "people.follow"
    case profileEdit = "profile.edit"
    case accountManage = "account.manage"
    case usersList = "users.list"
    case usersBan = "users.ban"
    case usersSetRole = "users.set_role"
    case journalRead = "journal.read"
    /// Seeing how any room is heard, by whomever.
    case roomsInspect = "rooms.inspect"

    /// What guests have, who have no role.
    public static let ofGuests: Set<Permission> = [.roomsListen, .peopleView]

    /// What everybody with an account has.
    static let ofUsers = ofGuests.union([
        .roomsCreate, .roomsControl, .peopleFind, .peopleFollow, .profileEdit, .accountManage,
    ])
    static let ofAdmins = ofUsers.union([.usersList, .usersBan, .usersSetRole, .journalRead, .roomsInspect])
}

/// What an account may do on the whole server. What somebody may do in a room is
/// `Capability`.
///
/// Source: Protocol/spec/permissions.md, "Roles".
public enum AccountRole: String, CaseIterable, Sendable {
    case user
    /// Reserved: no server of this revision gives it to anybody, and it allows what `user` does.
    case moderator
    case admin

    public var permissions: Set<Permission> {
        switch self {
        case .user, .moderator: Permission.ofUsers
        case .admin: Permission.ofAdmins
        }
    }
}
