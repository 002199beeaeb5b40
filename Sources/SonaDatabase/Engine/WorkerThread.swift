internal import Glibc

/// Threads for work that blocks, since a cooperative thread must never wait for a disk to sync.
///
/// For this package's own targets.
package enum WorkerThread {
    /// Starts a detached thread named `name` (at most 15 bytes) that runs `body` and ends.
    ///
    /// Signals that ask the process to do something are left to the program's other threads.
    ///
    /// - Returns: False if the system has no thread to give.
    package static func start(_ name: StaticString, _ body: @escaping @Sendable () -> Void) -> Bool {
        var before = sigset_t()
        var asking = sigset_t()
        sigemptyset(&asking)
        for signal in [SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD, SIGPIPE] {
            sigaddset(&asking, signal)
        }
        // A thread inherits the mask of the one that makes it.
        pthread_sigmask(SIG_BLOCK, &asking, &before)
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

    /// For `top -H` and debuggers. (The header hides pthread_setname_np from Swift.)
    private static func nameThisThread(_ name: StaticString) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, name.utf8Start, name.utf8CodeUnitCount)
        close(file)
    }

    private final class Work {
        let name: StaticString
        let body: @Sendable () -> Void

        init(name: StaticString, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
