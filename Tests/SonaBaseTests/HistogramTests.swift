import Glibc
import Testing

@testable import SonaBase

struct HistogramTests {
    /// Delays as they are, µs: most near a millisecond, some of them seconds.
    private static func delays(_ count: Int, seed: UInt64) -> [UInt64] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let share = Double(random.next() >> 11) / Double(1 << 53)
            return UInt64(500 * exp(9 * share * share))
        }
    }

    private static func histogram(_ values: [UInt64]) -> Histogram {
        var histogram = Histogram()
        for value in values { histogram.record(value) }
        return histogram
    }

    @Test(arguments: [1, 7, 99, 100, 101, 20_000])
    func `percentiles are those of the sorted values, to a thousandth`(count: Int) throws {
        let values = Self.delays(count, seed: UInt64(count))
        let (histogram, sorted) = (Self.histogram(values), values.sorted())
        for share in [0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 1] {
            let exact = sorted[max(0, (Int(share * 10_000) * count + 9999) / 10_000 - 1)]
            let found = try #require(histogram.percentile(share))
            #expect(found >= exact, "seed \(count), share \(share)")
            #expect(Double(found) <= Double(exact) * 1.001, "seed \(count), share \(share)")
        }
        #expect(histogram.percentile(1) == sorted.last)
    }

    @Test func `least, greatest, mean and count are exact`() throws {
        let values = Self.delays(10_000, seed: 3)
        let histogram = Self.histogram(values)
        #expect(histogram.count == values.count)
        #expect(histogram.min == values.min())
        #expect(histogram.max == values.max())
        #expect(try #require(histogram.mean) == Double(values.reduce(0, +)) / Double(values.count))
    }

    @Test func `two histograms merge into the one that has seen both`() {
        let (first, second) = (Self.delays(5000, seed: 4), Self.delays(300, seed: 5))
        var merged = Self.histogram(first)
        merged.merge(Self.histogram(second))
        #expect(merged == Self.histogram(first + second))
        let before = merged
        merged.merge(Histogram())
        #expect(merged == before)
    }

    @Test func `an empty histogram has no figures, not zeros`() {
        let histogram = Histogram()
        #expect(histogram.min == nil && histogram.max == nil && histogram.mean == nil)
        #expect(histogram.percentile(0.5) == nil)
    }

    @Test func `a histogram that is reset is as new`() {
        var histogram = Self.histogram(Self.delays(1000, seed: 6) + [0, .max])
        histogram.reset()
        #expect(histogram == Histogram())
    }

    @Test func `every bucket begins where the one before ends, and is a thousandth wide at most`() {
        var next: UInt64 = 0
        for index in 0..<Histogram.bucketCount {
            let range = Histogram.range(of: index)
            #expect(range.lowerBound == next)
            #expect(Histogram.index(of: range.lowerBound) == index && Histogram.index(of: range.upperBound) == index)
            #expect(range.count == 1 || Double(range.count) <= Double(range.lowerBound) / 1000)
            next = range.upperBound + 1
        }
        #expect(next == Histogram.valueMax + 1)
    }

    @Test func `the greatest value has a bucket, and a greater one is counted in it and shown as it was`() {
        for value in [Histogram.valueMax, Histogram.valueMax + 1, .max] {
            let histogram = Self.histogram([value, 5])
            #expect(histogram.max == value)
            #expect(histogram.count(from: Histogram.valueMax) == 1)
            #expect(histogram.percentile(0.5) == 5)
        }
    }

    @Test func `a value recorded many times counts as often`() {
        var histogram = Histogram()
        histogram.record(7, times: 3)
        histogram.record(3000, times: 2)
        #expect(histogram.count == 5 && histogram.sum == 6021)
        #expect(histogram.filled.map(\.count) == [3, 2])
        #expect(histogram.count(from: 2048) == 2)
    }

    @Test func `least, greatest and sum are put back only where they fit the buckets`() {
        var histogram = Self.histogram([5, 5000])
        let figures: [(least: UInt64, greatest: UInt64, sum: Double)] = [
            (6, 5001, 5007), (5, 6000, 6005), (5, 5001, 20_000), (5001, 5, 5006),
        ]
        for (least, greatest, sum) in figures {
            let fits = histogram.restore(least: least, greatest: greatest, sum: sum)
            #expect(!fits && histogram == Self.histogram([5, 5000]))
        }
        let fits = histogram.restore(least: 5, greatest: 5001, sum: 5006)
        #expect(fits && histogram.max == 5001 && histogram.sum == 5006)
    }
}
