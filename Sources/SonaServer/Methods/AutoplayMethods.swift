internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `autoplay.*`: rooms that play by themselves.
struct AutoplayMethods: MethodArea {
    let access: RoomAccess
    let library: Library

    private var store: AutoplayStore { access.model.roomStorage.autoplays }

    static func area(of methods: Methods) -> AutoplayMethods { methods.autoplay }

    static var methods: [Method] { [signedIn(get), signedIn(set)] }

    func get(_ request: AutoplayGet, _ asker: Asker) async throws -> AutoplayResult {
        let room = try await access.reach(request.room, asker)
        try await room.require(.control)
        return AutoplayResult(autoplay: try await store.autoplay(of: room.id))
    }

    func set(_ request: AutoplaySet, _ asker: Asker) async throws -> AutoplayResult {
        let room = try await access.reach(request.room, asker)
        let autoplay = Autoplay(
            isOn: request.isOn, playlist: request.isOn ? request.playlist : nil, jingles: request.jingles)
        let (library, store, user) = (library, store, asker.user)
        return try await room.change(
            prepare: { home in
                try home.room.require(.control, of: user)
                return home.room.owner.uid
            },
            write: { owner in
                for playlist in [autoplay.playlist, autoplay.jingles?.playlist].compactMap(\.self) {
                    try await library.rooms.requirePlaylist(playlist, for: owner)
                }
                return try await store.set(autoplay, in: room.id, by: user.uid)
            },
            apply: { home, changeNumber in
                if home.takes(changeNumber, of: .autoplay) {
                    home.setAutoplay(autoplay, now: MonotonicClock.nowMicroseconds())
                }
                return AutoplayResult(autoplay: autoplay)
            })
    }
}
