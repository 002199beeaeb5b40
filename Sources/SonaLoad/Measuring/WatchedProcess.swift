internal import Glibc

/// A running process as /proc describes it.
package struct WatchedProcess: Sendable {
    package let pid: Int32
    /// Start of the process, in ticks since the machine started: a later process with the same number has another
    /// start.
    private let startedAt: UInt64?

    /// - Throws: `load.usage` if there is no such process, or this user may not inspect it.
    package init(pid: Int32) throws(LoadError) {
        self.pid = pid
        startedAt = Self.fields(pid).flatMap { Self.number($0, 22) }
        guard pid > 0, startedAt != nil else {
            throw LoadError(.usage, "There is no process \(pid) that --server-pid could mean.")
        }
    }

    /// Processor time of all its threads, nanoseconds.
    package struct ProcessorTime: Sendable, Equatable {
        /// CPU time without threads that have ended, to the nanosecond where the kernel counts so (schedstat).
        package var living: UInt64?
        /// CPU time including those threads, to a hundredth of a second.
        package var all: UInt64

        package init(living: UInt64?, all: UInt64) {
            self.living = living
            self.all = all
        }

        /// The processor time used since an earlier moment. The more exact count is useless once threads have ended and
        /// taken theirs along.
        package func since(_ earlier: ProcessorTime) -> UInt64? {
            if let living, let before = earlier.living, living >= before { return living - before }
            return all >= earlier.all ? all - earlier.all : nil
        }
    }

    /// Whether it has ended; one that nobody has waited for yet has, too.
    package var isGone: Bool {
        guard let fields = Self.fields(pid), let startedAt, Self.number(fields, 22) == startedAt else { return true }
        return fields[1] == "Z" || fields[1] == "X"
    }

    /// Nil once it is gone.
    package var processorTime: ProcessorTime? {
        guard !isGone, let all = byTicks else { return nil }
        return ProcessorTime(living: byThreads, all: all)
    }

    private var byThreads: UInt64? {
        guard let folder = opendir("/proc/\(pid)/task") else { return nil }
        defer { closedir(folder) }
        var sum: UInt64 = 0
        var isKnown = false
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.first != ".", let times = ProcFile.line("/proc/\(pid)/task/\(name)/schedstat") else { continue }
            sum += times.split(separator: " ").first.flatMap { UInt64($0) } ?? 0
            isKnown = true
        }
        return isKnown ? sum : nil
    }

    private var byTicks: UInt64? {
        guard let fields = Self.fields(pid), let user = Self.number(fields, 14), let system = Self.number(fields, 15)
        else { return nil }
        return (user + system) * 1_000_000_000 / UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
    }

    /// The fields of `stat` after the name. The name is field 2, stands in parentheses and may hold anything (proc(5)).
    private static func fields(_ pid: Int32) -> [Substring]? {
        guard let stat = ProcFile.read("/proc/\(pid)/stat"), let name = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[name...].split(separator: " ")
        return fields.count > 20 ? fields : nil
    }

    private static func number(_ fields: [Substring], _ field: Int) -> UInt64? { UInt64(fields[field - 2]) }

    /// Nil once it is gone.
    package var residentBytes: Int? {
        ProcFile.value("VmRSS", in: "/proc/\(pid)/status").flatMap { Int($0.prefix { $0.isNumber }) }.map { $0 * 1024 }
    }

    package var descriptorLimit: String? {
        let line = ProcFile.read("/proc/\(pid)/limits")?.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        return line.map { $0.split(separator: " ").dropFirst(3).prefix(2).joined(separator: " ") }
    }
}
