/// Connections that have not said hello, in the order in which they came, which is that in which their time runs out.
///
/// Not a timer for each: nearly all of them say hello at once, and would keep theirs for ten seconds more.
struct HelloDeadlines {
    private struct Entry {
        var session: UInt64
        /// µs.
        var due: Int64
    }

    private var entries: [Entry] = []
    private var head = 0

    /// When the next is over; `nil` if nobody is waited for.
    var next: Int64? { head < entries.count ? entries[head].due : nil }

    /// - Parameter due: Not before the one added last.
    mutating func add(_ session: UInt64, due: Int64) { entries.append(Entry(session: session, due: due)) }

    /// Forgets those at the head who need not be waited for any more. O(1) for each that was added.
    mutating func drop(while isDone: (UInt64) -> Bool) {
        while head < entries.count, isDone(entries[head].session) { head += 1 }
        tidy()
    }

    /// Takes the next whose time is over.
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
