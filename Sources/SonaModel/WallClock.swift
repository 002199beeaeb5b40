internal import Glibc

/// The wall clock: milliseconds since 1970, UTC. It may jump, so playback does not use it.
package struct WallClock: Sendable {
    package let nowMilliseconds: @Sendable () -> Int64

    package init(nowMilliseconds: @escaping @Sendable () -> Int64) { self.nowMilliseconds = nowMilliseconds }

    package static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
