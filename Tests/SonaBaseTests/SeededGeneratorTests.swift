import SonaBase
import Testing

struct SeededGeneratorTests {
    /// Source: the numbers for seed 1234567 that are published for splitmix64.c of Vigna
    /// (prng.di.unimi.it/splitmix64.c), among others at rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64.
    @Test func `the numbers are those of SplitMix64`() {
        var generator = SeededGenerator(seed: 1_234_567)
        let numbers = (0..<5).map { _ in generator.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func `the same seed gives the same numbers, another seed others`() {
        func first(_ seed: UInt64) -> [UInt64] {
            var generator = SeededGenerator(seed: seed)
            return (0..<4).map { _ in generator.next() }
        }
        #expect(first(9) == first(9))
        #expect(first(9) != first(10))
    }

    @Test func `fractions lie from 0 up to but not at 1, and indices below their count`() {
        var generator = SeededGenerator(seed: 3)
        var counts = [Int](repeating: 0, count: 10)
        for _ in 0..<10_000 {
            let fraction = generator.fraction()
            #expect(fraction >= 0 && fraction < 1)
            counts[generator.index(10)] += 1
        }
        // 1000 are expected; a fair die leaves this range once in 10^9 tries.
        #expect(counts.allSatisfy { 800...1200 ~= $0 }, "seed 3: \(counts)")
        let least = [0, 1].map { generator.index($0) }
        #expect(least == [0, 0])
    }
}
