internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// When members are told how a room is, if that changes often: at once, and then every half second.
struct UpdatePace {
    static let intervalMicroseconds: Int64 = 500_000

    private var toldAt = Int64.min / 2
    private var isDue = false

    enum Step: Equatable {
        case tell
        /// Look again after so long, µs.
        case tellAfter(Int64)
        /// It will be told with what is due already.
        case wait
    }

    /// The room has changed.
    mutating func change(now: Int64) -> Step {
        if isDue { return .wait }
        let wait = toldAt + Self.intervalMicroseconds - now
        guard wait > 0 else {
            toldAt = now
            return .tell
        }
        isDue = true
        return .tellAfter(wait)
    }

    /// It is told now, whether or not that was due.
    ///
    /// - Returns: Whether it was.
    mutating func told(now: Int64) -> Bool {
        defer { isDue = false }
        toldAt = now
        return isDue
    }
}

extension RoomHome {
    /// The room is another than members know. `room.updated` says all of it, so of several within half a second the last
    /// is enough.
    func noteUpdate(now: Int64) {
        switch updates.change(now: now) {
        case .tell: tellUpdate(now: now)
        case .wait: break
        case .tellAfter(let microseconds):
            after(.microseconds(microseconds)) { home in
                let now = MonotonicClock.nowMicroseconds()
                if home.updates.told(now: now) { home.tellUpdate(now: now) }
            }
        }
    }

    /// Tells how the room is without waiting for anything.
    func tellUpdateAtOnce(now: Int64) {
        _ = updates.told(now: now)
        tellUpdate(now: now)
    }

    private func tellUpdate(now: Int64) {
        tell(RoomUpdated(room: room.description()), now: now, isInOrder: true)
    }
}
