import SonaEventLoop
import SonaWire
import Testing

@testable import SonaServer

/// A loop that only delivers, at a rate at which packets sent at once take a certain share of its time.
struct FanOutPressureTests {
    private struct Delivery {
        var pressure = FanOutPressure()
        private var now: Int64 = 1_000_000
        private var thread = ThreadTime(used: 0, waited: 0)

        init() { pressure.add(0, now: now, thread: thread) }

        var ticks: Int { pressure.ticks(now: now) }

        /// - Parameters:
        ///   - share: Share of the time that delivery takes.
        ///   - perWrite: Packets in a write.
        ///   - toOthers: Share of the time that other processes have of the loop's processor.
        ///   - ofParties: Share of the packets that are gathered anyway for their rooms' delivery, three to a write.
        mutating func run(seconds: Double, share: Double, perWrite: Double, toOthers: Double = 0, ofParties: Double = 0)
        {
            for _ in 0..<Int(seconds * 20) {
                now += 50_000
                let worked = Int64(share * 50_000)
                thread.used += worked
                let waited = Int64(toOthers * 50_000)
                thread.waited = (thread.waited ?? 0) + waited
                let had = thread
                pressure.count(
                    packets: Int(3000 * (1 - ofParties)), writes: Int(3000 * (1 - ofParties) / perWrite), least: 1)
                pressure.count(
                    packets: Int(3000 * ofParties), writes: Int(1000 * ofParties), least: ServerTuning.gatherTicks)
                pressure.add(worked + waited, now: now, thread: had)
            }
        }

        mutating func pause(seconds: Int64) { now += seconds * 1_000_000 }
    }

    @Test func `delivery that takes more than half of the time is gathered, and for longer if that does not suffice`() {
        var delivery = Delivery()
        delivery.run(seconds: 3, share: 0.45, perWrite: 1)
        #expect(delivery.ticks == 1)
        delivery.run(seconds: 0.5, share: 0.6, perWrite: 1)
        #expect(delivery.ticks == ServerTuning.gatherTicks)
        delivery.run(seconds: 5, share: 0.65, perWrite: 3)
        #expect(delivery.ticks == ServerTuning.gatherTicks)
        delivery.run(seconds: 1, share: 0.75, perWrite: 3)
        #expect(delivery.ticks == ServerTuning.gatherTicks)
        delivery.run(seconds: 0.5, share: 0.75, perWrite: 3)
        #expect(delivery.ticks == ServerTuning.gatherTicksMax)
    }

    @Test func `a backlog from before gathering began does not lengthen the rounds`() {
        // 4 000 listeners × 50 packets a second: 0.92 at once, 0.41 gathered for 60 ms.
        var delivery = Delivery()
        delivery.run(seconds: 0.5, share: 0.92, perWrite: 1)
        #expect(delivery.ticks == ServerTuning.gatherTicks)
        delivery.run(seconds: 1, share: 0.6, perWrite: 2)
        for _ in 0..<60 {
            delivery.run(seconds: 0.5, share: 0.41, perWrite: 3)
            #expect(delivery.ticks == ServerTuning.gatherTicks)
        }
        // Single windows in which gathering does not suffice do not lengthen them either.
        for _ in 0..<20 {
            delivery.run(seconds: 1, share: 0.55, perWrite: 3)
            delivery.run(seconds: 0.5, share: 0.41, perWrite: 3)
            #expect(delivery.ticks == ServerTuning.gatherTicks)
        }
    }

    @Test func `a loop that has only a part of its processor gathers when it uses most of that`() {
        var delivery = Delivery()
        delivery.run(seconds: 5, share: 0.2, perWrite: 1, toOthers: 0.5)
        #expect(delivery.ticks == 1)
        delivery.run(seconds: 0.5, share: 0.3, perWrite: 1, toOthers: 0.5)
        #expect(delivery.ticks == ServerTuning.gatherTicks)
        delivery.run(seconds: 1.5, share: 0.5, perWrite: 2, toOthers: 0.5)
        #expect(delivery.ticks == ServerTuning.gatherTicksMax)
        // The other processes have gone: gathered delivery takes a fifth, and would take well under half at once.
        delivery.run(seconds: 14, share: 0.2, perWrite: 2)
        #expect(delivery.ticks == 1)
    }

