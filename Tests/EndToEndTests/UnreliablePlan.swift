import SonaBase
import SonaTestSupport

/// The plan of an `UnreliableProxy` for each packet of each listener. It is known beforehand, so that a report can be
/// checked against it.
struct UnreliablePlan: Sendable {
    enum Fate: Sendable {
        case passed, dropped, doubled, delayed
    }

    var seed: UInt64
    /// Number of packets of each listener that may be altered; all packets before and after them pass.
    var packets: Int
    /// Of a hundred packets, the number that is dropped, and below the numbers doubled and delayed.
    var dropped: Int
    var doubled: Int
    var delayed: Int
    /// Time for which a delayed packet is held. Later ones overtake it.
    var seconds: Double

    /// The fates of one listener's packets. They differ between listeners.
    func fates(ofListener listener: Int) -> [Fate] {
        var generator = SeededGenerator(seed: seed &+ UInt64(listener) &* 0x9E37_79B9)
        return (0..<packets).map { _ in
            switch Int(generator.next() % 100) {
            case ..<dropped: .dropped
            case ..<(dropped + doubled): .doubled
            case ..<(dropped + doubled + delayed): .delayed
            default: .passed
            }
        }
    }

    /// Number of packets with this fate, for that many listeners.
    func count(_ fate: Fate, listeners: Int) -> Int {
        (0..<listeners).reduce(0) { $0 + fates(ofListener: $1).count { $0 == fate } }
    }
}
