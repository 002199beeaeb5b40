internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Stores the positions of rooms, off the loop.
///
/// A change is written at once. The progress of a room that simply plays on is not urgent and waits to be written with
/// others: hundreds of playing rooms cost a few transactions a second. Writes follow one another, so that an older
/// state never comes last.
///
/// On the loop only.
final class PlaybackWriter {
    private let shard: Shard
    private let store: RoomStore
    private let writes: UnansweredWrites
    private let playback: (RoomID) -> RoomStore.StoredPlayback?
    /// Rooms to write, the longest waiting first.
    private var due: [RoomID] = []
    private var isDue: Set<RoomID> = []
    private var underWay: Set<RoomID> = []
    private var isWriting = false
    /// Whether the due rooms are to be written now.
    private var isUrgent = false
    private var isGathering = false

    /// How long a write that is not urgent waits for others, µs.
    static let gatheringMicroseconds: Int64 = 1_000_000
    /// Rooms in one transaction: as many as can be collected on the loop without a noticeable wait.
    private static let countMax = 128
    /// Pause between two tries.
    private static let patience = Duration.seconds(1)
    private static let triesMax = 60

    /// - Parameter playback: A room's position when it is about to be written; `nil` if there is nothing to write.
    init(
        _ shard: Shard, _ store: RoomStore, _ writes: UnansweredWrites,
        _ playback: @escaping (RoomID) -> RoomStore.StoredPlayback?
    ) {
        self.shard = shard
        self.store = store
        self.writes = writes
        self.playback = playback
    }

    /// Whether a write for the room is due or under way.
    func isBusy(with room: RoomID) -> Bool { isDue.contains(room) || underWay.contains(room) }

    /// Makes a room due to be written, at once or together with others.
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

    /// The positions to write next; `nil` if none are due. The batch before is written, or given up.
    ///
    /// - Parameter isAgain: The batch before failed: its rooms are due again, with their positions as they are now.
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
