import Glibc

/// The process that takes over from this one: the program as it is on the disk now, with the same arguments.
enum Successor {
    /// - Returns: Why it could not be started, without a full stop; `nil` if it was.
    static func start() -> String? {
        guard let program = path() else { return "the path of the program is not known" }
        var arguments = CommandLine.arguments
        if !arguments.contains("--take-over") { arguments.append("--take-over") }
        // The keys that were missing are made by now.
        arguments.removeAll { $0 == "--new-keys" || $0 == "--new-database" }
        // systemd lets only the process that it watches say that it is alive.
        var environment: [String] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if !text.hasPrefix("WATCHDOG_PID=") { environment.append(text) }
            next += 1
        }
        var process = pid_t()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of this process block signals that the other must hear.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let result = withStrings(arguments) { arguments in
            withStrings(environment) { posix_spawn(&process, program, nil, &attributes, arguments, $0) }
        }
        return result == 0 ? nil : "\(program): \(String(cString: strerror(result)))"
    }

    /// The path by which this program was started, also if another file is there by now, or a link leads elsewhere.
    private static func path() -> String? {
        if let started = CommandLine.arguments.first, started.contains("/"), access(started, X_OK) == 0 {
            return started
        }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let mark = " (deleted)"
        return path.hasSuffix(mark) ? String(path.dropLast(mark.count)) : path
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("There is at least the end.") }
            return body(base)
        }
    }
}
