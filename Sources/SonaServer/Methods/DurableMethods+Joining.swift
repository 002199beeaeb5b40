internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `invite.*` and the waiting room.
extension DurableMethods {
    static let joining: [DurableMethod] = [
        .signedIn(InviteCreate.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.create(request, account, caller)
        },
        .signedIn(InviteList.self) { (methods, request, account, caller) async throws(WireError) in
            let id = try await methods.place(request.room, account, caller, needsEntry: false)
            try await methods.require(.host, account, in: id)
            let owner = try await methods.on(id) { .success($0.room.settings.owner) }
            let invites = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.invites.list(of: id)
            }
            return DurableOutcome(InviteListResult(invites: invites.map { SonaWire.Invite($0, owner: owner) }))
        },
        .signedIn(InviteRevoke.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.revoke(request, account, caller)
        },
        .signedIn(RoomWaiting.self) { (methods, request, account, caller) async throws(WireError) in
            let id = try await methods.place(request.room, account, caller, needsEntry: false)
            try await methods.require(.moderate, account, in: id)
            let waiting = try await methods.on(id) { .success($0.room.roster.waitingInOrder) }
            return DurableOutcome(RoomWaitingResult(users: try await methods.cards(of: waiting)))
        },
        .signedIn(RoomAdmit.self) { (methods, request, account, caller) async throws(WireError) in
            let id = try await methods.place(request.room, account, caller, needsEntry: false)
            try await methods.require(.moderate, account, in: id)
            let user = try await methods.person(request.user, in: id)
            let isWaiting = try await methods.on(id) { .success($0.room.roster.waiting[user.uid] != nil) }
            guard isWaiting else { throw WireError(.userNotFound) }
            let (member, changeNumber) = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.membership.admit(
                    user.uid, isGuest: user.isGuest, to: id, by: account.uid)
            }
            let moderator = User(account)
            try await methods.on(id) { home in
                _ = home.answer(user.uid, isAdmitted: true, by: moderator)
                home.set(RoomRoster.Entry(member), for: user, changeNumber: changeNumber)
                return .success(())
            }
            return DurableOutcome(Empty())
        },
        .signedIn(RoomDeny.self) { (methods, request, account, caller) async throws(WireError) in
            let id = try await methods.place(request.room, account, caller, needsEntry: false)
            try await methods.require(.moderate, account, in: id)
            let user = try await methods.person(request.user, in: id)
            let moderator = User(account)
            let found = try await methods.on(id) {
                .success($0.answer(user.uid, isAdmitted: false, by: moderator))
            }
            guard found != nil else { throw WireError(.userNotFound) }
            return DurableOutcome(Empty())
        },
    ]

    private func create(
        _ request: InviteCreate, _ account: Accounts.Account, _ caller: Caller
    ) async throws(WireError) -> DurableOutcome {
        let id = try await place(request.room, account, caller, needsEntry: false)
        // Who makes cohosts may invite them.
        try await require(request.role == .cohost ? .manage : .host, account, in: id)
        let owner = try await on(id) { .success($0.room.settings.owner) }
        guard let role = InviteStore.Role(rawValue: request.role.rawValue) else { throw WireError(.serverInternal) }
        let (invite, code) = try await inRoomStorage { () async throws(RoomStorageError) in
            try await model.roomStorage.invites.create(
                for: id, role: role, label: request.label, seconds: Int64(request.expiresInSeconds),
                usesMax: request.useCountMax, by: account.uid)
        }
        return DurableOutcome(
            InviteCreated(
                invite: SonaWire.Invite(invite, owner: owner), code: code,
                path: SonaWire.Invite.path(room: id, code: code)))
    }

    private func revoke(
        _ request: InviteRevoke, _ account: Accounts.Account, _ caller: Caller
    ) async throws(WireError) -> DurableOutcome {
        let id = try await place(request.room, account, caller, needsEntry: false)
        try await require(.host, account, in: id)
        let invite = request.invite
        let known = try await inRoomStorage { () async throws(RoomStorageError) in
            try await model.roomStorage.invites.list(of: id)
        }
        // Who makes cohosts may end that.
        if known.contains(where: { $0.id == invite && $0.role == .cohost }) {
            try await require(.manage, account, in: id)
        }
        let (_, removed, changed, changeNumber) = try await inRoomStorage { () async throws(RoomStorageError) in
            try await model.roomStorage.invites.revoke(invite, of: id, by: account.uid)
        }
        try await on(id) { home in
            home.revokedInvites.insert(invite)
            // Whoever could come in without it stays.
            let isOpen = home.room.settings.visibility == .public && !home.room.settings.hasWaitingRoom
            for member in removed {
                if !isOpen { home.putOut(member.user.uid, RoomRemoved.inviteRevoked) }
                home.set(nil, for: member.user, changeNumber: changeNumber, isSilent: !isOpen)
            }
            for member in changed { home.set(RoomRoster.Entry(member), for: member.user, changeNumber: changeNumber) }
            return .success(())
        }
        return DurableOutcome(Empty())
    }

    /// People as lists show them; guests have nothing but their identifier.
    func cards(of users: [User]) async throws(WireError) -> [UserCard] {
        let known = try await asked { () async throws(AccountError) in
            try await model.people.cards(of: users.filter { !$0.isGuest }.map(\.uid))
        }
        let byID = Dictionary(known.map { ($0.user.uid, $0) }) { first, _ in first }
        return users.map { byID[$0.uid] ?? UserCard(user: $0) }
    }
}

extension SonaWire.Invite {
    /// - Parameter owner: Who answers for it where its maker is gone.
    init(_ invite: InviteStore.Invite, owner: User) {
        guard let role = InviteRole(rawValue: invite.role.rawValue) else {
            preconditionFailure("An invite has a form that the protocol has not.")
        }
        self.init(
            id: invite.id, role: role, label: invite.label, createdMilliseconds: invite.createdMilliseconds,
            expiresMilliseconds: invite.expiresMilliseconds, useCount: invite.uses, useCountMax: invite.usesMax,
            isRevoked: invite.revokedMilliseconds != nil, createdBy: invite.createdBy ?? owner)
    }
}
