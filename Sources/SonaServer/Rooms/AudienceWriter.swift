internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Stores how many listen, off the loop: every five seconds for all broadcasts that go on, and at the end of each.
///
/// One task at a time writes, so that an older state never comes last. On the loop only.
final class AudienceWriter {
    private let shard: Shard
    private let store: AudienceStore
    private let writes: UnansweredWrites
    private let change: (RoomID) -> AudienceChange?
    /// Rooms in which a broadcast goes on.
    private var open: Set<RoomID> = []
    private var isTicking = false
    /// What waits to be written, in order.
    private var waiting: [(room: RoomID, change: AudienceChange)] = []
    private var isWriting = false

    private static let tick = Duration.seconds(5)
    /// Changes of one transaction.
    private static let batchMax = 128
    /// Pause between two tries.
    private static let patience = Duration.seconds(1)
    private static let triesMax = 60

    /// - Parameter change: What is to be written of a room; `nil` between broadcasts.
    init(
        _ shard: Shard, _ store: AudienceStore, _ writes: UnansweredWrites,
        _ change: @escaping (RoomID) -> AudienceChange?
    ) {
        self.shard = shard
        self.store = store
        self.writes = writes
        self.change = change
    }

    /// How many broadcasts go on.
    var count: Int { open.count }

    func begin(_ room: RoomID) {
        open.insert(room)
        guard !isTicking else { return }
        isTicking = true
        schedule()
    }

    func end(_ room: RoomID, _ last: AudienceChange) {
        open.remove(room)
        waiting.append((room, last))
        write()
    }

    private func schedule() {
        shard.loop.schedule(after: Self.tick) { [weak self] in
            guard let self else { return }
            isTicking = !open.isEmpty
            if isTicking { schedule() }
            writeNow()
        }
    }

    /// Has all that goes on written. Not while earlier states still wait for the disk.
    func writeNow() {
        guard waiting.isEmpty else { return }
        for room in open {
            if let change = change(room) { waiting.append((room, change)) } else { open.remove(room) }
        }
        write()
    }

    private func write() {
        guard !isWriting, !waiting.isEmpty else { return }
        isWriting = true
        let (shard, store) = (self.shard, self.store)
        writes.run {
            while let batch = await shard.perform({ $0.audiences.next() }) {
                var tries = 0
                while (try? await store.write(batch)) == nil, tries < Self.triesMax {
                    tries += 1
                    try? await Task.sleep(for: Self.patience)
                }
            }
        }
    }

    private func next() -> [(room: RoomID, change: AudienceChange)]? {
        let batch = Array(waiting.prefix(Self.batchMax))
        waiting.removeFirst(batch.count)
        isWriting = !batch.isEmpty
        return isWriting ? batch : nil
    }
}
