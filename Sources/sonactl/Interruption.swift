internal import Glibc
internal import SonaEventLoop
internal import Synchronization

/// What Ctrl-C, SIGTERM and SIGHUP do: they end the program at once, unless a command has something to finish. A
/// second one always ends it.
enum Interruption {
    private struct State {
        var handler: (@Sendable () -> Void)?
        var signal: Int32?
        var terminal: Terminal.Saved?
    }

    private static let state = Mutex(State())

    /// Starts to listen.
    static func install() {
        ProcessSignals.handle { signal in
            let handler = state.withLock { state in
                defer { state.signal = signal }
                return state.signal == nil ? state.handler : nil
            }
            if let handler { handler() } else { endAtOnce(128 + signal) }
        }
    }

    /// From now on the first signal calls `handler` instead of ending the program. Called at once if it has come.
    static func handle(_ handler: @escaping @Sendable () -> Void) {
        let hasCome = state.withLock { state in
            state.handler = handler
            return state.signal != nil
        }
        if hasCome { handler() }
    }

    /// How a command ends that was interrupted: 130 for Ctrl-C.
    static var failure: Failure { Failure(128 + (state.withLock { $0.signal } ?? SIGINT), "") }

    /// Remembers a terminal that has to be put right should the program end.
    static func restoring(_ terminal: Terminal.Saved?) {
        state.withLock { $0.terminal = terminal }
    }

    static func endAtOnce(_ code: Int32) -> Never {
        state.withLock { $0.terminal }?.restore()
        _exit(code)
    }
}
