internal import SonaModel
internal import SonaWire

/// Changes of accounts while their connections are open.
extension ShardCore {
    func heard(_ event: AccountEvent) {
        switch event {
        case .signedOut(let family):
            // O(sessions), but rare.
            for session in sessions.values { session.revoke(family) }
        case .expelled(let uid):
            for session in sessions(of: uid) { session.expel() }
        case .changed(let uid, let username, let role):
            for session in sessions(of: uid) {
                session.account?.username = username
                session.account?.role = role
            }
            renamed(User(uid: uid, username: username, isGuest: false))
        case .roomsRemoved(let ids):
            let directory = services.directory
            for id in ids {
                rooms[id]?.close("account_removed")
                Task { await directory.remove(id) }
            }
        }
    }

    /// A user has a new name, or a guest has become an account: tells all rooms. O(rooms awake).
    func renamed(_ user: User) {
        let members = sessions(of: user.uid).map(\.number)
        for home in rooms.values { home.rename(user, as: members) }
        services.directory.noteName(of: user)
    }
}
