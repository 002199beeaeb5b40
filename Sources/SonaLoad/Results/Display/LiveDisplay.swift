internal import Dispatch
internal import Glibc
internal import SonaBase
internal import Synchronization

/// Shows how a run goes: on a terminal one line that is redrawn, elsewhere a line for each second.
///
/// May be called from any thread, and never waits for the reader. Writing is done on a queue of its own, and while that
/// is held up, lines are left out.
package final class LiveDisplay: Sendable {
    private struct State {
        var lost = (all: 0, skipped: 0)
        var elapsed = 0.0
        var waiting = 0
    }

    private static let waitingMax = 64

    private let descriptor: Int32
    private let style: TerminalStyle
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "sona.load.display")

    /// - Parameters:
    ///   - descriptor: Open for writing as long as the display lives.
    ///   - style: The abilities of the terminal; nil finds them out.
    package init(descriptor: Int32 = STDERR_FILENO, style: TerminalStyle? = nil) {
        self.descriptor = descriptor
        self.style = style ?? TerminalStyle(descriptor: descriptor)
    }

    /// Shows the second that has just ended.
    ///
    /// - Parameters:
    ///   - total: Planned length of the run, seconds; 0 if nobody knows.
    ///   - elapsed: Seconds since the run began.
    package func show(_ interval: IntervalRecord, totalSeconds total: Double, elapsed: Double) {
        let lost = state.withLock { state in
            // A clock that goes back begins another run, with losses of its own.
            if elapsed < state.elapsed { state.lost = (0, 0) }
            state.elapsed = elapsed
            state.lost.all += interval.lost
            state.lost.skipped += interval.skipped
            return state.lost
        }
        let line = LiveLine(interval, lost: lost, elapsed: elapsed, total: total)
        if style.isInteractive {
            enqueue("\r" + line.text(columns: columns, style: style) + "\u{1B}[K")
        } else {
            enqueue(line.text(style: style) + "\n")
        }
    }

    /// A line that stays, above the one that is redrawn.
    package func note(_ line: String, isWarning: Bool = false) {
        let clean = ConsoleLine.printable(line)
        let text = isWarning ? style.tinted(clean, .yellow) : clean
        enqueue((style.isInteractive ? "\r\u{1B}[K" : "") + text + "\n", isLasting: true)
    }

    /// Takes the line away and waits until everything is written.
    package func finish() {
        if style.isInteractive { enqueue("\r\u{1B}[K", isLasting: true) }
        queue.sync {}
    }

    private var columns: Int { ConsoleLine.columns(descriptor) }

    private func enqueue(_ text: String, isLasting: Bool = false) {
        let isRoom = state.withLock { state in
            guard isLasting || state.waiting < Self.waitingMax else { return false }
            state.waiting += 1
            return true
        }
        guard isRoom else { return }
        queue.async { [self] in
            // If the reader is gone, the run goes on unwatched.
            try? WholeFile.write(Array(text.utf8), to: descriptor)
            state.withLock { $0.waiting -= 1 }
        }
    }
}
