import SonaCrypto
import Testing

/// Small draws come out of a stock that each thread keeps.
struct RandomStockTests {
    @Test(arguments: [0, 1, 7, 8, 127, 128, 129, 1023, 1024, 1025, 5000])
    func `exactly the requested bytes are filled with random values`(count: Int) {
        var seen = [Int](repeating: 0, count: count)
        for _ in 0..<20 {
            let bytes = SecureRandom.bytes(count)
            #expect(bytes.count == count)
            for (place, byte) in bytes.enumerated() where byte != 0 { seen[place] += 1 }
        }
        // A byte is zero twenty times once in 10^48.
        #expect(seen.allSatisfy { $0 > 0 })
    }

    @Test func `no two draws are the same, from whatever thread and across the end of its stock`() async {
        let drawn = await withTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<2_000).map { SecureRandom.bytes(13 + $0 % 3) } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(drawn.map { Array($0.prefix(13)) }).count == 16_000)
    }
}
