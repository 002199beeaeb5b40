internal import Glibc
internal import SonaBase
internal import SonaEventLoop

extension MetricsPage {
    /// The process, by the names that Prometheus' own clients give these figures. Those that /proc does not tell are left
    /// out.
    ///
    /// Source: prometheus.io, "Writing client libraries", "Process metrics".
    static func addProcess(to page: inout Page) {
        page.counter(
            "process_cpu_seconds_total", "Time that all threads have computed.",
            seconds: Double(FigureReading.processorMicroseconds()) / 1e6)
        page.gauge(
            "process_resident_memory_bytes", "Memory that the process holds.", Int(FigureReading.residentBytes()))
        page.gauge("process_start_time_seconds", "When the process began, since 1970.", startedSeconds)
        if let open = openDescriptors { page.gauge("process_open_fds", "Descriptors in use.", open) }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            page.gauge("process_max_fds", "Descriptors that the process may have.", Int(clamping: limit.rlim_cur))
        }
    }

    /// Read at the first use of this page, and so near enough to the start to tell one start from the next: it does not
    /// change afterwards.
    private static let startedSeconds: Double = {
        // Field 22 of /proc/self/stat, in ticks since the machine started: proc_pid_stat(5).
        guard let line = try? WholeFile.firstLine("/proc/self/stat", bytesMax: 4096),
            let end = line.lastIndex(of: UInt8(ascii: ")"))
        else { return 0 }
        let fields = line[line.index(after: end)...].split(separator: UInt8(ascii: " "))
        guard fields.count > 19, let ticks = Double(String(decoding: fields[19], as: UTF8.self)) else { return 0 }
        var up = timespec()
        clock_gettime(CLOCK_BOOTTIME, &up)
        let now = Double(MonotonicClock.wallMilliseconds()) / 1e3
        return now - (Double(up.tv_sec) + Double(up.tv_nsec) / 1e9) + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static var openDescriptors: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        // Without "." and "..", and the one that reads this folder.
        var count = -3
        while readdir(folder) != nil { count += 1 }
        return max(0, count)
    }
}
