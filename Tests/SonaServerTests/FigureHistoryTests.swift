import SonaWire
import Testing

@testable import SonaServer

/// The figures of the last hour: what becomes of readings.
struct FigureHistoryTests {
    private func reading(_ seconds: Int64, _ change: (inout FigureReading) -> Void = { _ in }) -> FigureReading {
        var reading = FigureReading(
            wallMilliseconds: 1_796_115_200_000 + seconds * 1_000, monotonicMicroseconds: seconds * 1_000_000)
        change(&reading)
        return reading
    }

    private func values(_ history: FigureHistory, _ name: String) -> [Int64]? {
        history.result.series.first { $0.name == name }?.values
    }

    @Test func `a sample has what there is, and what happened since the one before`() {
        let history = FigureHistory()
        history.take(reading(0) { ($0.requests, $0.listeners, $0.processorMicroseconds) = (100, 3, 5_000_000) })
        #expect(history.result.atMilliseconds.isEmpty && history.result.series.allSatisfy(\.values.isEmpty))
        history.take(
            reading(10) { reading in
                (reading.requests, reading.listeners, reading.residentBytes) = (112, 4, 1 << 20)
                reading.processorMicroseconds = 10_000_000
            })
        history.take(reading(20) { ($0.requests, $0.processorMicroseconds) = (112, 10_000_000) })
        #expect(history.result.atMilliseconds == [1_796_115_210_000, 1_796_115_220_000])
        #expect(values(history, "requests") == [12, 0] && values(history, "listeners") == [4, 0])
        #expect(values(history, "processor") == [500, 0] && values(history, "resident_bytes") == [1 << 20, 0])
    }

    @Test func `an hour is kept, and the oldest sample goes`() {
        let history = FigureHistory()
        for number in 0...Int64(Limits.historySamplesMax + 1) {
            history.take(reading(number * 10) { $0.listeners = Int(number) })
        }
        let kept = values(history, "listeners")
        #expect(kept?.count == Limits.historySamplesMax && kept?.first == 2 && kept?.last == 361)
        #expect(history.result.atMilliseconds.count == Limits.historySamplesMax)
        #expect(history.result.series.allSatisfy { $0.values.count == Limits.historySamplesMax })
    }

    @Test func `a percentile is the bound of its class, of what was measured since`() {
        let bounds: [Int64] = [10, 20, 50]
        let before: [UInt64] = [1_000, 0, 0, 0]
        #expect(FigureHistory.percentile(990, before, before, bounds) == 0)
        #expect(FigureHistory.percentile(990, [1_099, 1, 0, 0], before, bounds) == 10)
        #expect(FigureHistory.percentile(990, [1_098, 2, 0, 0], before, bounds) == 20)
        #expect(FigureHistory.percentile(500, [1_000, 1, 0, 0], before, bounds) == 20)
        #expect(FigureHistory.percentile(500, [1_000, 0, 0, 5], before, bounds) == 50)
        #expect(FigureHistory.percentile(950, [2], [], [100]) == 100)
    }

    @Test func `a counter that wrapped counts on`() {
        let history = FigureHistory()
        history.take(reading(0) { $0.sentBytes = UInt64.max - 4 })
        history.take(reading(10) { $0.sentBytes = 5 })
        #expect(values(history, "sent_bytes") == [10])
    }

    @Test func `each series has a name and a unit of its page`() {
        let units: Set = ["count", "events", "bytes", "sent_bytes", "us", "permille"]
        #expect(FigureHistory.series.allSatisfy { units.contains($0.unit) })
        #expect(Set(FigureHistory.series.map(\.name)).count == FigureHistory.series.count)
    }
}
