internal import SonaModel
internal import SonaRooms
internal import SonaWire

extension RoomAccess {
    /// Uses up an invite, and wakes its room. Nothing is used up if the account may not come in or the room is full.
    ///
    /// - Throws: `room.banned`; `invite.invalid`, also if there is no such room, so that guessing tells nothing;
    ///   `invite.revoked`, `invite.expired`, `invite.used_up`, `room.guests_not_allowed`, `auth.account_required`,
    ///   `room.full`.
    func redeem(
        _ code: String, to reference: RoomReference, _ account: Accounts.Account, session: UInt64
    ) async throws -> RoomID {
        for stored in try await stored(reference) where stored.closedMilliseconds == nil {
            if try await isHidden(owner: stored.owner.uid, from: account) { continue }
            if let invite = model.roomStorage.invites.verify(code, for: stored.id) {
                try await redeem(invite, to: stored, account, session)
                return stored.id
            }
            if case .id = reference { try await refuseIfBanned(account, from: stored.id) }
        }
        throw WireError(.inviteInvalid)
    }

    private func redeem(
        _ invite: InviteID, to stored: RoomStore.StoredRoom, _ account: Accounts.Account, _ session: UInt64
    ) async throws {
        let (uid, isGuest, invites) = (account.uid, account.isGuest, model.roomStorage.invites)
        try await invites.check(invite, to: stored.id, uid: uid, isGuest: isGuest)
        let state = try await storedState(of: stored)
        try await shard.perform { core in
            let home = try core.home(stored, state)
            guard !home.revokedInvites.contains(invite) else { throw WireError(.inviteRevoked) }
            try home.room.requirePlace(for: session)
        }
        let (member, _, changeNumber) = try await invites.redeem(invite, to: stored.id, uid: uid, isGuest: isGuest)
        let user = User(account)
        try await shard.perform { core in
            let home = try core.home(stored, state)
            // The invite may have been revoked since it was used up, and its users removed.
            guard !home.revokedInvites.contains(invite) else { throw WireError(.inviteRevoked) }
            if let member { home.set(RoomRoster.Entry(member), for: user, changeNumber: changeNumber, isSilent: true) }
        }
    }
}
