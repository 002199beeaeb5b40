internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `invite.*` and the waiting room.
struct JoiningMethods: MethodArea {
    let access: RoomAccess

    private var storage: RoomStorage { access.model.roomStorage }

    static func area(of methods: Methods) -> JoiningMethods { methods.joining }

    static var methods: [Method] {
        [
            signedIn(createInvite),
            signedIn(listInvites),
            signedIn(revokeInvite),
            signedIn(waiting),
            signedIn(admit),
            signedIn(deny),
        ]
    }

    // MARK: Invites

    func createInvite(_ request: InviteCreate, _ asker: Asker) async throws -> InviteCreated {
        // Making a cohost takes `manage`, and so does inviting one.
        let room = try await access.reach(request.room, asker, with: request.role == .cohost ? .manage : .host)
        return try await storage.invites.create(
            for: room.id, role: request.role, label: request.label, seconds: Int64(request.expiresInSeconds),
            usesMax: request.useCountMax, by: asker.uid)
    }

    func listInvites(_ request: InviteList, _ asker: Asker) async throws -> InviteListResult {
        let room = try await access.reach(request.room, asker, with: .host)
        return InviteListResult(invites: try await storage.invites.list(of: room.id))
    }

    func revokeInvite(_ request: InviteRevoke, _ asker: Asker) async throws -> Empty {
        let room = try await access.reach(request.room, asker, with: .host)
        let invite = request.invite
        // Making a cohost takes `manage`, and so does revoking an invite for one.
        let known = try await storage.invites.list(of: room.id)
        if known.contains(where: { $0.id == invite && $0.role == .cohost }) { try await room.require(.manage) }
        let (removed, changed, changeNumber) = try await storage.invites.revoke(invite, of: room.id, by: asker.uid)
        try await room.onLoop { home in
            home.revokedInvites.insert(invite)
            // Members who could come in without the invite stay.
            let isOpen = home.room.settings.visibility == .public && !home.room.settings.hasWaitingRoom
            for member in removed {
                if !isOpen { home.putOut(member.user.uid, RoomRemoved.inviteRevoked) }
                home.set(nil, for: member.user, changeNumber: changeNumber, isSilent: !isOpen)
            }
            for member in changed { home.set(RoomRoster.Entry(member), for: member.user, changeNumber: changeNumber) }
        }
        return Empty()
    }

    // MARK: The waiting room

    func waiting(_ request: RoomWaiting, _ asker: Asker) async throws -> RoomWaitingResult {
        let room = try await access.reach(request.room, asker, with: .moderate)
        let waiting = try await room.onLoop { $0.room.roster.waitingInOrder }
        return RoomWaitingResult(users: try await access.cards(of: waiting))
    }

    func admit(_ request: RoomAdmit, _ asker: Asker) async throws -> Empty {
        let room = try await access.reach(request.room, asker, with: .moderate)
        let (user, moderator) = (try await room.person(request.user), asker.user)
        try await room.change { home in
            guard home.room.roster.waiting[user.uid] != nil else { throw WireError(.userNotFound) }
        } write: {
            try await storage.membership.admit(user.uid, isGuest: user.isGuest, to: room.id, by: moderator.uid)
        } apply: { home, admitted in
            let (member, changeNumber) = admitted
            _ = home.answer(user.uid, isAdmitted: true, by: moderator)
            home.set(RoomRoster.Entry(member), for: user, changeNumber: changeNumber)
        }
        return Empty()
    }

    func deny(_ request: RoomDeny, _ asker: Asker) async throws -> Empty {
        let room = try await access.reach(request.room, asker, with: .moderate)
        let (user, moderator) = (try await room.person(request.user), asker.user)
        let found = try await room.onLoop { $0.answer(user.uid, isAdmitted: false, by: moderator) }
        guard found != nil else { throw WireError(.userNotFound) }
        return Empty()
    }
}
