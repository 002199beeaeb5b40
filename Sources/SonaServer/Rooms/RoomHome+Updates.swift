internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// The pace of `room.updated`: the first change is told at once, further ones at most every half second.
struct UpdatePace {
    static let intervalMicroseconds: Int64 = 500_000

    private var toldAt = Int64.min / 2
    private var isDue = false

    enum Step: Equatable {
        case tell
        /// Tell after this time, µs.
        case tellAfter(Int64)
        /// An update that is due already will tell it.
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

    /// Notes that the update is told now, whether or not one was due.
    ///
    /// - Returns: Whether one was due.
    mutating func told(now: Int64) -> Bool {
        defer { isDue = false }
        toldAt = now
        return isDue
    }
}

extension RoomHome {
    /// Tells members that the room has changed, by the pace. `room.updated` describes the whole room, so the last of
    /// several changes within half a second is enough.
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

    /// Tells the present state of the room at once, past the pace.
    func tellUpdateAtOnce(now: Int64) {
        _ = updates.told(now: now)
        tellUpdate(now: now)
    }

    private func tellUpdate(now: Int64) {
        tell(RoomUpdated(room: room.description()), now: now, isInOrder: true)
    }
}
