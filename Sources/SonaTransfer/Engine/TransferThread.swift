internal import CCurl
internal import Glibc

/// Threads for transfers, which wait for others and so must not be Swift's cooperative ones.
enum TransferThread {
    /// Starts a detached thread named `name` (at most 15 bytes) that runs `body` and ends.
    ///
    /// Signals that ask the process to do something are left to the program's other threads. SIGPIPE is blocked since
    /// libcurl, told to leave signals alone, lets OpenSSL write to sockets that the other side has closed.
    ///
    /// - Returns: False if the system has no thread to give.
    static func start(_ name: StaticString, _ body: @escaping @Sendable () -> Void) -> Bool {
        var before = sigset_t()
        var asking = sigset_t()
        sigemptyset(&asking)
        for signal in processSignals { sigaddset(&asking, signal) }
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
                work.name.withUTF8Buffer { name in
                    // A StaticString ends with a NUL.
                    name.withMemoryRebound(to: CChar.self) { sona_transfer_name_thread($0.baseAddress) }
                }
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

    /// What these threads block and a program started by them gets back with its default meaning.
    static let processSignals = [SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD, SIGPIPE]

    private final class Work {
        let name: StaticString
        let body: @Sendable () -> Void

        init(name: StaticString, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
