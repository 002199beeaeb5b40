internal import CSandbox
internal import Glibc

/// A child process with the descriptors and the environment it is given and nothing else: no other file, every signal
/// with its default action, a process group of its own.
///
/// States: *running* → `end` → *ended*. A process that still runs is killed and waited for in `deinit`, so no path leaves
/// one behind.
public final class ChildProcess {
    private var process: pid_t
    /// Readable when the process has ended.
    private let endFile: Int32

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The program's file.
    ///   - arguments: All of them, the program's name first.
    ///   - files: What becomes descriptor 0, 1 and so on, at most four; `nil` stands for /dev/null. They stay the
    ///     caller's and are above 2.
    ///   - environment: Its variables, as `NAME=value`.
    public init(
        _ path: String, _ arguments: [String], files: [Int32?], environment: [String] = []
    ) throws(StartError) {
        process = try Self.spawn(path, arguments, files, environment)
        endFile = sona_sandbox_open_process(process)
        // From here on `deinit` cleans up.
        guard endFile >= 0 else { throw StartError("it can't be watched", errno) }
    }

    deinit {
        if process > 0 {
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
        }
        if endFile >= 0 { close(endFile) }
    }

    /// Why a process could not be started.
    public struct StartError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The step that failed, and the error of the system in words.
        public let description: String

        public init(_ attempt: String, _ number: Int32) {
            description = "can't be started (\(attempt)): \(String(cString: strerror(number)))"
        }
    }

    /// Waits until a descriptor can be read, or has come to its end.
    ///
    /// - Returns: `nil` if it can't be waited for; false at the deadline.
    public func waits(for file: Int32, until deadline: ContinuousClock.Instant) -> Bool? {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return false }
            var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, Int32(clamping: Int((rest / .milliseconds(1)).rounded(.up))))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return nil }
        }
    }

    /// Waits until the process has ended. As `waits(for:until:)`.
    public func waitsForEnd(until deadline: ContinuousClock.Instant) -> Bool? { waits(for: endFile, until: deadline) }

    /// Takes the exit status of the process, which has ended.
    ///
    /// - Returns: The fault in the way it ended, as the rest of a sentence; `nil` if nothing.
    public func end() -> String? {
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

    private static func spawn(
        _ path: String, _ arguments: [String], _ files: [Int32?], _ environment: [String]
    ) throws(StartError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in files.enumerated() {
            if let file {
                posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
            }
        }
        _ = sona_sandbox_close_from(&actions, Int32(files.count))

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // A terminal's ^C is for the program that started this one, which lets the work be finished.
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var process: pid_t = 0
        let copies = arguments.map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { for copy in copies + variables { free(copy) } }
        let result = posix_spawn(&process, path, &actions, &attributes, copies + [nil], variables + [nil])
        guard result == 0 else { throw StartError(path, result) }
        return process
    }
}

/// A pipe of which no other program has an end by accident.
public enum Pipe {
    /// Makes one. The caller closes both ends.
    ///
    /// - Returns: `nil` if there are no descriptors left.
    public static func make() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        return sona_sandbox_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
    }
}

/// A file in memory that no other program has the name of.
public enum MemoryFile {
    /// Makes one that holds these bytes, to be read from its beginning. The caller closes it.
    ///
    /// - Parameter name: For /proc; need not be unique.
    public static func make(_ name: String, _ bytes: [UInt8] = []) throws(ChildProcess.StartError) -> Int32 {
        let file = sona_sandbox_memory_file(name)
        guard file >= 0 else { throw .init("no memory for its input", errno) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(file, $0.baseAddress.map { $0 + offset }, $0.count - offset, off_t(offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = errno
                close(file)
                throw .init("no memory for its input", number)
            }
            offset += count
        }
        return file
    }

    /// Its bytes from `start` on, at most so many.
    public static func read(_ file: Int32, from start: Int = 0, bytesMax: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytesMax) { buffer, count in
            while count < bytesMax {
                let got = pread(file, buffer.baseAddress.map { $0 + count }, bytesMax - count, off_t(start + count))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                count += got
            }
        }
    }
}
