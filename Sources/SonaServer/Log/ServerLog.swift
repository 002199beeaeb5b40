internal import SonaBase
internal import SonaEventLoop
internal import Synchronization

/// The log of a running server.
///
/// Any thread. A line is put into a queue and written by a thread of its own, so that nobody waits for whoever reads the
/// log: not an event loop, and not the writer of the database. Lines beyond the limits are counted and left out:
/// of one event and one address `linesPerMinuteMax` a minute, and `queueMax` that wait to be written.
package final class ServerLog: Sendable {
    /// Lines of one event and one address in a minute. A sign-in that fails gets more: tools that block addresses count
    /// them.
    static let linesPerMinuteMax = 10
    static let failuresPerMinuteMax = 60
    /// Lines that wait to be written.
    static let queueMax = 4_096
    /// Events and addresses that are counted at once; beyond that, all counts begin anew.
    private static let countsMax = 4_096

    private struct Key: Hashable {
        let event: LogEvent
        let address: String?
    }

    private struct Count {
        /// The end of the minute, microseconds of the loop clock.
        var end: Int64
        var lines = 0
        var leftOut = 0
    }

    private struct State {
        var counts: [Key: Count] = [:]
        var queue: [String] = []
        var isWriting = false
        var hasWriter = false
        var isClosed = false
        var written: [LogLine.Level: UInt64] = [:]
        var leftOut: UInt64 = 0
    }

    private let state = Monitor(State())
    private let levelRank: Atomic<Int>
    private let format: LogFormat
    private let hasPriorities: Bool
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - level: Lines below it are not written.
    ///   - format: How a line is written.
    ///   - hasPriorities: Whether a line begins with its level for systemd's journal, such as `<4>`.
    ///   - write: Takes a line, without its end. Called on one thread; may wait.
    package init(
        level: LogLine.Level, format: LogFormat, hasPriorities: Bool = false,
        write: @escaping @Sendable (String) -> Void
    ) {
        levelRank = Atomic(level.rank)
        self.format = format
        self.hasPriorities = hasPriorities
        self.write = write
    }

    /// A log that nobody reads.
    package static let none = ServerLog(level: .error, format: .text) { _ in }

    /// Whether lines of a level are written: to be asked before a line is put together that is mostly not written.
    func writes(_ level: LogLine.Level) -> Bool { level.rank >= levelRank.load(ordering: .relaxed) }

    package func setLevel(_ level: LogLine.Level) { levelRank.store(level.rank, ordering: .relaxed) }

    package func log(_ event: LogEvent, _ message: String, _ fields: [LogLine.Field] = []) {
        guard writes(event.level) else { return }
        let line = LogLine(event, message, fields)
        let (now, wall) = (MonotonicClock.nowMicroseconds(), MonotonicClock.wallMilliseconds())
        let needsWriter = state.notify { state -> Bool in
            guard let repeats = Self.take(line, now: now, &state), state.queue.count < Self.queueMax, !state.isClosed
            else {
                state.leftOut &+= 1
                return false
            }
            let priority = hasPriorities ? LogFormat.priority(line.level) : ""
            state.queue.append(priority + format.text(line, milliseconds: wall, repeats: repeats))
            state.written[line.level, default: 0] &+= 1
            defer { state.hasWriter = true }
            return !state.hasWriter
        }
        if needsWriter { _ = WorkerThread.start("log") { self.work() } }
    }

    /// Counts a line.
    ///
    /// - Returns: How many like it were left out before it; `nil` if it is to be left out as well.
    private static func take(_ line: LogLine, now: Int64, _ state: inout State) -> Int? {
        // Whoever asks for every request wants every request.
        guard line.level != .debug else { return 0 }
        let key = Key(event: line.event, address: line.fields.first { $0.name == "address" }?.value)
        let linesMax = line.event == .authFailed ? failuresPerMinuteMax : linesPerMinuteMax
        if state.counts.count >= countsMax, state.counts[key] == nil { state.counts.removeAll() }
        var count = state.counts[key] ?? Count(end: now + 60_000_000)
        defer { state.counts[key] = count }
        if now >= count.end {
            let leftOut = count.leftOut
            count = Count(end: now + 60_000_000, lines: 1)
            return leftOut
        }
        guard count.lines < linesMax else {
            count.leftOut += 1
            return nil
        }
        count.lines += 1
        return 0
    }

    private func work() {
        while true {
            let lines = state.wait { state -> [String]? in
                if state.queue.isEmpty { return state.isClosed ? [] : nil }
                defer { state.queue = [] }
                state.isWriting = true
                return state.queue
            }
            if lines.isEmpty { return }
            for line in lines { write(line) }
            state.notify { $0.isWriting = false }
        }
    }

    /// Lines written so far, by level, and lines left out.
    var figures: (written: [LogLine.Level: UInt64], leftOut: UInt64) { state.withLock { ($0.written, $0.leftOut) } }

    /// Writes what waits, for a second at most. No line is taken after it.
    package func close() async {
        state.notify { $0.isClosed = true }
        for _ in 0..<100 {
            if state.withLock({ $0.queue.isEmpty && !$0.isWriting }) { return }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
