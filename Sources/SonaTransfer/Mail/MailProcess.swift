internal import CCurl
internal import Glibc
internal import SonaBase

/// One run of a mail program, from its start to its end. Confined to a thread that blocks SIGPIPE.
///
/// States: *running* → `finish` → *ended*, and a process that still runs is killed and waited for in `deinit`, so no
/// path leaves one behind.
final class MailProcess {
    enum End {
        /// The program ended with this exit status. `tookAll` is false if it ended while a part of the mail was not yet
        /// in the pipe.
        case ended(Int, tookAll: Bool)
        case killed(signal: Int)
    }

    /// Between SIGTERM, on which a mail program drops a half-read mail, and SIGKILL.
    private static let graceMilliseconds: Int32 = 1_000

    private let path: String
    private var process: pid_t
    /// Readable when the process has ended.
    private let endFile: Int32
    /// -1 once closed.
    private var input: Int32

    /// - Throws: `system` if the program cannot be started.
    init(_ path: String, _ arguments: [String]) throws(TransferError) {
        var ends: [Int32] = [-1, -1]
        guard sona_transfer_pipe(&ends) == 0 else { throw Self.failure("No pipe for \(path)", errno) }
        defer { close(ends[0]) }
        do throws(TransferError) {
            process = try Self.spawn(path, arguments, input: ends[0])
        } catch {
            close(ends[1])
            throw error
        }
        self.path = path
        input = ends[1]
        _ = fcntl(input, F_SETFL, O_NONBLOCK)
        endFile = sona_transfer_open_process(process)
        // From here on `deinit` cleans up.
        guard endFile >= 0 else { throw Self.failure("\(path) cannot be watched", errno) }
    }

    deinit {
        closeInput()
        if process > 0 { stop() }
        if endFile >= 0 { close(endFile) }
    }

    /// Gives the program its input and waits for its end.
    ///
    /// - Throws: `cancelled`, `timedOut`, `system`. The program is then ended.
    func finish(reading bytes: [UInt8], _ control: TransferControl) throws(TransferError) -> End {
        try control.whileWaiting { event throws(TransferError) in
            var rest = bytes[...]
            while true {
                try control.check()
                var files = [
                    pollfd(fd: endFile, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: event, events: Int16(POLLIN), revents: 0),
                    // A negative file is left out.
                    pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
                ]
                let count = poll(&files, 3, Int32(control.remaining.wholeMilliseconds))
                guard count >= 0 || errno == EINTR else { throw Self.failure("\(path) cannot be watched", errno) }
                if files[0].revents != 0 { return try end(tookAll: rest.isEmpty) }
                if files[2].revents != 0 { write(&rest) }
            }
        }
    }

    private func write(_ rest: inout ArraySlice<UInt8>) {
        let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        rest = rest.dropFirst(max(0, count))
        // EPIPE: it reads no more, and its exit status says the rest.
        if count < 0 || rest.isEmpty { closeInput() }
    }

    private func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Takes the exit status of a process that has ended.
    private func end(tookAll: Bool) throws(TransferError) -> End {
        var status: Int32 = 0
        let ended = process
        process = 0
        var result = waitpid(ended, &status, 0)
        while result < 0, errno == EINTR { result = waitpid(ended, &status, 0) }
        // ECHILD: this program ignores SIGCHLD, or another part of it waits for every child.
        guard result == ended else { throw Self.failure("The exit status of \(path) is lost", errno) }
        // The macros of wait(2): the signal in the low seven bits, the exit status in the next byte.
        let signal = Int(status & 0x7F)
        return signal == 0 ? .ended(Int(status >> 8 & 0xFF), tookAll: tookAll) : .killed(signal: signal)
    }

    /// The whole process group: the program may be a script that waits for another.
    private func stop() {
        kill(-process, SIGTERM)
        var file = pollfd(fd: endFile, events: Int16(POLLIN), revents: 0)
        if endFile < 0 || poll(&file, 1, Self.graceMilliseconds) != 1 { kill(-process, SIGKILL) }
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        process = 0
    }

    private static func failure(_ attempt: String, _ number: Int32) -> TransferError {
        let isTemporary = [EAGAIN, ENOMEM, EMFILE, ENFILE].contains(number)
        return TransferError(
            .system, "\(attempt): \(String(cString: strerror(number)))", isTemporary: isTemporary, errno: number)
    }
}

extension MailProcess {
    private static let environmentNames = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ"]

    private static func spawn(_ path: String, _ arguments: [String], input: Int32) throws(TransferError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Sockets and the database are no business of the mail program's.
        sona_transfer_close_from(&actions, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var handled = sigset_t()
        sigemptyset(&handled)
        for signal in WorkerThread.blockedSignals { sigaddset(&handled, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &handled)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let environment = environmentNames.compactMap { name in getenv(name).map { name + "=" + String(cString: $0) } }
        var process: pid_t = 0
        let result = withCStrings([path] + arguments) { arguments in
            withCStrings(environment) { posix_spawn(&process, path, &actions, &attributes, arguments, $0) }
        }
        guard result == 0 else { throw failure("\(path) cannot be started", result) }
        return process
    }

    /// An array of C strings with a null pointer at its end, for the time of `body`.
    private static func withCStrings<Value>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
