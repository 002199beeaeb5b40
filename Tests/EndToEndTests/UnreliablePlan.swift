import SonaBase
import SonaTestSupport

/// What an `UnreliableProxy` does to each packet of each listener: known beforehand, so that a report can be held to it.
struct UnreliablePlan: Sendable {
    enum Fate: Sendable {
        case passed, dropped, doubled, delayed
    }

    var seed: UInt64
    /// Packets of each listener that may meet with something; all before and after them pass.
    var packets: Int
    /// Of a hundred packets.
    var dropped: Int
    var doubled: Int
    var delayed: Int
    /// How long a delayed one is held. Those behind it overtake it.
    var seconds: Double

    /// The fates of one listener's packets; of two listeners they differ.
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

    /// How many packets of so many listeners meet with this.
    func count(_ fate: Fate, listeners: Int) -> Int {
        (0..<listeners).reduce(0) { $0 + fates(ofListener: $1).count { $0 == fate } }
    }
}
