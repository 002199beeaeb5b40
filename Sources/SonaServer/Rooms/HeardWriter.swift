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

    /// What was heard that is no track of the library: services hear of it, the server keeps nothing.
    private typealias Listen = (listen: Scrobbles.Listen, key: String, uid: UserID)

    private struct Batch: Sendable {
        var waiting: [Waiting]
        var listens: [Listen]
    }

    private struct State {
        var waiting: [Waiting] = []
        var listens: [Listen] = []
        var isWriting = false
    }

    private let library: Library
    private let writes: UnansweredWrites
    private let scrobbler: Scrobbler
    private let state = Mutex(State())

    /// Most hearings that wait for a disk that does not answer; past that the oldest are dropped.
    private static let waitingMax = 10_000
    /// Hearings of one transaction.
    private static let batchMax = 500
    private static let patience = Duration.seconds(1)
    private static let triesMax = 60

    init(_ library: Library, _ writes: UnansweredWrites, _ scrobbler: Scrobbler) {
        self.library = library
        self.scrobbler = scrobbler
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
        let listens = library.scrobbles.has(account.uid) ? self.listens(plays, account.uid, room, wall, now) : []
        guard !hearings.isEmpty || !listens.isEmpty else { return }
        let begins = state.withLock { state in
            state.waiting += hearings
            state.listens += listens
            if state.listens.count > Self.waitingMax {
                state.listens.removeFirst(state.listens.count - Self.waitingMax)
            }
            if state.waiting.count > Self.waitingMax {
                state.waiting.removeFirst(state.waiting.count - Self.waitingMax)
            }
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard begins else { return }
        writes.run { await self.write() }
    }

    private func listens(
        _ plays: [HeardTally.Play], _ uid: UserID, _ room: RoomID, _ wall: Int64, _ now: Int64
    ) -> [Listen] {
        plays.compactMap { play in
            guard play.music == nil, let listen = Scrobbles.Listen(play.track) else { return nil }
            var heard = listen
            heard.atSeconds = (wall - (now - play.sinceMicroseconds) / 1_000) / 1_000
            return (heard, "r:\(room.rawValue):\(play.sinceMicroseconds)", uid)
        }
    }

    /// Notes that a member begins to hear a play.
    func begin(_ play: HeardTally.Play, of account: Accounts.Account) {
        scrobbler.hears(play.music, Scrobbles.Listen(play.track), account.uid)
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
    private func isWritten(_ batch: Batch) async -> Bool {
        do throws(Refusal) {
            if !batch.listens.isEmpty { try await library.scrobbles.add(batch.listens) }
            guard !batch.waiting.isEmpty else { return true }
            var hearings: [(hearing: Plays.Hearing, listener: Listener)] = []
            for waiting in batch.waiting {
                hearings.append((waiting.hearing, try await library.listener(for: waiting.account)))
            }
            try await library.plays.record(hearings)
            return true
        } catch {
            return error.code != .serverBusy && error.code != .serverStorageFailed
        }
    }

    private func next() -> Batch? {
        state.withLock { state in
            guard !state.waiting.isEmpty || !state.listens.isEmpty else {
                state.isWriting = false
                return nil
            }
            let batch = Batch(
                waiting: Array(state.waiting.prefix(Self.batchMax)), listens: Array(state.listens.prefix(Self.batchMax))
            )
            state.waiting.removeFirst(batch.waiting.count)
            state.listens.removeFirst(batch.listens.count)
            return batch
        }
    }
}

extension Scrobbles.Listen {
    /// What a host says that it plays; `nil` for a jingle, and where it does not say enough.
    fileprivate init?(_ track: Track?) {
        guard let track, !track.isJingle, let title = track.title, let artist = track.artist else { return nil }
        self.init(
            title: title, artist: artist, album: track.album ?? "",
            durationMilliseconds: (track.durationMicroseconds ?? 0) / 1_000)
    }
}
