internal import Glibc
internal import SonaBase

/// Signals that ask a program to end, handed to ordinary code.
///
/// A handler that writes into a pipe, and a thread that reads from it. Blocking the signals and waiting for them in
/// one thread would be simpler, but the main thread of a program with an `async` main waits in libdispatch's
/// `sigsuspend`, which lets all of them through.
public enum ProcessSignals {
    /// Calls `body` on a thread of its own for each SIGINT, SIGTERM, SIGHUP and SIGUSR2 that comes, one after the other.
    /// SIGPIPE is ignored. Once per process.
    public static func handle(_ body: @escaping @Sendable (Int32) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // The handler must never wait for a reader.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        signalPipe = ends[1]
        for number in heeded {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = signalArrived
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        let reading = ends[0]
        _ = WorkerThread.start("signals") { read(from: reading, body) }
    }

    /// Calls `body` for each byte that the handler has written. Returns if the pipe fails, which it does not.
    private static func read(from descriptor: Int32, _ body: (Int32) -> Void) {
        // One thread at least must not block them. Who started this program may have blocked them for all its threads,
        // as Foundation's Process does at times.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in heeded { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(descriptor, &byte, 1)
            if count == 1 { body(Int32(byte)) } else if errno != EINTR { return }
        }
    }

    private static let heeded = [SIGINT, SIGTERM, SIGHUP, SIGUSR2]
}

/// Safe to share: written once, before the handler is installed. Not an `Atomic`, since a global one is initialised at its
/// first use, and the handler must run no code but its own.
private nonisolated(unsafe) var signalPipe: Int32 = -1

/// Only what signal-safety(7) allows: write(2), and `errno` put back.
private let signalArrived: @convention(c) (Int32) -> Void = { number in
    let kept = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(signalPipe, &byte, 1)
    errno = kept
}
