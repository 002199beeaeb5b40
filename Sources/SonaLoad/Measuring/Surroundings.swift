internal import Glibc

/// The machine and its limits, as they are in force.
package enum Surroundings {
    package static var machine: RunEnvironment.Machine {
        var machine = RunEnvironment.Machine()
        machine.processor = ProcFile.value("model name", in: "/proc/cpuinfo")
        machine.cores = cores
        machine.memoryBytes = ProcFile.value("MemTotal", in: "/proc/meminfo")
            .flatMap { Int($0.prefix { $0.isNumber }) }.map { $0 * 1024 }
        machine.kernel = ProcFile.line("/proc/sys/kernel/osrelease").map { "Linux \($0)" }
        machine.system = ProcFile.read("/etc/os-release")?.split(separator: "\n")
            .first { $0.hasPrefix("PRETTY_NAME=") }.map { $0.dropFirst(12).filter { $0 != "\"" } }.map { String($0) }
        machine.loadBefore = ProcFile.line("/proc/loadavg").flatMap { Double($0.prefix { $0 != " " }) }
        return machine
    }

    /// Cores that this process may use: fewer than the machine has, under taskset or in a container.
    package static var cores: Int {
        guard let mask = ProcFile.value("Cpus_allowed", in: "/proc/self/status") else {
            return Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        }
        return mask.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    }

    private static let settings = [
        "net.core.somaxconn", "net.core.netdev_max_backlog", "net.core.rmem_max", "net.core.wmem_max",
        "net.ipv4.ip_local_port_range", "net.ipv4.tcp_max_syn_backlog", "net.ipv4.tcp_mem", "net.ipv4.tcp_rmem",
        "net.ipv4.tcp_wmem", "net.ipv4.tcp_tw_reuse", "net.netfilter.nf_conntrack_max", "fs.file-max", "fs.nr_open",
    ]

    /// Kernel limits in force, by name.
    package static func limits(server: WatchedProcess?) -> [String: String] {
        var limits: [String: String] = [:]
        for name in settings {
            limits[name] = ProcFile.line("/proc/sys/" + name.map { $0 == "." ? "/" : String($0) }.joined())
        }
        var descriptors = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors) == 0 {
            limits["nofile"] = "\(descriptors.rlim_cur) \(descriptors.rlim_max)"
        }
        limits["server.nofile"] = server?.descriptorLimit
        return limits
    }

    /// How many descriptors this process may have, after it has asked for as many as it can get.
    package static func raiseDescriptors() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
