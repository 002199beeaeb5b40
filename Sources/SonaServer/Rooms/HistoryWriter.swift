internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire
internal import Synchronization

/// Stores the tracks that are heard in a room, off the loop and in order.
///
/// Safe to share: the waiting tracks are behind a lock. One task at a time writes them; it outlives the room's sleep.
final class HistoryWriter: Sendable {
    private struct Waiting {
        var track: HeardTrack
        var atMilliseconds: Int64
    }

    private struct State {
        var waiting: [Waiting] = []
        var isWriting = false
    }

    private let room: RoomID
    private let store: HistoryStore
    private let writes: UnansweredWrites
    private let state = Mutex(State())

    /// Most tracks that wait for a disk that does not answer; past that the oldest are dropped.
    private static let waitingMax = 64
    /// Pause between two tries.
    private static let patience = Duration.seconds(1)
    private static let triesMax = 60

    init(_ room: RoomID, _ store: HistoryStore, _ writes: UnansweredWrites) {
        self.room = room
        self.store = store
        self.writes = writes
    }

    /// - Parameter now: µs, of the same clock as the track's time.
    func add(_ track: HeardTrack, now: Int64) {
        let wall = MonotonicClock.wallMilliseconds() - (now - track.atMicroseconds) / 1_000
        let begins = state.withLock { state in
            state.waiting.append(Waiting(track: track, atMilliseconds: wall))
            if state.waiting.count > Self.waitingMax {
                let isFirst = state.waiting.removeFirst().track.beginsBroadcast
                if isFirst { state.waiting[0].track.beginsBroadcast = true }
            }
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard begins else { return }
        writes.run { await self.write() }
    }

    private func write() async {
        while let next = next() {
            var tries = 0
            while await !isWritten(next), tries < Self.triesMax {
                tries += 1
                try? await Task.sleep(for: Self.patience)
            }
        }
    }

    /// - Returns: False if another try may succeed.
    private func isWritten(_ next: Waiting) async -> Bool {
        do throws(Refusal) {
            try await store.append(
                next.track.track, at: next.atMilliseconds, host: next.track.host,
                beginsBroadcast: next.track.beginsBroadcast, to: room)
            return true
        } catch {
            // Any other refusal says that the room is gone.
            return error.code != .serverBusy && error.code != .serverStorageFailed
        }
    }

    private func next() -> Waiting? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
