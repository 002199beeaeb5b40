internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Writes down where rooms are, off the loop.
///
/// What has changed is written at once. That a room has played on can wait for others': hundreds of rooms that play are
/// a few transactions a second. One after another, so that an older state never comes last.
///
/// On the loop only.
final class PlaybackWriter {
    private let shard: Shard
    private let store: RoomStore
    private let writes: UnansweredWrites
    private let playback: (RoomID) -> RoomStore.StoredPlayback?
    private var due: Set<RoomID> = []
    private var underWay: Set<RoomID> = []
    private var isWriting = false
    /// What is due is to be written now.
    private var isUrgent = false
    private var isGathering = false

    /// How long what is not urgent waits, µs.
    static let gatheringMicroseconds: Int64 = 1_000_000
    /// Rooms in one transaction: as many as can be asked without anybody waiting for it.
    private static let countMax = 128

    /// - Parameter playback: Where a room is when it is about to be written down; `nil` if there is nothing to write.
    init(
        _ shard: Shard, _ store: RoomStore, _ writes: UnansweredWrites,
        _ playback: @escaping (RoomID) -> RoomStore.StoredPlayback?
    ) {
        self.shard = shard
        self.store = store
        self.writes = writes
        self.playback = playback
    }

    /// Whether something of the room's is still to be written.
    func isBusy(with room: RoomID) -> Bool { due.contains(room) || underWay.contains(room) }

    /// Has a room written down, now or together with others.
    func write(_ room: RoomID, isUrgent: Bool) {
        due.insert(room)
        if isUrgent { return writeDue() }
        guard !isGathering else { return }
        isGathering = true
        shard.loop.schedule(after: .microseconds(Self.gatheringMicroseconds)) { [weak self] in
            self?.isGathering = false
            self?.writeDue()
        }
    }

    private func writeDue() {
        isUrgent = !due.isEmpty
        guard isUrgent, !isWriting else { return }
        isWriting = true
        let (shard, store) = (self.shard, self.store)
        writes.run {
            while let playbacks = await shard.perform({ $0.playbacks.next() }) {
                // Live only: a write that fails is followed by the next change's.
                _ = try? await store.savePlaybacks(playbacks)
            }
        }
    }

    /// What is to be written next; those before are written.
    func next() -> [RoomID: RoomStore.StoredPlayback]? {
        var playbacks: [RoomID: RoomStore.StoredPlayback] = [:]
        while isUrgent, playbacks.count < Self.countMax, let room = due.popFirst() {
            playbacks[room] = playback(room)
        }
        underWay = Set(playbacks.keys)
        isUrgent = isUrgent && !due.isEmpty
        isWriting = !playbacks.isEmpty
        return isWriting ? playbacks : nil
    }
}
