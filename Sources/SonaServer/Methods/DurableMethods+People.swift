internal import SonaModel
internal import SonaWire

/// `people.*`: who knows whom.
extension DurableMethods {
    static let people: [DurableMethod] = [
        .signedIn(PeopleFollow.self) { (methods, request, account, _) async throws(WireError) in
            try await methods.related { () async throws(AccountError) in
                try await methods.model.people.follow(request.user, account.uid)
            }
        },
        .signedIn(PeopleUnfollow.self) { (methods, request, account, _) async throws(WireError) in
            try await methods.related { () async throws(AccountError) in
                try await methods.model.people.unfollow(request.user, account.uid)
            }
        },
        .signedIn(PeopleBlock.self) { (methods, request, account, _) async throws(WireError) in
            let outcome = try await methods.related { () async throws(AccountError) in
                try await methods.model.people.block(request.user, account.uid)
            }
            await methods.circlesChanged(account, request.user)
            return outcome
        },
        .signedIn(PeopleUnblock.self) { (methods, request, account, _) async throws(WireError) in
            let outcome = try await methods.related { () async throws(AccountError) in
                try await methods.model.people.unblock(request.user, account.uid)
            }
            await methods.circlesChanged(account, request.user)
            return outcome
        },
        .signedIn(PeopleFollowers.self) { (methods, request, account, _) async throws(WireError) in
            try await methods.page(.followers(of: request.user), account, request.cursor, request.limit)
        },
        .signedIn(PeopleFollowing.self) { (methods, request, account, _) async throws(WireError) in
            try await methods.page(.following(of: request.user), account, request.cursor, request.limit)
        },
        .signedIn(PeopleFriends.self) { (methods, request, account, _) async throws(WireError) in
            try await methods.page(.friends, account, request.cursor, request.limit)
        },
        .signedIn(PeopleBlocked.self) { (methods, request, account, _) async throws(WireError) in
            try await methods.page(.blocked, account, request.cursor, request.limit)
        },
        .signedIn(PeoplePresence.self) { (methods, _, account, _) async throws(WireError) in
            DurableOutcome(Presences(people: try await methods.presences(account)))
        },
    ]

    /// Lists of rooms that the two watch have others in them now.
    private func circlesChanged(_ account: Accounts.Account, _ other: UserReference) async {
        let uid = try? await model.accounts.summary(of: other).uid
        await directory.circlesChanged(of: [account.uid] + [uid].compactMap { $0 })
    }

    private func related(
        _ body: () async throws(AccountError) -> Relation
    ) async throws(WireError) -> DurableOutcome {
        DurableOutcome(RelationResult(relation: try await asked(body)))
    }

    private func page(
        _ list: People.List, _ account: Accounts.Account, _ cursor: String?, _ limit: Int
    ) async throws(WireError) -> DurableOutcome {
        var after: PageCursor?
        if let cursor {
            guard let parsed = PageCursor(cursor) else { throw .cursorUnknown("this list") }
            after = parsed
        }
        return DurableOutcome(
            try await asked { () async throws(AccountError) in
                try await model.people.page(list, for: account.uid, after: after, limit: limit)
            })
    }

    /// Where those are whom an account follows: in rooms it may enter itself, and by their consent.
    private func presences(_ account: Accounts.Account) async throws(WireError) -> [Presence] {
        let followed = try await asked { () async throws(AccountError) in
            Set(try await model.people.followed(by: account.uid))
        }
        let user = User(account)
        let places = await shard.perform { $0.places(of: followed, visibleTo: user) }
        let cards = try await asked { () async throws(AccountError) in
            try await model.people.visible(Array(places.keys), to: account.uid)
        }
        var presences: [Presence] = []
        for card in cards {
            guard let place = places[card.user.uid] else { continue }
            if try await isHidden(owner: place.room.owner.uid, from: account) { continue }
            presences.append(Presence(user: card, state: place.isLive ? .live : .listening, room: place.room))
        }
        return presences
    }

    /// Whether an account must not know of somebody's rooms, because they have blocked it.
    func isHidden(owner: UserID, from account: Accounts.Account) async throws(WireError) -> Bool {
        guard !account.isGuest, owner != account.uid else { return false }
        return try await asked { () async throws(AccountError) in
            try await model.people.hasBlocked(owner, account.uid)
        }
    }
}
