internal import SonaEventLoop
internal import SonaWire

/// The rooms that play by themselves just now, and the one clock by which all of them send.
///
/// A thousand such rooms are a thousand entries here: no thread, task or timer belongs to one of them. On the loop.
final class Autoplays {
    private unowned let core: ShardCore  // Owns this.
    private var playing: [RoomID: RoomAutoplay] = [:]
    private var isTicking = false
    let reader = TrackReader()
    /// By how much more than a lead rooms send ahead, µs.
    private(set) var ahead: Int64 = 100_000

    /// Has all rooms send so far ahead that a change of processes is not heard.
    func sendAhead() {
        ahead = 1_300_000
        let now = MonotonicClock.nowMicroseconds()
        for autoplay in playing.values { autoplay.sendAhead(now: now) }
    }

    /// How often the rooms are looked at. A room whose packets are not due yet costs a comparison.
    private static let tick = Duration.milliseconds(20)

    init(_ core: ShardCore) { self.core = core }

    var count: Int { playing.count }

    func begin(_ autoplay: RoomAutoplay, in room: RoomID) {
        playing[room] = autoplay
        guard !isTicking else { return }
        isTicking = true
        schedule()
    }

    func end(_ room: RoomID) { playing[room] = nil }

    private func schedule() {
        core.loop.schedule(after: Self.tick) { [weak self] in
            guard let self else { return }
            guard !playing.isEmpty else {
                isTicking = false
                return
            }
            schedule()
            let now = MonotonicClock.nowMicroseconds()
            for autoplay in playing.values { autoplay.tick(now: now) }
        }
    }
}
