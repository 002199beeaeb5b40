internal import Glibc

/// The time a thread has run on its processor, and the time others have kept it from running.
///
/// A thread that shares its processor is short of time when it uses most of what it can get, however little that is.
public struct ThreadTime: Sendable, Equatable {
    /// Processor time used, µs.
    public var used: Int64
    /// Time for which it could have run and something else ran in its place, µs; `nil` where the kernel does not tell, or
    /// no descriptor was left to ask it.
    public var waited: Int64?

    /// - Parameters:
    ///   - used: CPU time, µs.
    ///   - waited: µs; `nil` if it is unknown.
    public init(used: Int64, waited: Int64?) {
        self.used = used
        self.waited = waited
    }

    /// The times of this thread since it began. Four system calls, some 3 µs.
    ///
    /// Source: `/proc/thread-self/schedstat` (Documentation/scheduler/sched-stats.rst of Linux): time run, time waited on
    /// a run queue, both in ns, and how often it was put on a processor.
    public static func ofThisThread() -> ThreadTime {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        let used = Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000
        return ThreadTime(used: used, waited: nanosecondsWaited().map { $0 / 1000 })
    }

    private static func nanosecondsWaited() -> Int64? {
        let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var line = [UInt8](repeating: 0, count: 96)
        let count = max(0, read(file, &line, line.count))
        let fields = line[..<count].split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? Int64(String(decoding: fields[1], as: UTF8.self)) : nil
    }
}
