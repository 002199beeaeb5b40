import SonaWire
import Testing

@testable import SonaServer

/// The rates at which a loop is no longer woken by each packet of its hosts.
@Suite struct HostPressureTests {
    /// Packets at an even rate.
    ///
    /// - Returns: The changes in order: how far apart iterations are to be, and until when, µs.
    private func news(
        of pressure: inout HostPressure, perSecond: Int64, from begin: Int64, seconds: Int64
    ) -> [(iteration: Int64, until: Int64)] {
        (1...perSecond * seconds).compactMap { number in
            pressure.add(now: begin + number * 1_000_000 / perSecond)
                ? (pressure.iterationMicroseconds, pressure.until) : nil
        }
    }

    @Test func `a loop with fewer than a thousand packets a second is woken by each`() {
        var pressure = HostPressure(loopCount: 1)
        #expect(news(of: &pressure, perSecond: 990, from: 0, seconds: 5).isEmpty)
        #expect(pressure.until == 0 && pressure.iterationMicroseconds == 0)
    }

    @Test func `from a thousand packets in each of two seconds on, iterations are spread out for a minute`() {
        var pressure = HostPressure(loopCount: 1)
        #expect(news(of: &pressure, perSecond: 10_000, from: 0, seconds: 1).isEmpty, "a second alone is a host's start")
        let told = news(of: &pressure, perSecond: 10_000, from: 1_000_000, seconds: 1)
        #expect(told.count == 1)
        // Forty packets per iteration: at ten thousand a second, iterations are four milliseconds apart.
        #expect(told.first?.iteration == 4_000 && told.first?.until == 62_000_000)
    }

    @Test func `a calm second between two full ones restarts the count`() {
        var pressure = HostPressure(loopCount: 1)
        #expect(news(of: &pressure, perSecond: 2_000, from: 0, seconds: 1).isEmpty)
        #expect(news(of: &pressure, perSecond: 100, from: 1_000_000, seconds: 1).isEmpty)
        #expect(news(of: &pressure, perSecond: 2_000, from: 2_000_000, seconds: 1).isEmpty)
        #expect(news(of: &pressure, perSecond: 2_000, from: 3_000_000, seconds: 1).count == 1)
    }

    @Test func `iterations are at most six milliseconds apart, and a third of that if there are several loops`() {
        var single = HostPressure(loopCount: 1)
        _ = news(of: &single, perSecond: 1_000, from: 0, seconds: 2)
        #expect(single.iterationMicroseconds == ServerTuning.iterationMicrosecondsMax)
        var several = HostPressure(loopCount: 4)
        _ = news(of: &several, perSecond: 1_000, from: 0, seconds: 2)
        #expect(several.iterationMicroseconds == ServerTuning.iterationMicrosecondsMax / 3)
    }

    @Test func `when the packets end, iterations are no longer spread out after a minute`() {
        var pressure = HostPressure(loopCount: 1)
        _ = news(of: &pressure, perSecond: 1_000, from: 0, seconds: 2)
        let until = pressure.until
        #expect(until == 62_000_000)
        _ = news(of: &pressure, perSecond: 10, from: 2_000_000, seconds: 70)
        #expect(pressure.until == until, "a few packets do not prolong it")
        #expect(news(of: &pressure, perSecond: 10, from: 72_000_000, seconds: 10).isEmpty)
    }
}
