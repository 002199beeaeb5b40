// Both have the structures of time.h, and which module they count to depends on the build.
internal import CLoad
internal import Glibc

/// `CLOCK_MONOTONIC`, in nanoseconds: the clock by which timers sleep and delays are taken.
package enum LoadClock {
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
