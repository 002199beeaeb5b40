import SonaWire
import Testing

@testable import SonaServer

/// The limit at which a connection is closed with 4400.
@Suite struct FaultCounterTests {
    private static let minute = Int64(Limits.malformedWindowSeconds) * 1_000_000

    /// - Returns: The indices of the messages at which the limit was reached.
    private func tooMany(_ faults: inout FaultCounter, _ times: [Int64]) -> [Int] {
        var found: [Int] = []
        for (number, time) in times.enumerated() where faults.add(now: time) { found.append(number) }
        return found
    }

    @Test func `the twentieth malformed message within a minute reaches the limit`() {
        var faults = FaultCounter()
        #expect(tooMany(&faults, Array(repeating: 0, count: 19)).isEmpty)
        #expect(tooMany(&faults, [Self.minute]) == [0])
    }

    @Test func `malformed messages of more than a minute ago do not count`() {
        var faults = FaultCounter()
        #expect(tooMany(&faults, Array(repeating: 0, count: 19)).isEmpty)
        #expect(tooMany(&faults, Array(repeating: Self.minute + 1, count: 20)) == [19])
    }

    @Test func `one malformed message in four seconds never closes the connection`() {
        var faults = FaultCounter()
        #expect(tooMany(&faults, (0..<1_000).map { Int64($0) * 4_000_000 }).isEmpty)
    }
}
