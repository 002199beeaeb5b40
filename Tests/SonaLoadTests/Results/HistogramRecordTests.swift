import Foundation
import SonaBase
import Testing

@testable import SonaLoad

/// The record that a load test makes of a histogram.
struct HistogramRecordTests {
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

    @Test func `an empty histogram has no distribution`() {
        #expect(Distribution(Histogram(), in: .milliseconds) == nil)
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
