import Foundation
import Testing

@testable import SonaLoad

struct HistogramTests {
    /// Delays as they are: most near a millisecond, some of them seconds.
    private static func delays(_ count: Int, seed: UInt64) -> [UInt64] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let share = Double(random.next() >> 11) / Double(1 << 53)
            return UInt64(500 * exp(9 * share * share))
        }
    }

    private static func histogram(_ values: [UInt64]) -> Histogram {
        var histogram = Histogram()
        for value in values { histogram.record(microseconds: value) }
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
        #expect(Distribution(histogram, in: .milliseconds) == nil)
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
        #expect(next == Histogram.microsecondsMax + 1)
    }

    @Test func `the longest time has a bucket, and one longer is counted in it and shown as it was`() {
        for value in [Histogram.microsecondsMax, Histogram.microsecondsMax + 1, .max] {
            let histogram = Self.histogram([value, 5])
            #expect(histogram.max == value)
            #expect(histogram.count(from: Histogram.microsecondsMax) == 1)
            #expect(histogram.percentile(0.5) == 5)
        }
    }

    @Test func `nanoseconds are rounded to the nearest microsecond`() {
        var histogram = Histogram()
        for value: UInt64 in [0, 499, 500, 1499, 1500, .max] { histogram.record(nanoseconds: value) }
        #expect(histogram.filled.prefix(3).map(\.count) == [2, 2, 1])
        #expect(histogram.max == UInt64.max / 1000 + 1)
    }

    @Test func `a histogram is the same after JSON, which names each bucket by its least time`() throws {
        for values in [[], [0], Self.delays(4000, seed: 8), [1, .max]] {
            let histogram = Self.histogram(values)
            #expect(try JSONDecoder().decode(Histogram.self, from: JSONEncoder().encode(histogram)) == histogram)
        }
        let text = String(decoding: try JSONEncoder().encode(Self.histogram([812, 812, 5001])), as: UTF8.self)
        #expect(text.contains("\"buckets\":[[812,2],[5000,1]]"))
    }

    @Test(
        arguments: [
            #"{"unit":"ms","count":0,"buckets":[]}"#,
            #"{"unit":"us","count":2,"min":5,"max":5,"sum":5,"buckets":[[5,1]]}"#,
            #"{"unit":"us","count":1,"min":5,"max":5,"sum":5,"buckets":[[5,1],[5,0]]}"#,
            #"{"unit":"us","count":2,"min":5,"max":6,"sum":11,"buckets":[[6,1],[5,1]]}"#,
            #"{"unit":"us","count":1,"min":5001,"max":5001,"sum":5001,"buckets":[[5001,1]]}"#,
            #"{"unit":"us","count":1,"min":5,"max":9,"sum":9,"buckets":[[5,1]]}"#,
            #"{"unit":"us","count":1,"min":5,"max":5,"sum":700,"buckets":[[5,1]]}"#,
            #"{"unit":"us","count":1,"min":5,"max":5,"sum":5,"buckets":[[5,18446744073709551615]]}"#,
            #"{"unit":"us","count":1,"min":5,"max":5,"sum":5,"buckets":[[18446744073709551615,1]]}"#,
            #"{"unit":"us","count":1,"buckets":[[5,1]]}"#,
            #"{"unit":"us","count":1,"min":5,"max":5,"sum":5,"buckets":[[5]]}"#,
        ])
    func `JSON that no histogram has written is refused`(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Histogram.self, from: Data(text.utf8)) }
    }
}
