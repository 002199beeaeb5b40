internal import Glibc

/// Threads for work that blocks: a thread of Swift's tasks must never wait for a disk, a socket or a pipe.
public enum WorkerThread {
    /// Signals that ask a process to do something, and SIGPIPE. The threads started here block them, so the program's
    /// other threads get them.
    ///
    /// SIGPIPE is among them because OpenSSL writes to sockets that the other side has closed.
    public static let blockedSignals = [SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD, SIGPIPE]

    /// Starts a detached thread that runs `body` and ends.
    ///
    /// Any thread; some 20 µs. The stack has the size that the system gives to every thread (`ulimit -s`, usually 8 MiB).
    ///
    /// - Parameter name: Shown by `top -H` and debuggers; cut off after 15 bytes.
    /// - Returns: False if the system has no thread to give. For a thread like this pthread_create(3) knows one error
    ///   only, `EAGAIN`.
    ///
    /// Source: pthread_create(3), pthread_sigmask(3).
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        var before = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for signal in blockedSignals { sigaddset(&blocked, signal) }
        // A thread inherits the mask of the thread that makes it.
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let work = Unmanaged.passRetained(Work(name: name, body: body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
                WorkerThread.nameThisThread(work.name)
                work.body()
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Through /proc, since the header hides pthread_setname_np from Swift. Without /proc the thread has no name.
    private static func nameThisThread(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let bytes = Array(name.utf8.prefix(15))
        _ = write(file, bytes, bytes.count)
        close(file)
    }

    private final class Work {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
