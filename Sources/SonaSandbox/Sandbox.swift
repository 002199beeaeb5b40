internal import CSandbox
internal import Glibc

/// The restrictions that a worker puts on itself before it reads a foreign byte. Bytes that take the worker over gain
/// little: some seconds of one core, some memory, and the power to give a wrong answer.
///
/// After `enter` the process cannot open a file or a socket. With the kernel's filter it cannot start a process or a
/// thread, execute another program, make memory executable, or signal another process. It keeps descriptors 0 to 2.
public enum Sandbox {
    /// Limits on the resources of a worker.
    public struct Limits: Sendable {
        /// Memory in addition to the program's own mappings at its start, bytes. The costliest allowed picture takes
        /// 328 MiB.
        public var memoryBytes = 512 << 20
        /// Processor time. The costliest allowed picture takes some two seconds.
        public var processorSeconds = 10
        /// Whether it is given open files to read, over the socket that is its descriptor 0. Then it may hold 32 more.
        public var receivesFiles = false

        /// The limits for the costliest picture that is allowed.
        public init() {}
    }

    /// The restrictions that took effect on this machine.
    public struct Report: Sendable, Equatable {
        /// Whether the kernel filters system calls. Without it the limits alone hold: the one on descriptors refuses to
        /// open any file or socket, but nothing refuses to signal a process or to remove a file by its name.
        public let isFiltered: Bool
        /// Whether Landlock keeps a program from all files but libraries and its input. A worker can open none anyway.
        public var readsLittle = true
    }

    /// Limits this process, for good. To be called while no thread is inside anything that needs more.
    ///
    /// - Returns: `nil` if a limit could not be set: the process must then end without reading.
    public static func enter(_ limits: Limits = Limits()) -> Report? {
        guard let mapped = mappedBytes() else { return nil }
        // Swift's own handlers would start a program that writes a backtrace.
        for crash in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS] { signal(crash, SIG_DFL) }
        // The server's thread waits for this process; if the server ends, nobody wants the answer.
        _ = sona_sandbox_control(PR_SET_PDEATHSIG, UInt(SIGKILL))
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        guard
            limit(RLIMIT_AS, UInt(mapped + limits.memoryBytes)),
            // At the first SIGXCPU, at the second SIGKILL.
            limit(RLIMIT_CPU, UInt(limits.processorSeconds), hard: UInt(limits.processorSeconds) + 1),
            limit(RLIMIT_FSIZE, 0),
            limit(RLIMIT_CORE, 0),
            // No number is left beside 0, 1 and 2.
            limit(RLIMIT_NOFILE, limits.receivesFiles ? 3 + UInt(sona_sandbox_files_max) : 3),
            // Does not bind root.
            limit(__RLIMIT_NPROC, 0),
            // Its memory is nobody's to read: not by ptrace, not in /proc.
            sona_sandbox_control(PR_SET_DUMPABLE, 0) == 0,
            // The filter requires this. It also makes programs with the set-user-ID bit useless to the worker.
            sona_sandbox_control(PR_SET_NO_NEW_PRIVS, 1) == 0
        else { return nil }
        return Report(isFiltered: SystemCallFilter.install(receivesFiles: limits.receivesFiles))
    }

    /// Limits on a program of another's that this process is about to become.
    public struct ProgramLimits: Sendable {
        /// Address space beyond this process's own at its start, bytes. The libraries of ffmpeg map 250 MiB.
        public var memoryBytes = 1 << 30
        /// Processor time, seconds.
        public var processorSeconds = 600
        /// Most bytes that a file it writes may have.
        public var outputBytesMax = 256 << 20

        public init() {}
    }

    /// Limits this process, which then becomes another program by `execv`: what it reads may come from anybody.
    ///
    /// The program may read what the file system shows it, where the kernel has no Landlock; with Landlock only system
    /// libraries and the file at descriptor 0. It can't write a file but those that are open, open a socket, start a
    /// process, or signal one.
    /// - Returns: `nil` if a limit could not be set: the process must then end.
    static func enter(before program: String, _ limits: ProgramLimits) -> Report? {
        guard let mapped = mappedBytes() else { return nil }
        _ = sona_sandbox_control(PR_SET_PDEATHSIG, UInt(SIGKILL))
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        guard
            limit(RLIMIT_AS, UInt(mapped + limits.memoryBytes)),
            limit(RLIMIT_CPU, UInt(limits.processorSeconds), hard: UInt(limits.processorSeconds) + 1),
            limit(RLIMIT_FSIZE, UInt(limits.outputBytesMax)),
            limit(RLIMIT_CORE, 0),
            limit(RLIMIT_NOFILE, 64),
            sona_sandbox_control(PR_SET_NO_NEW_PRIVS, 1) == 0
        else { return nil }
        let readsLittle = sona_sandbox_read_only(program, STDIN_FILENO) == 0
        return Report(isFiltered: SystemCallFilter.installBeforeProgram(), readsLittle: readsLittle)
    }

    private static func limit(_ resource: __rlimit_resource, _ soft: UInt, hard: UInt? = nil) -> Bool {
        sona_sandbox_limit(Int32(resource.rawValue), rlim_t(soft), rlim_t(hard ?? soft)) == 0
    }

    /// The first number of /proc/self/statm, which counts pages.
    private static func mappedBytes() -> Int? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 64)
        let count = read(file, &text, text.count)
        guard count > 0, let first = text.prefix(count).split(separator: UInt8(ascii: " ")).first,
            let pages = Int(String(decoding: first, as: UTF8.self))
        else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
