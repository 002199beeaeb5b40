internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Wakes the rooms that played by themselves when the server ended: their listeners come back at any moment.
struct RoomAwakening: Sendable {
    let model: Model
    let shard: Shard

    func wakePlaying() async {
        guard let rooms = try? await model.roomStorage.autoplays.playing() else { return }
        for id in rooms {
            guard let stored = try? await model.rooms.room(id), stored.closedMilliseconds == nil,
                let state = try? await StoredRoomState(id, model.roomStorage)
            else { continue }
            await shard.perform { core in _ = try? core.home(stored, state) }
        }
    }
}

extension ShardCore {
    /// A track may not be played any more, by any room. O(rooms that are awake).
    func silence(_ music: MusicID) {
        for home in rooms.values { home.silence(music) }
    }
}