    @Test func `processor time that other processes had during delivery does not count as delivery`() {
        var pressure = FanOutPressure()
        var thread = ThreadTime(used: 0, waited: 0)
        pressure.add(0, now: 1_000_000, thread: thread)
        for window in Int64(1)...10 {
            // Four fifths of the available time are used, half of that for delivery: the rest is other work of this
            // loop.
            thread.used += 134_000
            thread.waited = (thread.waited ?? 0) + 333_000
            pressure.add(230_000, now: 1_000_000 + window * 500_000, thread: thread)
        }
        #expect(pressure.ticks(now: 6_000_000) == 1)
        // No time is left.
        thread.used += 167_000
        thread.waited = (thread.waited ?? 0) + 333_000
        pressure.add(230_000, now: 6_500_000, thread: thread)
        #expect(pressure.ticks(now: 6_500_000) == ServerTuning.gatherTicks)
        // No time is left for anything else, but delivery is a small part of it.
        var idle = FanOutPressure()
        idle.add(0, now: 6_000_000, thread: thread)
        thread.used += 500_000
        idle.add(100_000, now: 6_500_000, thread: thread)
        #expect(idle.ticks(now: 6_500_000) == 1)
    }

    @Test func `a window in which the kernel does not tell the waiting time is no pressure`() {
        var pressure = FanOutPressure()
        pressure.add(0, now: 1_000_000, thread: ThreadTime(used: 0, waited: 900_000_000))
        for window in Int64(1)...10 {
            let waited: Int64? = window % 3 == 0 ? nil : 900_000_000
            pressure.add(
                50_000, now: 1_000_000 + window * 500_000, thread: ThreadTime(used: window * 50_000, waited: waited))
        }
        #expect(pressure.ticks(now: 6_000_000) == 1)
    }

    @Test func `packets of which a round holds one or two are sent at once again after the burst`() {
        var delivery = Delivery()
        delivery.run(seconds: 2, share: 0.75, perWrite: 1)
        #expect(delivery.ticks == ServerTuning.gatherTicksMax)
        // 12.5 packets of 80 ms a second: at once they would take 36 percent.
        delivery.run(seconds: 7, share: 0.27, perWrite: 1.45)
        delivery.run(seconds: 7, share: 0.36, perWrite: 1)
        #expect(delivery.ticks == 1)
    }

    @Test func `packets stay gathered if sending them at once would take too much of the time`() {
        var delivery = Delivery()
        delivery.run(seconds: 0.5, share: 0.6, perWrite: 1)
        // 50 a second: at once they would take 66 percent.
        delivery.run(seconds: 30, share: 0.3, perWrite: 3)
        #expect(delivery.ticks == ServerTuning.gatherTicks)
        delivery.run(seconds: 7, share: 0.18, perWrite: 3)
        #expect(delivery.ticks == 1)
    }

    @Test func `packets that are gathered for a party anyway keep no other room gathered`() {
        var delivery = Delivery()
        delivery.run(seconds: 0.5, share: 0.6, perWrite: 1)
        delivery.run(seconds: 7, share: 0.35, perWrite: 3, ofParties: 0.95)
        #expect(delivery.ticks == 1)
    }

    @Test func `gathering ends only after five calm seconds in a row`() {
        var delivery = Delivery()
        delivery.run(seconds: 0.5, share: 0.6, perWrite: 1)
        for _ in 0..<5 {
            delivery.run(seconds: 4, share: 0.1, perWrite: 3)
            delivery.run(seconds: 1, share: 0.4, perWrite: 3)
        }
        #expect(delivery.ticks == ServerTuning.gatherTicks)
        delivery.run(seconds: 6, share: 0.1, perWrite: 3)
        #expect(delivery.ticks == 1)
    }

    @Test func `gathering ends when delivery stops, and does not start again with it`() {
        var delivery = Delivery()
        delivery.run(seconds: 2, share: 0.75, perWrite: 1)
        #expect(delivery.ticks == ServerTuning.gatherTicksMax)
        delivery.pause(seconds: 4)
        #expect(delivery.ticks == ServerTuning.gatherTicksMax)
        delivery.pause(seconds: 2)
        #expect(delivery.ticks == 1)
        delivery.run(seconds: 3, share: 0.1, perWrite: 1)
        #expect(delivery.ticks == 1)
    }

    @Test func `gathering ends for a loop that delivers seldom, too`() {
        var delivery = Delivery()
        delivery.run(seconds: 2, share: 0.75, perWrite: 1)
        for _ in 0..<20 {
            delivery.pause(seconds: 2)
            delivery.run(seconds: 0.05, share: 0.9, perWrite: 1)
        }
        #expect(delivery.ticks == 1)
    }
}
