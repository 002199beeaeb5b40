internal import CLibwebsockets
internal import Glibc

/// How far apart a loop's iterations are, where it is told to take its time.
///
/// Waking up is the dear part of a small piece of work: the packet of a room of eight costs a third less to pass on
/// where a few others came meanwhile (13.1 and 9.4 µs a delivery, 250 such rooms). Who rests a moment finds them all
/// when it looks again, and pays once. What may not wait ends the rest: a time probe that lies there for a millisecond
/// makes the prober's clock wrong by half of that.
struct LoopPace: ~Copyable {
    /// Shorter times are not worth a sleep: the kernel rounds up by as much (prctl(2), PR_SET_TIMERSLACK).
    private static let shortestRest: Int64 = 50

    private var iterationMicroseconds: Int64 = 0
    private var until: Int64 = 0
    private var iterationBegan: Int64 = 0
    /// The sockets that may not wait, as an epoll(7) of their own beside the loop's; -1 while iterations are as they
    /// come.
    private var attention: Int32 = -1

    deinit { if attention >= 0 { close(attention) } }

    /// Has iterations begin no sooner than so long after one another, until a time of `MonotonicClock`.
    ///
    /// - Returns: Whether that is new, and the sockets that may not wait have to be named.
    mutating func slow(toMicroseconds iteration: Int64, until: Int64) -> Bool {
        iterationMicroseconds = iteration
        self.until = until
        guard attention < 0 else { return false }
        // Out of descriptors: then there is no resting.
        attention = sona_epoll_create()
        return attention >= 0
    }

    /// A socket that is named twice is named once; one that is closed is forgotten by the kernel.
    func attend(to descriptor: Int32) {
        if attention >= 0 { _ = sona_epoll_add(attention, descriptor) }
    }

    func ignore(_ descriptor: Int32) {
        if attention >= 0 { _ = sona_epoll_remove(attention, descriptor) }
    }

    /// Whether iterations are kept apart.
    var isSlow: Bool { attention >= 0 }

    /// There is more to do at once: the next iteration is not waited for.
    mutating func hurry() { iterationBegan = 0 }

    /// Before each iteration: waits until it may begin.
    ///
    /// - Returns: Whether it has slept.
    mutating func rest() -> Bool {
        guard attention >= 0 else { return false }
        let now = MonotonicClock.nowMicroseconds()
        guard now < until else {
            close(attention)
            attention = -1
            return false
        }
        let left = min(iterationBegan + iterationMicroseconds - now, iterationMicroseconds)
        guard left > Self.shortestRest else {
            iterationBegan = now
            return false
        }
        sona_epoll_sleep(attention, Int(left))
        iterationBegan = MonotonicClock.nowMicroseconds()
        return true
    }
}
