internal import CSandbox
internal import Glibc

/// Tries the calls that a sandbox must refuse, and reports the results: `sona worker probe`.
enum SandboxProbe {
    /// A line for each: its name, a space, and "allowed" or the error's number.
    static func report() -> [UInt8] {
        let lines = [
            "filter-or-limit:socket \(tell(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)))",
            "filter-or-limit:unix-socket \(tell(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)))",
            "filter-or-limit:open \(tell(open("/etc/passwd", O_RDONLY)))",
            "filter-or-limit:write \(tell(open("/tmp/sona-worker-probe", O_WRONLY | O_CREAT, 0o600)))",
            "filter:unlink \(tell(unlink("/nowhere/sona-worker-probe")))",
            "filter:fork \(tell(number: sona_sandbox_try_fork()))",
            "filter:exec \(tell(execute()))",
            "filter:kill \(tell(kill(getppid(), 0)))",
            "filter:executable-memory \(tell(map(PROT_READ | PROT_EXEC)))",
            "limit:memory \(tell(map(PROT_READ | PROT_WRITE, bytes: 600 << 20)))",
        ]
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    private static func tell(_ result: Int32) -> String { tell(number: result < 0 ? errno : 0) }

    private static func tell(number: Int32) -> String { number == 0 ? "allowed" : "errno \(number)" }

    private static func execute() -> Int32 {
        var nothing: [UnsafeMutablePointer<CChar>?] = [nil]
        // /dev/null is not a program: if the call were allowed, it would fail with another error and the probe would go
        // on.
        return execve("/dev/null", &nothing, &nothing)
    }

    private static func map(_ protection: Int32, bytes: Int = 4096) -> Int32 {
        let memory = mmap(nil, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard memory != MAP_FAILED else { return -1 }
        munmap(memory, bytes)
        return 0
    }
}
