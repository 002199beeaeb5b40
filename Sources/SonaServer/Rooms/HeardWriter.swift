internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire
internal import Synchronization

/// Writes what members heard in rooms, off the loop and in order.
///
/// Safe to share: the waiting hearings are behind a lock. One task at a time writes them, many in one transaction.
final class HeardWriter: Sendable {
    private struct Waiting: Sendable {
        var hearing: Plays.Hearing
        var account: Accounts.Account
    }

    private struct State {
        var waiting: [Waiting] = []
        var isWriting = false
    }

    private let library: Library
    private let writes: UnansweredWrites
    private let state = Mutex(State())

    /// Most hearings that wait for a disk that does not answer; past that the oldest are dropped.
    private static let waitingMax = 10_000
    /// Hearings of one transaction.
    private static let batchMax = 500
    private static let patience = Duration.seconds(1)
    private static let triesMax = 60

    init(_ library: Library, _ writes: UnansweredWrites) {
        self.library = library
        self.writes = writes
    }

    /// - Parameter now: µs, of the same clock as the play's time.
    func add(_ plays: [HeardTally.Play], of account: Accounts.Account, in room: RoomID, now: Int64) {
        let wall = MonotonicClock.wallMilliseconds()
        let hearings = plays.compactMap { play -> Waiting? in
            guard let music = play.music else { return nil }
            let hearing = Plays.Hearing(
                track: music, key: "r:\(room.rawValue):\(play.sinceMicroseconds)",
                atMilliseconds: wall - (now - play.sinceMicroseconds) / 1_000,
                heardMilliseconds: play.heardMilliseconds, source: .room, room: room)
            return Waiting(hearing: hearing, account: account)
        }
        guard !hearings.isEmpty else { return }
        let begins = state.withLock { state in
            state.waiting += hearings
            if state.waiting.count > Self.waitingMax {
                state.waiting.removeFirst(state.waiting.count - Self.waitingMax)
            }
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard begins else { return }
        writes.run { await self.write() }
    }

    private func write() async {
        while let batch = next() {
            var tries = 0
            while await !isWritten(batch), tries < Self.triesMax {
                tries += 1
                try? await Task.sleep(for: Self.patience)
            }
        }
    }

    /// - Returns: False if another try may succeed.
    private func isWritten(_ batch: [Waiting]) async -> Bool {
        do throws(Refusal) {
            var hearings: [(hearing: Plays.Hearing, listener: Listener)] = []
            for waiting in batch {
                hearings.append((waiting.hearing, try await library.listener(for: waiting.account)))
            }
            try await library.plays.record(hearings)
            return true
        } catch {
            return error.code != .serverBusy && error.code != .serverStorageFailed
        }
    }

    private func next() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            let batch = Array(state.waiting.prefix(Self.batchMax))
            state.waiting.removeFirst(batch.count)
            return batch
        }
    }
}
