internal import SonaModel
internal import SonaWire

/// Who asks, and from where.
struct Caller: Sendable {
    var account: Accounts.Account?
    /// The address that limits on failed sign-ins go by; nil for exempt ones.
    var address: String?
}

/// What a durable request came to.
struct DurableOutcome: Sendable {
    var result: any WireObject
    /// The account that the connection belongs to from now on.
    var signsIn: Accounts.Account?
    var signsOut = false
}

/// The requests that need the disk: one table for both transports, WebSocket and `POST /v1/rpc/…`.
///
/// Off the loop. Each answer leaves after the transaction it speaks of is on disk.
struct DurableMethods: Sendable {
    let model: Model
    let shard: Shard

    /// Types answered here.
    static let types: Set<String> = [
        AuthSignUp.type, AuthSignIn.type, AuthRefresh.type, AuthGuest.type, AuthSignOut.type, UserMe.type,
        RoomCreate.type, RoomGet.type, RoomList.type, PlaybackGet.type,
    ]

    /// - Throws: What the request's page in Protocol/spec names.
    func call(_ type: String, _ data: JSON, _ caller: Caller) async throws(WireError) -> DurableOutcome {
        switch type {
        case AuthSignUp.type: return try await signUp(AuthSignUp(data))
        case AuthSignIn.type: return try await signIn(AuthSignIn(data), caller)
        case AuthRefresh.type: return try await refresh(AuthRefresh(data))
        case AuthSignOut.type: return try await signOut(AuthSignOut(data))
        case AuthGuest.type: return guest()
        default: break
        }
        guard let account = caller.account else { throw WireError(.authRequired) }
        switch type {
        case UserMe.type: return try await me(account)
        case RoomCreate.type: return try await createRoom(RoomCreate(data), account)
        case RoomGet.type:
            let stored = try await resolve(RoomGet(data).room, account)
            return DurableOutcome(result: RoomResult(room: await shard.perform { $0.describe(stored) }))
        case RoomList.type: return try await listRooms(RoomList(data), account)
        case PlaybackGet.type:
            guard let reference = try PlaybackGet(data).room else { throw WireError(.roomNotJoined) }
            let stored = try await resolve(reference, account)
            return DurableOutcome(result: await shard.perform { $0.home(stored).playbackNow() })
        default: throw WireError(.requestUnknown)
        }
    }

    // MARK: Accounts

    private func signUp(_ request: AuthSignUp) async throws(WireError) -> DurableOutcome {
        try await granted {
            () async throws(AccountError) in
            try await model.accounts.signUp(
                email: request.email, password: request.password, username: request.username.rawValue,
                displayName: request.displayName)
        }
    }

    private func signIn(_ request: AuthSignIn, _ caller: Caller) async throws(WireError) -> DurableOutcome {
        try await granted {
            () async throws(AccountError) in
            try await model.accounts.signIn(
                email: request.email, password: request.password, address: caller.address)
        }
    }

    private func refresh(_ request: AuthRefresh) async throws(WireError) -> DurableOutcome {
        try await granted {
            () async throws(AccountError) in try await model.accounts.refresh(request.refreshToken)
        }
    }

    private func granted(
        _ body: () async throws(AccountError) -> Accounts.Grant
    ) async throws(WireError) -> DurableOutcome {
        do {
            let grant = try await body()
            let result = Grant(
                user: User(grant.account), accessToken: grant.accessToken, expiresInSeconds: grant.expiresInSeconds,
                refreshToken: grant.refreshToken)
            return DurableOutcome(result: result, signsIn: grant.account)
        } catch { throw WireError(error) }
    }

    private func signOut(_ request: AuthSignOut) async throws(WireError) -> DurableOutcome {
        if let token = request.refreshToken {
            do { try await model.accounts.signOut(refreshToken: token) } catch { throw WireError(error) }
        }
        return DurableOutcome(result: Empty(), signsOut: true)
    }

    private func guest() -> DurableOutcome {
        let (account, token, seconds) = model.accounts.guest()
        let grant = GuestGrant(user: User(account), accessToken: token, expiresInSeconds: seconds)
        return DurableOutcome(result: grant, signsIn: account)
    }

