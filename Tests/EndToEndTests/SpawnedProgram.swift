import CSandbox
import Glibc

/// A child process with an environment and three descriptors.
///
/// Not Foundation's `Process`: that watches its children with select(2) on a thread of its own, and ended the tests with a
/// segmentation fault now and then after some hundred programs.
final class SpawnedProgram: @unchecked Sendable {
    // Safe to share: what changes is guarded by `lock`.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var status: Int32?
    let identifier: pid_t

    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - files: What becomes descriptors 0, 1 and 2. They stay the caller's.
    init(_ path: String, _ arguments: [String], environment: [String: String], files: [Int32]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in files.enumerated() { posix_spawn_file_actions_adddup2(&actions, file, Int32(number)) }
        _ = sona_sandbox_close_from(&actions, Int32(files.count))

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let words = ([path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for copy in words + variables { free(copy) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, path, &actions, &attributes, words + [nil], variables + [nil])
        guard result == 0 else {
            throw ProgramFault(description: "\(path) does not start: \(String(cString: strerror(result)))")
        }
        identifier = child
        lock = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
    }

    deinit {
        if ended() == nil {
            kill(identifier, SIGKILL)
            while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
        }
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    var isRunning: Bool { ended() == nil }

    /// The exit status, or 128 and the signal that ended it; `nil` while it runs.
    func ended() -> Int32? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        if let status { return status }
        var word: Int32 = 0
        var result = waitpid(identifier, &word, WNOHANG)
        while result < 0, errno == EINTR { result = waitpid(identifier, &word, WNOHANG) }
        guard result == identifier else { return nil }
        // The macros of wait(2): the signal in the low seven bits, the exit status in the next byte.
        let signal = word & 0x7F
        status = signal == 0 ? word >> 8 & 0xFF : 128 + signal
        return status
    }

    /// Sends a signal, unless the program has ended: its number may be another program's by then.
    func send(_ signal: Int32) {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        if status == nil { kill(identifier, signal) }
    }
}
