/// Connections that have not said hello, in the order in which they came, and so by deadline.
///
/// There is no timer for each: nearly all say hello at once, and their timers would remain for ten seconds more.
struct HelloDeadlines {
    private struct Entry {
        var session: UInt64
        /// µs.
        var due: Int64
    }

    private var entries: [Entry] = []
    private var head = 0

    /// The next deadline, µs; `nil` if no hello is awaited.
    var next: Int64? { head < entries.count ? entries[head].due : nil }

    /// - Parameter due: µs; not before the one added last.
    mutating func add(_ session: UInt64, due: Int64) { entries.append(Entry(session: session, due: due)) }

    /// Drops the connections at the head that are done. O(1) for each one added, in total.
    mutating func drop(while isDone: (UInt64) -> Bool) {
        while head < entries.count, isDone(entries[head].session) { head += 1 }
        tidy()
    }

    /// Takes the next connection whose deadline has passed.
    mutating func take(now: Int64) -> UInt64? {
        guard let next, next <= now else { return nil }
        defer { tidy() }
        head += 1
        return entries[head - 1].session
    }

    private mutating func tidy() {
        guard head >= 64 || head == entries.count, head * 2 >= entries.count else { return }
        entries.removeFirst(head)
        head = 0
    }
}
