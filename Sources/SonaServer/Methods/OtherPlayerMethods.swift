internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `listen.*` and `source.*`: rooms in players that know nothing of rooms, and programs that host by Icecast.
struct OtherPlayerMethods: MethodArea {
    let access: RoomAccess
    let live: LiveConfiguration
    let tokens: RadioTokens

    private var store: SourceKeyStore { access.model.roomStorage.sourceKeys }

    static func area(of methods: Methods) -> OtherPlayerMethods { methods.otherPlayers }

    static var methods: [Method] {
        [
            signedIn(addresses), signedIn(get), signedIn(makeKey), signedIn(revokeKey), signedIn(speakers),
            signedIn(assign), signedIn(update), signedIn(forget),
        ]
    }

    func addresses(_ request: ListenAddresses, _ asker: Asker) async throws -> ListenPaths {
        let room = try await access.reach(request.room, asker)
        let isOpen = try await room.onLoop { $0.room.isOpenToAll }
        let signed =
            isOpen && live.takesGuests
            ? nil : tokens.make(for: asker.account, room.id, now: MonotonicClock.wallMilliseconds())
        func path(_ ending: String) -> String {
            Limits.listenPathPrefix + room.id.rawValue + ending + (signed.map { "?t=\($0.token)" } ?? "")
        }
        return ListenPaths(
            opus: path(".opus"), mp3: path(".mp3"), m3u: path(".m3u"), pls: path(".pls"), xspf: path(".xspf"),
            expiresMilliseconds: signed?.expiresMilliseconds)
    }

    func get(_ request: SourceGet, _ asker: Asker) async throws -> SourceResult {
        let room = try await access.reach(request.room, asker)
        try await room.require(.manage)
        return SourceResult(source: try await source(of: room.id))
    }

    func makeKey(_ request: SourceMakeKey, _ asker: Asker) async throws -> SourceKeyResult {
        let room = try await access.reach(request.room, asker)
        try await room.require(.manage)
        let key = try await store.make(for: room.id, by: asker.uid)
        // Whoever has the key before plays no more.
        try await room.onLoop { $0.endSource() }
        return SourceKeyResult(key: key, source: try await source(of: room.id))
    }

    func revokeKey(_ request: SourceRevokeKey, _ asker: Asker) async throws -> SourceResult {
        let room = try await access.reach(request.room, asker)
        try await room.require(.manage)
        try await store.revoke(of: room.id, by: asker.uid)
        try await room.onLoop { $0.endSource() }
        return SourceResult(source: try await source(of: room.id))
    }

    private func source(of room: RoomID) async throws -> SourceAccess {
        let port = live.icecastAddress.flatMap { $0.split(separator: ":").last.flatMap { Int($0) } }
        return SourceAccess(
            port: port, mount: "/" + room.rawValue, keyMadeMilliseconds: try await store.made(of: room))
    }
}
