import Glibc

/// `CLOCK_MONOTONIC`, in nanoseconds: the clock that timerfd sleeps by.
package enum Clock {
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

package func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(seconds * 1e9) }

package struct Failure: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }

    /// The operation, and the system's error.
    static func system(_ attempted: String) -> Failure {
        Failure("\(attempted): \(String(cString: strerror(errno)))")
    }
}

package enum Descriptors {
    /// Raises the limit of descriptors to the system's maximum. Started servers inherit it.
    package static func raise() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
