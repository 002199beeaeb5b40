import Glibc

/// Wall time and CPU time of the whole process, in nanoseconds.
///
/// CPU time is that of all threads, user and system. So work that a contender moves to another thread, such as a
/// commit, is included.
struct Usage {
    var wall: UInt64
    var cpu: UInt64

    static func now() -> Usage {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return Usage(wall: monotonicNow(), cpu: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime))
    }

    static func - (later: Usage, earlier: Usage) -> Usage {
        Usage(wall: later.wall - earlier.wall, cpu: later.cpu - earlier.cpu)
    }

    private static func nanoseconds(_ time: timeval) -> UInt64 {
        UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_usec) * 1_000
    }
}

/// The monotonic clock in nanoseconds. About 25 ns a call.
@inline(__always)
func monotonicNow() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Latencies of single operations, in nanoseconds. One per task, joined afterwards.
struct Latencies: Sendable {
    private(set) var values: [UInt64] = []

    mutating func add(_ nanoseconds: UInt64) { values.append(nanoseconds) }
    mutating func add(_ others: Latencies) { values += others.values }
}

enum Statistics {
    /// The middle value, or the mean of the two in the middle. Zero of nothing.
    static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// Nearest rank. `sorted` is ascending and not empty.
    static func percentile(_ part: Double, ofSorted sorted: [UInt64]) -> Double {
        let rank = Int((part * Double(sorted.count)).rounded(.up)) - 1
        return Double(sorted[max(0, min(rank, sorted.count - 1))])
    }

    /// How far the rounds lie apart: greatest minus least, over the median.
    static func spread(_ values: [Double]) -> Double {
        guard let least = values.min(), let greatest = values.max() else { return 0 }
        return (greatest - least) / median(values)
    }
}
