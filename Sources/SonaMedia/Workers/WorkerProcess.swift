internal import CSandbox
internal import Glibc

/// One worker, from its start to its end.
///
/// States: *running* → `answer` → *ended*; a process that still runs is killed and waited for in `deinit`, so no path
/// leaves one behind. The whole input is in memory before the start, so nothing has to be fed to the process.
final class WorkerProcess {
    private var process: pid_t
    /// Readable when the process has ended.
    private let endFile: Int32
    private let output: Int32

    /// - Throws: `notStarted`.
    init(_ path: String, _ arguments: [String], reading bytes: [UInt8]) throws(WorkerError) {
        let input = try Self.memoryFile(bytes)
        defer { close(input) }
        var ends: [Int32] = [-1, -1]
        guard sona_sandbox_pipe(&ends) == 0 else { throw .notStarted("no pipe", errno) }
        defer { close(ends[1]) }
        do throws(WorkerError) {
            process = try Self.spawn(path, arguments, input: input, output: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        output = ends[0]
        endFile = sona_sandbox_open_process(process)
        // From here on `deinit` cleans up.
        guard endFile >= 0 else { throw .notStarted("it can't be watched", errno) }
    }

    deinit {
        if process > 0 {
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
        }
        if endFile >= 0 { close(endFile) }
        close(output)
    }

    /// Everything the worker says, once it has said it and ended well.
    ///
    /// - Throws: `failed`; `notStarted` if it ended before its greeting.
    func answer(within time: Duration, bytesMax: Int) throws(WorkerError) -> WorkerAnswer {
        let deadline = ContinuousClock.now + time
        var said: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while try waits(for: output, until: deadline) {
            let count = read(output, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            guard said.count + count <= WorkerAnswer.headBytes + bytesMax else {
                throw Self.failed("said more than \(bytesMax) bytes")
            }
            said += chunk.prefix(count)
        }
        guard try waits(for: endFile, until: deadline) else { throw Self.failed("can't be watched") }
        if let fault = end() {
            guard WorkerAnswer.isGreeted(said) else { throw WorkerError(code: .notStarted, reason: fault) }
            throw Self.failed(fault)
        }
        guard let answer = WorkerAnswer(said) else { throw Self.failed("said nonsense") }
        return answer
    }

    /// - Returns: False if the file can't be waited for.
    /// - Throws: `failed` at the deadline.
    private func waits(for file: Int32, until deadline: ContinuousClock.Instant) throws(WorkerError) -> Bool {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { throw Self.failed("took too long") }
            var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, Int32(clamping: Int((rest / .milliseconds(1)).rounded(.up))))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
        }
    }

    /// Takes the exit status of the process, which has ended.
    ///
    /// - Returns: The fault in the way it ended; `nil` if nothing.
    private func end() -> String? {
        var status: Int32 = 0
        let ended = process
        process = 0
        var result = waitpid(ended, &status, 0)
        while result < 0, errno == EINTR { result = waitpid(ended, &status, 0) }
        guard result == ended else { return "left no exit status" }
        // The macros of wait(2): the signal in the low seven bits, the exit status in the next byte.
        let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
        if signal != 0 { return "was ended by signal \(signal) (\(String(cString: strsignal(signal))))" }
        return code == 0 ? nil : "ended with status \(code)"
    }

    private static func failed(_ reason: String) -> WorkerError { WorkerError(code: .failed, reason: reason) }
}

extension WorkerProcess {
    /// A file that holds the bytes, to be read from its beginning.
    private static func memoryFile(_ bytes: [UInt8]) throws(WorkerError) -> Int32 {
        let file = sona_sandbox_memory_file("sona-worker-input")
        guard file >= 0 else { throw .notStarted("no memory for its input", errno) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(file, $0.baseAddress.map { $0 + offset }, $0.count - offset, off_t(offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = errno
                close(file)
                throw .notStarted("no memory for its input", number)
            }
            offset += count
        }
        return file
    }

    /// Descriptors 0 to 2 and nothing else, no environment, every signal with its default action.
    private static func spawn(
        _ path: String, _ arguments: [String], input: Int32, output: Int32
    ) throws(WorkerError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        // Foreign bytes decide what libraries print about them, so it is thrown away.
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        _ = sona_sandbox_close_from(&actions, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // A terminal's ^C is for the server, which lets a photo be finished.
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var process: pid_t = 0
        let copies = (["sona"] + arguments).map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let result = posix_spawn(&process, path, &actions, &attributes, copies + [nil], [nil])
        guard result == 0 else { throw .notStarted(path, result) }
        return process
    }
}
