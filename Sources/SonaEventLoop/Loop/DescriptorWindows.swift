/// The contexts of a loop's accepted connections: one for each range of descriptors.
///
/// libwebsockets has a table with a place for each descriptor the process may open. As Debian builds it, with
/// assertions, it goes through the whole of it whenever it closes a connection without TLS, and looks into each connection
/// of that context (4.1.6, lib/plat/unix/unix-fds.c, `sanity_assert_no_sockfd_traces`). With one context and 20 000 places
/// a close took 34 µs where nobody else was and 256 among 12 000, and does 20 and 27 here: 0.7 ns for each place (there
/// may be 262 144), and up to 18 for each connection. Here a context has 1024 connections at most, or an eighth of all if
/// that is more, and a table that is little longer than its range needs.
struct DescriptorWindows {
    private let setting: LoopContext.Setting
    /// The length of the smallest ranges. All loops have the same ranges, and each a part of the connections in them.
    private let smallest: Int
    /// The windows in ascending order; the first begins at 0.
    private var windows: [Window] = []
    /// When a context could not be made, none is tried before this time of `MonotonicClock`.
    private var nextAttempt: Int64 = 0

    private struct Window {
        /// The descriptor after the last.
        let end: Int
        let context: LoopContext
    }

    private static let connectionsEach = 1024
    /// Those of which the contexts are made before the first connection comes: each takes a millisecond, and later the
    /// process's limit must be lowered while connections are accepted.
    private static let preparedMax = 16_384
    /// Places above a range. A context needs two or three descriptors of its own, and while it is made the whole process
    /// can open no more than there are places.
    private static let spare = 2048
    /// Where fewer are left there are not many connections to come.
    private static let leftMin = 1024
    private static let attemptsEvery: Int64 = 10_000_000

    /// - Parameter loopCount: Loops that share the connections.
    init(setting: LoopContext.Setting, loopCount: Int) {
        self.setting = setting
        smallest = Self.connectionsEach * max(1, loopCount)
    }

    /// Makes the contexts that are to be there before the first connection.
    mutating func prepare() {
        while end < Self.preparedMax, makeNext() {}
    }

    /// The context that adopts a connection; nil if there is none for its descriptor.
    mutating func context(for descriptor: Int32) -> LoopContext? {
        while Int(descriptor) >= end {
            guard makeNext() else { return nil }
        }
        return windows.first { Int(descriptor) < $0.end }?.context
    }

    private var end: Int { windows.last?.end ?? 0 }

    private mutating func makeNext() -> Bool {
        let now = MonotonicClock.nowMicroseconds()
        guard now >= nextAttempt else { return false }
        let end = self.end + max(smallest, self.end / 8)
        // Its own descriptors are the next that are free, which are above the range if others came faster than this loop
        // looks at them.
        if let free = DescriptorLimit.highest(ofNext: 1),
            DescriptorLimit.current - max(self.end, free) >= Self.leftMin
        {
            var info = setting.info()
            if let context = try? LoopContext(&info, descriptorsMax: max(end, free) + Self.spare) {
                windows.append(Window(end: min(end, context.descriptorsEnd), context: context))
                return true
            }
        }
        nextAttempt = now + Self.attemptsEvery
        return false
    }
}
