import Glibc

/// Figures of a running server from /proc.
package struct ServerProcess: Sendable {
    package var pid: Int32

    package init(pid: Int32) { self.pid = pid }

    /// Processor time of all its threads, of those that have ended too, in nanoseconds.
    ///
    /// Source: clock_getcpuclockid(3). The sum over /proc/PID/task forgets threads that end, as those of Swift's pool do
    /// when they have had nothing to do for a while.
    package var processorNanoseconds: UInt64 {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    package var residentBytes: Int {
        for line in read("/proc/\(pid)/status").split(separator: "\n") where line.hasPrefix("VmRSS:") {
            return (line.split(separator: " ").dropFirst().first.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1024
        }
        return 0
    }

    /// Where this library lies, if the process has loaded it.
    package func library(_ name: String) -> String? {
        let mapping = read("/proc/\(pid)/maps").split(separator: "\n").first { $0.hasSuffix("/" + name) }
        return mapping.map { String($0.drop { $0 != "/" }) }
    }

    /// Files of /proc have no size, and must be read to their end.
    private func read(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = fread(&bytes, 1, bytes.count, file)
            if count == 0 { return String(decoding: all, as: UTF8.self) }
            all += bytes[..<count]
        }
    }
}
