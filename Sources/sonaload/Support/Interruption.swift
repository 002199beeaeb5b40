internal import Glibc
internal import SonaBase
internal import SonaEventLoop
internal import SonaLoad
internal import Synchronization

/// Ctrl-C, SIGTERM and SIGHUP: the first ends the run early, and everything is printed and removed as at its end; the
/// second ends the program at once. While the program waits for a file, as for standard input, already the first does.
enum Interruption {
    /// Ends the run.
    static let stop = StopFlag()
    /// 0 until one has come.
    private static let signal = Atomic<Int32>(0)
    private static let endsAtOnce = Atomic<Bool>(false)

    static func install() {
        ProcessSignals.handle { number in
            let isFirst = signal.exchange(number, ordering: .sequentiallyConsistent) == 0
            if endsAtOnce.load(ordering: .sequentiallyConsistent) { _exit(128 + number) }
            if !isFirst {
                Console.say("sonaload: ended at once; rooms and accounts of the test may be left on the server.")
                _exit(128 + number)
            }
            stop.set()
        }
    }

    /// Runs `body`, which may wait for long and leaves nothing behind if a signal ends the program meanwhile. Do not
    /// nest calls.
    static func endingAtOnce<Value>(_ body: () throws -> Value) rethrows -> Value {
        endsAtOnce.store(true, ordering: .sequentiallyConsistent)
        defer { endsAtOnce.store(false, ordering: .sequentiallyConsistent) }
        let number = signal.load(ordering: .sequentiallyConsistent)
        if number != 0 { _exit(128 + number) }
        return try body()
    }

    /// How a command ends that was interrupted: 130 for Ctrl-C. Nil if it was not.
    static var exitCode: Int32? {
        let number = signal.load(ordering: .relaxed)
        return number == 0 ? nil : 128 + number
    }
}
