internal import Synchronization

/// A request to stop: set once, from any thread, and checked by the code that does the work.
///
/// Relaxed: the flag says nothing about other memory, and is seen within microseconds.
public final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    /// A flag that is not set.
    public init() {}

    /// Whether `set` has been called. One relaxed load, from any thread.
    public var isSet: Bool { flag.load(ordering: .relaxed) }
    /// Sets the flag for good. Any thread; further calls change nothing.
    public func set() { flag.store(true, ordering: .relaxed) }
}
