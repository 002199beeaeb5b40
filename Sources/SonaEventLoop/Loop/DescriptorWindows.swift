internal import CLibwebsockets

/// The contexts of a loop's accepted connections: one for each range of descriptors.
///
/// libwebsockets has a table with a place for each descriptor the process may open. As Debian builds it, with
/// assertions, it goes through the whole of it whenever it closes a connection without TLS, and looks into each connection
/// of that context (4.1.6, lib/plat/unix/unix-fds.c, `sanity_assert_no_sockfd_traces`). With one context and 20 000 places
/// a close took 34 µs where nobody else was and 256 among 12 000, and does 20 and 27 here: 0.7 ns for each place (there may
/// be 262 144), and up to 18 for each connection. Here no context has many connections, nor a table longer than its range
/// needs.
struct DescriptorWindows {
    private let setting: LoopContext.Setting
    /// Descriptors of the smallest range: of this loop's are one in as many as there are loops.
    private let smallest: Int
    /// In order; the first begins at 0.
    private var windows: [Window] = []

    private struct Window {
        /// The descriptor behind the last.
        let end: Int
        /// nil where it could not be made.
        let vhost: OpaquePointer?
    }

    /// - Parameter loopCount: Loops that share the connections.
    init(setting: LoopContext.Setting, loopCount: Int) {
        self.setting = setting
        smallest = Self.connectionsEach * max(1, loopCount)
    }

    private static let connectionsEach = 1024
    /// Those of which the contexts are made before the first connection comes: each takes a millisecond, and later the
    /// process's limit must be lowered while connections are accepted.
    private static let preparedMax = 16_384

    /// Makes the contexts of the first ranges.
    mutating func prepare() {
        _ = vhost(for: Int32(min(Self.preparedMax, DescriptorLimit.current) - 1))
    }

    /// Where a connection is to be adopted; nil where there is no context for it.
    mutating func vhost(for descriptor: Int32) -> OpaquePointer? {
        while Int(descriptor) >= windows.last?.end ?? 0 { windows.append(next()) }
        return windows.first { Int(descriptor) < $0.end }?.vhost
    }

    /// Ranges grow by an eighth of what there is, so that their tables together take 180 bytes a connection.
    private func next() -> Window {
        let start = windows.last?.end ?? 0
        let end = start + max(smallest, start / 8)
        // Its own descriptors are the next that are free: above the range, if others came faster than this loop looks at
        // them. While it is made the whole process can open no more than there are up to the end of its table.
        guard let free = DescriptorLimit.highest(ofNext: Self.freeMin) else { return Window(end: end, vhost: nil) }
        var info = setting.info()
        let table = max(end, free) + max(1024, end / 4)
        return Window(end: end, vhost: try? LoopContext(&info, descriptorsMax: table).vhost)
    }

    /// With fewer left there are not many connections to come.
    private static let freeMin = 64
}
