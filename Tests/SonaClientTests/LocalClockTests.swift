import SonaClient
import Testing

@Suite struct LocalClockTests {
    @Test func `the machine's clock is passed through`() {
        #expect(LocalClock.machine.reading(atMonotonic: 1_234_567) == 1_234_567)
        #expect(LocalClock.machine.monotonic(ofReading: -5) == -5)
    }

    @Test(arguments: [100.0, -100, 37, 500])
    func `a drifting clock gains what it says, and can be read backwards`(ppm: Double) {
        let clock = LocalClock(offsetMicroseconds: -7_200_000_000, ppm: ppm)
        let start = clock.reading(atMonotonic: 50_000_000_000)
        let end = clock.reading(atMonotonic: 50_300_000_000)
        #expect(abs(Double(end - start - 300_000_000) - 300 * ppm) <= 1)
        for real in [Int64(0), 1, 49_999_999_999, 50_000_000_000] {
            #expect(abs(clock.monotonic(ofReading: clock.reading(atMonotonic: real)) - real) <= 1)
        }
    }

    @Test func `a step shows from its moment on, and not on the clock that is never set`() {
        let step = LocalClock.Step(microseconds: 500_000, atMonotonic: 2_000)
        let clock = LocalClock(offsetMicroseconds: 10, ppm: 0, step: step)
        #expect(clock.reading(atMonotonic: 1_999) == 2_009)
        #expect(clock.reading(atMonotonic: 2_000) == 502_010)
        #expect(clock.unset.reading(atMonotonic: 2_000) == 2_010)
    }
}
