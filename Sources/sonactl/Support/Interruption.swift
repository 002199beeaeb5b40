internal import Glibc
internal import SonaEventLoop
internal import Synchronization

/// The effect of Ctrl-C, SIGTERM and SIGHUP: they end the program at once, unless a command has something to finish. A
/// second one always ends it.
enum Interruption {
    /// All of it zero at the start: Swift 6.3.1 with optimisation lets a static `Mutex` begin as zeros, whatever its
    /// value's initialiser says, and an optional integer would then hold 0 instead of nothing.
    private struct State {
        var handler: (@Sendable () -> Void)?
        /// 0 until one has come.
        var signal: Int32 = 0
        var restoreTerminal: (@Sendable () -> Void)?
    }

    private static let state = Mutex(State())

    /// Starts to listen.
    static func install() {
        ProcessSignals.handle { signal in
            let handler = state.withLock { state in
                defer { state.signal = signal }
                return state.signal == 0 ? state.handler : nil
            }
            if let handler { handler() } else { endAtOnce(128 + signal) }
        }
    }

    /// From now on the first signal calls `handler` instead of ending the program. Called at once if it has come.
    static func handle(_ handler: @escaping @Sendable () -> Void) {
        let hasCome = state.withLock { state in
            state.handler = handler
            return state.signal != 0
        }
        if hasCome { handler() }
    }

    /// How a command ends that was interrupted: 130 for Ctrl-C.
    static var failure: Failure { Failure(128 + state.withLock { $0.signal == 0 ? SIGINT : $0.signal }, "") }

    /// Remembers a terminal that has to be put right should the program end.
    static func restoring(_ terminal: Terminal.Saved?) {
        var restore: (@Sendable () -> Void)?
        if let terminal { restore = { terminal.restore() } }
        state.withLock { [restore] in $0.restoreTerminal = restore }
    }

    static func endAtOnce(_ code: Int32) -> Never {
        state.withLock { $0.restoreTerminal }?()
        _exit(code)
    }
}
