internal import Synchronization

/// A wish that something ends: set once, from any thread, and looked at by whoever does the work.
///
/// Relaxed: the flag says nothing about other memory, and is seen within microseconds.
public final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    public init() {}

    public var isSet: Bool { flag.load(ordering: .relaxed) }
    public func set() { flag.store(true, ordering: .relaxed) }
}
