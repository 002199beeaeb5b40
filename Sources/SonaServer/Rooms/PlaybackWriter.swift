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
    /// Those first that have waited longest.
    private var due: [RoomID] = []
    private var isDue: Set<RoomID> = []
    private var underWay: Set<RoomID> = []
    private var isWriting = false
    /// What is due is to be written now.
    private var isUrgent = false
    private var isGathering = false

    /// How long what is not urgent waits, µs.
    static let gatheringMicroseconds: Int64 = 1_000_000
    /// Rooms in one transaction: as many as can be asked without anybody waiting for it.
    private static let countMax = 128
    /// Between two tries.
    private static let patience = Duration.seconds(1)
    private static let triesMax = 60

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
    func isBusy(with room: RoomID) -> Bool { isDue.contains(room) || underWay.contains(room) }

    /// Has a room written down, now or together with others.
    func write(_ room: RoomID, isUrgent: Bool) {
        if isDue.insert(room).inserted { due.append(room) }
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
            var failures = 0
            while let playbacks = await shard.perform({ [failures] in $0.playbacks.next(isAgain: failures > 0) }) {
                let isWritten = (try? await store.savePlaybacks(playbacks)) != nil
                failures = isWritten ? 0 : (failures + 1) % Self.triesMax
                if !isWritten { try? await Task.sleep(for: Self.patience) }
            }
        }
    }

    /// What is to be written next; what went before is written, or given up.
    ///
    /// - Parameter isAgain: It is not: it is tried again, as it is now.
    func next(isAgain: Bool) -> [RoomID: RoomStore.StoredPlayback]? {
        if isAgain {
            let again = underWay.filter { isDue.insert($0).inserted }
            due.insert(contentsOf: again, at: 0)
            isUrgent = !due.isEmpty
        }
        var playbacks: [RoomID: RoomStore.StoredPlayback] = [:]
        while isUrgent, playbacks.isEmpty {
            let rooms = due.prefix(Self.countMax)
            due.removeFirst(rooms.count)
            isDue.subtract(rooms)
            for room in rooms { playbacks[room] = playback(room) }
            isUrgent = !due.isEmpty
        }
        underWay = Set(playbacks.keys)
        isWriting = !playbacks.isEmpty
        return isWriting ? playbacks : nil
    }
}
