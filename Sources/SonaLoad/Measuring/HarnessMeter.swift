// Both have the structures of time.h, and which module they count to depends on the build.
internal import CLoad
internal import Glibc

/// Measures the cost of the harness itself, and whether the harness is the bottleneck.
package struct HarnessMeter: Sendable {
    /// A share of one core from which the harness may be the limit itself.
    package static let shareMax = 0.7
    /// A packet of a host that leaves later than this is the harness's delay, not the server's.
    package static let latenessMax = 0.010
    /// Part of its time that a thread may wait for a core.
    package static let waitMax = 0.25

    /// Since the process began, nanoseconds.
    package var processor: UInt64
    /// Ready, and waiting for a core; nil where the kernel does not say.
    package var waiting: UInt64?
    package var at: UInt64

    package static var now: HarnessMeter {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        let waiting = ProcFile.line("/proc/thread-self/schedstat")?.split(separator: " ").dropFirst().first
        return HarnessMeter(
            processor: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec),
            waiting: waiting.flatMap { UInt64($0) },
            at: LoadClock.now)
    }

    /// Part of one core used since an earlier moment.
    package func share(since earlier: HarnessMeter) -> Double {
        at > earlier.at ? Double(processor - earlier.processor) / Double(at - earlier.at) : 0
    }

    /// Part of the time spent waiting for a core since an earlier moment.
    package func waitShare(since earlier: HarnessMeter) -> Double? {
        guard let waiting, let before = earlier.waiting, at > earlier.at else { return nil }
        return Double(waiting - before) / Double(at - earlier.at)
    }
}
