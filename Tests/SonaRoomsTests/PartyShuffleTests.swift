import SonaRooms
import SonaTestSupport
import SonaWire
import Testing

@Suite struct PartyShuffleTests {
    private static func shuffled(_ count: Int, seed: UInt64) -> [Int] {
        var numbers = Array(0..<count)
        var shuffle = SeededShuffle(seed: seed)
        shuffle.shuffle(&numbers)
        return numbers
    }

    /// Results of a second implementation, written in another language from the description.
    @Test func `a seed means the same everywhere`() {
        #expect(Self.shuffled(10, seed: 0) == [4, 9, 2, 5, 1, 7, 6, 0, 3, 8])
        #expect(Self.shuffled(10, seed: 1) == [9, 0, 1, 4, 8, 2, 3, 7, 6, 5])
        #expect(Self.shuffled(10, seed: 42) == [8, 3, 6, 5, 4, 0, 9, 2, 1, 7])
        #expect(Self.shuffled(10, seed: 9_007_199_254_740_991) == [5, 6, 3, 0, 7, 2, 8, 4, 9, 1])
        #expect(
            Self.shuffled(52, seed: 7) == [
                34, 6, 15, 18, 41, 22, 48, 8, 50, 30, 16, 19, 13, 2, 44, 40, 42, 37, 43, 7, 26, 23, 9, 35, 29, 1, 27,
                25, 12, 10, 3, 38, 24, 49, 46, 31, 51, 32, 33, 36, 39, 4, 17, 5, 14, 47, 11, 21, 28, 45, 0, 20,
            ])
    }

    @Test func `nothing is lost and nothing comes twice`() {
        for count in [0, 1, 2, 3, 500] {
            for seed in 0..<50 as Range<UInt64> {
                #expect(Self.shuffled(count, seed: seed).sorted() == Array(0..<count))
            }
        }
    }

    /// Goal: no order is likelier than another. Way: all orders of four are counted over 24 000 seeds. χ² with 23
    /// degrees of freedom exceeds 49.7 once in a thousand times; the seeds are always the same.
    @Test func `every order is as likely as any other`() {
        var counts: [[Int]: Int] = [:]
        for seed in 0..<24_000 as Range<UInt64> { counts[Self.shuffled(4, seed: seed), default: 0] += 1 }
        #expect(counts.count == 24)
        let chiSquare = counts.values.reduce(0.0) { $0 + Double(($1 - 1_000) * ($1 - 1_000)) / 1_000 }
        #expect(chiSquare < 49.7, "χ² is \(chiSquare)")
        // A result that is too even would be as suspicious: χ² is below 7.5 once in a thousand times.
        #expect(chiSquare > 7.5, "χ² is \(chiSquare)")
    }

    @Test func `the queue is shuffled by its seed, pending and playing entries stay`() throws {
        var party = Party()
        let ids = try party.suggest(11, by: .ann)
        try party.next()
        try party.do(.setRules(.free { $0.needsApproval = true }))
        let pending = try party.suggest(by: .bob)
        let before = Array(ids.dropFirst())
        let events = try party.do(.shuffle(seed: 42))
        let expected = Self.shuffled(10, seed: 42).map { before[$0] }
        #expect(events == [.reordered(expected)])
        #expect(party.waiting == expected)
        #expect(party.queue.pending.map(\.id) == [pending])
        #expect(party.queue.playing?.entry.id == ids[0])
        #expect(try party.refusal(of: .shuffle(seed: 1), by: .ann) == PartyRefusal(.notAllowed))
    }
}
