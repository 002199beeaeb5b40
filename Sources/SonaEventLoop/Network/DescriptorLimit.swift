internal import Glibc
internal import SonaBase

/// How many descriptors this process may have open: RLIMIT_NOFILE, getrlimit(2).
public enum DescriptorLimit {
    /// The limit's name, for who has the lock.
    private static let held = Monitor(__rlimit_resource_t(RLIMIT_NOFILE.rawValue))

    /// Raises the limit on open descriptors as far as the system lets it, to 262 144 at most. Returns the limit in
    /// force.
    @discardableResult
    public static func raise() -> Int {
        held.withLock { resource in
            guard var limit = limit(resource) else { return 0 }
            // libwebsockets makes tables of this size, and falls back to 2560 descriptors above ten million.
            let wanted = min(limit.rlim_max, 262_144)
            if limit.rlim_cur < wanted {
                limit.rlim_cur = wanted
                setrlimit(resource, &limit)
            }
            growTable(to: Int(clamping: limit.rlim_cur))
            return Int(clamping: limit.rlim_cur)
        }
    }

    /// The limit in force.
    static var current: Int { held.withLock { resource in Int(clamping: limit(resource)?.rlim_cur ?? 0) } }

    /// Runs `body` while this process cannot open a descriptor of `most` or above, if that is lower than the limit in
    /// force. Only one body runs at a time. The body gets the limit that is in force meanwhile.
    static func lowered<Result>(to most: Int, _ body: (Int) -> Result) -> Result {
        held.withLock { resource in
            guard var inForce = limit(resource) else { return body(0) }
            let kept = inForce.rlim_cur
            guard kept > most else { return body(Int(clamping: kept)) }
            inForce.rlim_cur = rlim_t(most)
            setrlimit(resource, &inForce)
            defer {
                // Others may have changed it meanwhile (prlimit(1)): the hard limit stays as it is now.
                if var restored = limit(resource) {
                    restored.rlim_cur = min(kept, restored.rlim_max)
                    setrlimit(resource, &restored)
                }
            }
            return body(most)
        }
    }

    /// The highest number among the next `count` descriptors that will be opened; nil if there are fewer left.
    static func highest(ofNext count: Int) -> Int? {
        var found: [Int32] = []
        defer { found.forEach { _ = close($0) } }
        let any = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard any >= 0 else { return nil }
        found.append(any)
        while found.count < count {
            let another = fcntl(any, F_DUPFD_CLOEXEC, 0)
            guard another >= 0 else { return nil }
            found.append(another)
        }
        return found.max().map(Int.init)
    }

    private static func limit(_ resource: __rlimit_resource_t) -> rlimit? {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : nil
    }

    /// Has the kernel make its table of descriptors large at once; called while few are open.
    ///
    /// The kernel doubles the table as descriptors come, and lets a process with several threads wait 10 to 30 ms each
    /// time (synchronize_rcu in expand_fdtable, fs/file.c): a packet of a running room would be that late.
    private static func growTable(to limit: Int) {
        let any = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard any >= 0 else { return }
        let last = dup2(any, Int32(min(limit, reserved) - 1))
        if last >= 0 { close(last) }
        close(any)
    }

    /// 8 bytes of kernel memory each.
    private static let reserved = 65_536
}
