internal import Synchronization

/// Counts the bodies of one kind: their bytes, and how many of them are being sent from files. Any thread.
public final class BodyMeter: Sendable {
    private let bytes = Atomic<UInt64>(0)
    private let open = Atomic<Int>(0)

    /// Counts the same bodies, and others.
    private let parent: BodyMeter?

    public init(parent: BodyMeter? = nil) { self.parent = parent }

    /// Bytes of bodies that were handed to sockets so far, without headers.
    public var sentBytes: UInt64 { bytes.load(ordering: .relaxed) }

    /// Bodies that are being read from files now.
    public var openCount: Int { open.load(ordering: .relaxed) }

    func add(_ count: Int) {
        bytes.wrappingAdd(UInt64(count), ordering: .relaxed)
        parent?.add(count)
    }

    private func addOpen(_ count: Int) {
        open.wrappingAdd(count, ordering: .relaxed)
        parent?.addOpen(count)
    }

    /// A body that is being sent, from its first byte to its last or to the end of the connection.
    final class Lease: Sendable {
        let meter: BodyMeter

        init(_ meter: BodyMeter) {
            self.meter = meter
            meter.addOpen(1)
        }

        deinit { meter.addOpen(-1) }
    }
}
