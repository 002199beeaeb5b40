internal import Synchronization

/// Numbers changes in the order in which they were written: taken within the transaction, of which there is one at a
/// time. Who wrote first may be the last to tell.
final class ChangeCounter: Sendable {
    private let last = Atomic<Int64>(0)

    func next() -> Int64 { last.add(1, ordering: .relaxed).newValue }
}