    private func me(_ account: Accounts.Account) async throws(WireError) -> DurableOutcome {
        guard !account.isGuest else {
            let profile = Profile(displayName: nil, bio: nil, isPublic: false)
            return DurableOutcome(result: Me(user: User(account), email: nil, profile: profile))
        }
        do {
            let stored = try await model.accounts.profile(of: account.uid)
            let profile = Profile(displayName: stored.displayName, bio: stored.bio, isPublic: stored.isPublic)
            return DurableOutcome(result: Me(user: User(account), email: stored.email, profile: profile))
        } catch { throw WireError(error) }
    }

    // MARK: Rooms

    private func createRoom(
        _ request: RoomCreate, _ account: Accounts.Account
    ) async throws(WireError) -> DurableOutcome {
        guard !account.isGuest else { throw WireError(.authAccountRequired) }
        let title = request.title ?? account.username.map { "\($0.rawValue)'s room" } ?? "A room"
        do {
            let stored = try await model.rooms.create(
                owner: account.uid, title: title, isPublic: request.visibility == .public,
                delivery: request.delivery.rawValue, leadMilliseconds: request.leadMilliseconds,
                maxPerOwner: Limits.roomsPerUserMax)
            return DurableOutcome(result: RoomResult(room: await shard.perform { $0.describe(stored) }))
        } catch { throw WireError(error) }
    }

    private func listRooms(_ request: RoomList, _ account: Accounts.Account) async throws(WireError) -> DurableOutcome {
        var cursor: (createdMs: Int64, id: RoomID)?
        if let text = request.cursor {
            guard let parsed = Self.parse(cursor: text) else {
                throw WireError(.requestInvalid, "This is no cursor of room.list.", field: "data.cursor")
            }
            cursor = parsed
        }
        do {
            let stored = try await model.rooms.list(
                publicOnly: !request.isMine, owner: request.isMine ? account.uid : nil, after: cursor,
                limit: request.limit)
            let rooms = await shard.perform { core in stored.map { core.describe($0) } }
            let last = stored.count == request.limit ? stored.last : nil
            let next = last.map { "\($0.createdMilliseconds).\($0.id.rawValue)" }
            return DurableOutcome(result: RoomPage(rooms: rooms, nextCursor: next))
        } catch { throw WireError(error) }
    }

    private static func parse(cursor: String) -> (createdMs: Int64, id: RoomID)? {
        let parts = cursor.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let created = Int64(parts[0]), let id = RoomID(String(parts[1])) else { return nil }
        return (created, id)
    }

    /// Finds a room that the caller may know of.
    ///
    /// `@username` means the room that user is live in, else the one most recently used.
    /// - Throws: `room.not_found`, also for private rooms of others.
    func resolve(
        _ reference: RoomReference, _ account: Accounts.Account
    ) async throws(WireError) -> RoomStore.StoredRoom {
        let candidates: [RoomStore.StoredRoom]
        do {
            switch reference {
            case .id(let id): candidates = try await model.rooms.room(id).map { [$0] } ?? []
            case .username(let name): candidates = try await model.rooms.room(ofUsername: name)
            }
        } catch { throw WireError(error) }
        let visible = candidates.filter { $0.isPublic || $0.owner == account.uid }
        guard let first = visible.first else { throw WireError(.roomNotFound) }
        if visible.count == 1 { return first }
        return await shard.perform { core in visible.first { core.describe($0).isLive } ?? first }
    }
}

extension User {
    init(_ account: Accounts.Account) {
        self.init(uid: account.uid, username: account.username, isGuest: account.isGuest)
    }
}

extension WireError {
    init(_ error: AccountError) {
        self.init(ErrorCode(error.code) ?? .serverInternal)
        switch error {
        case .rateLimited(let milliseconds), .busy(let milliseconds): retryAfterMilliseconds = milliseconds
        default: break
        }
    }

    init(_ error: RoomStoreError) {
        self.init(ErrorCode(error.code) ?? .serverInternal)
        if case .busy(let milliseconds) = error { retryAfterMilliseconds = milliseconds }
    }
}
