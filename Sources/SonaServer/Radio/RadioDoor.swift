internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Finds the rooms that players which know nothing of rooms may hear. Off the loop.
struct RadioDoor: Sendable {
    let methods: Methods
    let services: ShardServices

    struct Found: Sendable {
        var stored: RoomStore.StoredRoom
        /// Whoever made the signed address.
        var account: Accounts.Account?
    }

    /// Finds a room, if anybody may hear it, or whoever has the token.
    ///
    /// - Throws: `room.not_found`, `room.closed`, `room.guests_not_allowed`, `auth.account_required`, `auth.token_invalid`;
    ///   the errors of entering the room.
    func find(_ reference: RoomReference, token: String?) async throws -> Found {
        if let token {
            let claims = services.radioTokens.verify(token, now: services.library.clock.nowMilliseconds())
            guard let claims else { throw WireError(.authTokenInvalid) }
            let account = try services.model.accounts.current(claims.account)
            guard try await services.model.accounts.lasts(account) else { throw WireError(.authTokenInvalid) }
            if account.isGuest, !services.live.takesGuests { throw WireError(.authAccountRequired) }
            guard reference == .id(claims.room) else { throw WireError(.authTokenInvalid) }
            let stored = try await methods.access.resolve(.id(claims.room), account)
            try await methods.access.refuseIfBanned(account, from: stored.id)
            return Found(stored: stored, account: account)
        }
        let candidates = try await methods.access.stored(reference).filter { $0.settings.visibility == .public }
        guard let stored = await methods.access.mostActive(candidates) else { throw WireError(.roomNotFound) }
        if stored.closedMilliseconds != nil { throw WireError(.roomClosed) }
        guard services.live.takesGuests else { throw WireError(.authAccountRequired) }
        guard stored.settings.allowsGuests, !stored.settings.hasWaitingRoom else {
            throw WireError(.roomGuestsNotAllowed)
        }
        return Found(stored: stored)
    }
}
