internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire
internal import Synchronization

/// Stores what is heard in a room, off the loop and in order: its tracks, and what belongs to a replay.
///
/// Safe to share: what waits is behind a lock. One task at a time writes it; it outlives the room's sleep.
final class HistoryWriter: Sendable {
    /// What has happened in the room.
    enum Event {
        /// A track has become audible.
        case play(HeardTrack)
        /// Another sound is heard, or none. What plays is the play before.
        case passage(PassageLog.Passage, hasTrack: Bool)
        case reactions([ReplayStore.Reaction: Int])
    }

    fileprivate struct Waiting {
        var event: Event
        var atMilliseconds: Int64
    }

    fileprivate struct State {
        var waiting: [Waiting] = []
        var isWriting = false
        /// What the wall clock shows when the server's clock shows 0, ms.
        var offset: Int64?
    }

    private let room: RoomID
    private let history: HistoryStore
    private let replays: ReplayStore
    private let writes: UnansweredWrites
    private let state = Mutex(State())

    /// Most events that wait for a disk that does not answer; past that the oldest are dropped.
    private static let waitingMax = 64
    /// Pause between two tries.
    private static let patience = Duration.seconds(1)
    private static let triesMax = 60
    /// By how much the two clocks may drift apart before times are told by what they show now, ms. Below that, rounding
    /// would tell two events of one moment as of two.
    private static let driftMax: Int64 = 20

    init(_ room: RoomID, _ storage: RoomStorage, _ writes: UnansweredWrites) {
        self.room = room
        history = storage.history
        replays = storage.replays
        self.writes = writes
    }

    /// - Parameters:
    ///   - time: When it happened, µs of the server's clock.
    ///   - now: The same clock now.
    func add(_ event: Event, at time: Int64, now: Int64) {
        let offset = MonotonicClock.wallMilliseconds() - now / 1_000
        let begins = state.withLock { state in
            let known = state.offset.map { abs($0 - offset) <= Self.driftMax } ?? false
            if !known { state.offset = offset }
            state.waiting.append(Waiting(event: event, atMilliseconds: (state.offset ?? offset) + time / 1_000))
            if state.waiting.count > Self.waitingMax { state.dropFirst() }
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
            switch next.event {
            case .play(let play):
                try await history.append(
                    play.track, at: next.atMilliseconds, host: play.host, beginsBroadcast: play.beginsBroadcast,
                    to: room)
            case .passage(let passage, let hasTrack):
                try await replays.append(
                    ReplayStore.Passage(
                        atMilliseconds: next.atMilliseconds, isSounding: passage.isSounding, hasTrack: hasTrack,
                        positionMicroseconds: passage.positionMicroseconds), to: room)
            case .reactions(let reactions): try await replays.count(reactions, in: room)
            }
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

extension HistoryWriter.State {
    /// Drops the oldest. If that began a broadcast, the next play does.
    fileprivate mutating func dropFirst() {
        guard case .play(let dropped) = waiting.removeFirst().event, dropped.beginsBroadcast else { return }
        for index in waiting.indices {
            guard case .play(var play) = waiting[index].event else { continue }
            play.beginsBroadcast = true
            waiting[index].event = .play(play)
            return
        }
    }
}
