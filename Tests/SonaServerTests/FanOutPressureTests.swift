import SonaWire
import Testing

@testable import SonaServer

/// A loop that does nothing but deliver, at a rate at which packets sent at once take a certain share of its time.
struct FanOutPressureTests {
    private struct Delivery {
        var pressure = FanOutPressure()
        private var now: Int64 = 1_000_000
        private var processor: Int64 = 0

        init() { pressure.add(0, now: now, processor: 0) }

        /// - Parameters:
        ///   - share: Of the time.
        ///   - perWrite: Packets in a write.
        mutating func run(seconds: Double, share: Double, perWrite: Double) {
            for _ in 0..<Int(seconds * 2) {
                for _ in 0..<10 {
                    now += 50_000
                    let worked = Int64(share * 50_000)
                    processor += worked
                    pressure.count(packets: Int(1000 * perWrite), writes: 1000)
                    let had = processor
                    pressure.add(worked, now: now, processor: had)
                }
            }
        }
    }

    @Test func `delivery that takes more than half of the time is gathered, and more so if that does not help`() {
        var delivery = Delivery()
        delivery.run(seconds: 3, share: 0.45, perWrite: 1)
        #expect(delivery.pressure.turns == 1)
        delivery.run(seconds: 0.5, share: 0.6, perWrite: 1)
        #expect(delivery.pressure.turns == Limits.gatherTurns)
        delivery.run(seconds: 0.5, share: 0.55, perWrite: 3)
        #expect(delivery.pressure.turns == Limits.gatherTurnsMax)
    }

    @Test func `packets of which a round holds one or two go at once again when the burst is over`() {
        var delivery = Delivery()
        delivery.run(seconds: 1, share: 0.7, perWrite: 1)
        #expect(delivery.pressure.turns == Limits.gatherTurnsMax)
        // 12.5 packets of 80 ms a second: at once they would take 36 percent.
        delivery.run(seconds: 7, share: 0.27, perWrite: 1.45)
        delivery.run(seconds: 7, share: 0.36, perWrite: 1)
        #expect(delivery.pressure.turns == 1)
    }

    @Test func `packets go on being gathered where it is that which makes delivery take little`() {
        var delivery = Delivery()
        delivery.run(seconds: 0.5, share: 0.6, perWrite: 1)
        // 50 a second: at once they would take 66 percent.
        delivery.run(seconds: 30, share: 0.3, perWrite: 3)
        #expect(delivery.pressure.turns == Limits.gatherTurns)
        delivery.run(seconds: 7, share: 0.18, perWrite: 3)
        #expect(delivery.pressure.turns == 1)
    }

    @Test func `five seconds in a row are asked for`() {
        var delivery = Delivery()
        delivery.run(seconds: 0.5, share: 0.6, perWrite: 1)
        for _ in 0..<5 {
            delivery.run(seconds: 4, share: 0.1, perWrite: 3)
            delivery.run(seconds: 1, share: 0.4, perWrite: 3)
        }
        #expect(delivery.pressure.turns == Limits.gatherTurns)
        delivery.run(seconds: 6, share: 0.1, perWrite: 3)
        #expect(delivery.pressure.turns == 1)
    }
}
