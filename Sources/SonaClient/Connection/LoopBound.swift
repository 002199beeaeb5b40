internal import SonaEventLoop

/// Takes an object of a loop past the compiler into closures that run on that loop.
struct LoopBound<Value>: @unchecked Sendable {
    // Safe to share: the value is handed out on the loop's own thread only, which is checked each time.
    private let stored: Value
    private let loop: EventLoop

    init(_ value: Value, on loop: EventLoop) {
        stored = value
        self.loop = loop
    }

    /// On the loop.
    var value: Value {
        loop.checkIsolated()
        return stored
    }
}
