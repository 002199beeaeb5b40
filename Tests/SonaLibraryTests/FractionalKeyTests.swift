import SonaBase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// Keys of entries: pure rules, without a database.
@Suite struct FractionalKeyTests {
    @Test func `a key between two others is between them, and is a key`() throws {
        let cases: [(String?, String?, String)] = [
            (nil, nil, "a0"), ("a0", nil, "a1"), ("az", nil, "b00"), (nil, "a0", "Zz"), (nil, "b00", "az"),
            (nil, "a0V", "a0"), ("a0", "a1", "a0V"), ("a0", "a0V", "a0F"), ("a0V", "a1", "a0k"), ("a0", "a2", "a1"),
            ("Zz", "a0", "ZzV"), ("a1", "b00", "a2"), ("a0z", "a1", "a0zV"), ("a0", "a001", "a000V"),
            ("b125", "b129", "b127"),
        ]
        for (lower, upper, expected) in cases {
            let (low, high) = (
                try lower.map { try #require(FractionalKey($0)) }, try upper.map { try #require(FractionalKey($0)) }
            )
            #expect(FractionalKey.key(between: low, high).text == expected)
        }
    }

    @Test(arguments: ["", "0", "a", "b0", "a00", "a0V0", "a0-", "á0", "a1 ", String(repeating: "a", count: 65)])
    func `texts that are no keys are refused`(text: String) { #expect(FractionalKey(text) == nil) }

    @Test func `ten thousand keys at an end stay short`() {
        var last: FractionalKey?
        for _ in 0..<Limits.playlistEntriesMax {
            let next = FractionalKey.key(between: last, nil)
            if let last { #expect(last < next) }
            last = next
        }
        #expect((last?.text.utf8.count ?? 99) <= 4)
        var first: FractionalKey?
        for _ in 0..<Limits.playlistEntriesMax { first = FractionalKey.key(between: nil, first) }
        #expect((first?.text.utf8.count ?? 99) <= 4)
    }

    @Test func `many keys at once between neighbours are in order and short`() throws {
        let (lower, upper) = (try #require(FractionalKey("a0")), try #require(FractionalKey("a0V")))
        let keys = FractionalKey.keys(between: lower, upper, count: 500)
        #expect(keys.count == 500)
        #expect(([lower] + keys + [upper]).isStrictlyAscending)
        #expect(keys.allSatisfy { $0.text.utf8.count <= 8 && FractionalKey($0.text) == $0 })
    }

    @Test func `random walks of adds, moves and removals keep the order that was meant`() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var dice = SeededGenerator(seed: seed)
            var meant: [Int] = []
            var keys: [Int: FractionalKey] = [:]
            var next = 0
            for _ in 0..<400 {
                switch Int.random(in: 0..<4, using: &dice) {
                case 0 where meant.count > 2:
                    let gone = meant.remove(at: Int.random(in: 0..<meant.count, using: &dice))
                    keys[gone] = nil
                case 1 where !meant.isEmpty:
                    let moved = meant.remove(at: Int.random(in: 0..<meant.count, using: &dice))
                    keys[moved] = nil
                    insert([moved])
                default:
                    let count = Int.random(in: 1...4, using: &dice)
                    insert(Array(next..<next + count))
                    next += count
                }
            }
            func insert(_ new: [Int]) {
                let place = Int.random(in: 0...meant.count, using: &dice)
                let lower = place > 0 ? keys[meant[place - 1]] : nil
                let upper = place < meant.count ? keys[meant[place]] : nil
                for (entry, key) in zip(new, FractionalKey.keys(between: lower, upper, count: new.count)) {
                    keys[entry] = key
                }
                meant.insert(contentsOf: new, at: place)
            }
            let found = keys.sorted { $0.value < $1.value }.map(\.key)
            #expect(found == meant, "seed \(seed)")
            #expect(Set(keys.values).count == keys.count, "seed \(seed)")
        }
    }

    @Test func `always in front of the same entry costs a character for six adds`() {
        let upper = FractionalKey.key(between: FractionalKey("a0"), nil)
        var lower = FractionalKey("a0")
        for _ in 0..<300 { lower = FractionalKey.key(between: lower, upper) }
        #expect((lower?.text.utf8.count ?? 0) <= 2 + 300 / 5 + 1)
    }

    @Test func `a shuffled order is that of the page, and an entry that goes leaves the others in place`() throws {
        let ids = try ["01JDHV6Z3Q8R5W7XK2M4N9P0TA", "01JDHV6Z3Q8R5W7XK2M4N9P0TB", "01JDHV6Z3Q8R5W7XK2M4N9P0TC"]
            .map { try #require(MusicID($0)) }
        #expect(PlaylistShuffle.number(of: ids[0], seed: 0) != PlaylistShuffle.number(of: ids[0], seed: 1))
        for seed in 0..<50 as Range<Int64> {
            let order = PlaylistShuffle.order(ids, seed: seed)
            #expect(Set(order) == Set(ids))
            #expect(PlaylistShuffle.order([ids[0], ids[2]], seed: seed) == order.filter { $0 != ids[1] })
            #expect(PlaylistShuffle.order(ids.reversed(), seed: seed) == order)
        }
    }
}

extension [FractionalKey] {
    fileprivate var isStrictlyAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
