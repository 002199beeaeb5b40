import SonaBase
import Testing

@testable import SonaLoad

@Suite struct SilenceTests {
    private func intervals(_ received: [Int], listeners: Int = 5) -> [IntervalRecord] {
        received.enumerated().map { index, count in
            var interval = IntervalRecord(at: Double(index + 1), seconds: 1, delays: Histogram())
            interval.received = count
            interval.bytesReceived = count * 100
            interval.listeners = listeners
            return interval
        }
    }

    @Test func `the longest stretch in which nothing came is found`() throws {
        let silence = try #require(Silence(longestIn: intervals([9, 0, 0, 9, 0, 0, 0, 9, 0])))
        #expect(silence == Silence(from: 4, to: 7))
        #expect(Silence(longestIn: intervals([9, 9, 0, 0])) == Silence(from: 2, to: 4))
    }

    @Test func `a single second, the time before the first packet and empty rooms do not count as silence`() {
        #expect(Silence(longestIn: intervals([0, 0, 0, 9, 0, 9, 9])) == nil)
        #expect(Silence(longestIn: intervals([9, 0, 0, 9], listeners: 0)) == nil)
        #expect(Silence(longestIn: []) == nil)
    }
}
