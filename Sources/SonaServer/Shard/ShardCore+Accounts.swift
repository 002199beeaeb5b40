internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
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
        case .banChanged(let uid):
            // Rooms of a banned owner are out of everybody's reach until the ban ends.
            if services.model.accounts.isBanned(uid) {
                for home in Array(rooms.values) where home.room.owner.uid == uid { home.close("owner_banned") }
            }
            let directory = services.directory
            Task { await directory.bansChanged() }
        case .roomsMoved(let moves): for moved in moves { apply(moved) }
        case .roomsRemoved(let ids):
            let directory = services.directory
            for id in ids {
                rooms[id]?.close("account_removed")
                Task { await directory.remove(id) }
            }
        }
    }

    /// Tells the account that asked for a job of its change.
    func changed(_ job: Job) {
        guard let owner = job.owner else { return }
        for session in sessions(of: owner) { session.send(JobChanged(job: job)) }
    }

    /// Sends an event to all sessions of an account. Those that are away get it when they go on. `tellConnections` leaves
    /// those out.
    func tell(_ event: some WireEvent, to uid: UserID) {
        for session in sessions(of: uid) { session.send(event) }
    }

    /// Tells the owner of a submission of its change, and those who may decide.
    func changed(_ change: Submissions.Change) {
        // O(sessions), which a decision of a person can cost.
        for session in sessions.values {
            guard let account = session.account, !account.isGuest else { continue }
            let mayDecide = account.role != .user && account.role.permissions.contains(.libraryCurate)
            guard mayDecide || account.uid == change.owner else { continue }
            var event = change.event
            if !mayDecide { event.pendingCount = nil }
            session.send(event)
        }
    }

    /// Gives a room to its new owner; that is already stored.
    func apply(_ moved: RoomTransferStore.Moved) {
        let room = transferred(moved)
        let directory = services.directory
        Task { await directory.put(room, changeNumber: moved.changeNumber) }
    }

    /// The same for the room alone.
    ///
    /// - Returns: The room as it is now, for the directory.
    func transferred(_ moved: RoomTransferStore.Moved) -> Room {
        rooms[moved.room.id]?.transfer(moved)
        let room = changed(moved.room, changeNumber: moved.changeNumber)
        // The new owner may have been banned after the move was stored, when the room here was not theirs yet.
        if services.model.accounts.isBanned(room.owner.uid) { rooms[room.id]?.close("owner_banned") }
        return room
    }

    /// Applies what has become of a room whose owner is gone.
    func apply(_ succession: RoomTransferStore.Succession) {
        switch succession {
        case .moved(let moved): apply(moved)
        case .closed(let id):
            closed(id, "owner_absent")
            let directory = services.directory
            Task { await directory.remove(id) }
        }
    }

    /// A user has a new name, or a guest has become an account: tells all rooms. O(rooms awake).
    func renamed(_ user: User) {
        let members = sessions(of: user.uid).map(\.number)
        for home in rooms.values { home.rename(user, as: members) }
        services.directory.noteName(of: user)
    }
}
