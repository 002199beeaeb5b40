import SonaBase
import SonaWire
import Testing

@testable import SonaLoad

struct PacingTests {
    @Test func `a host that was held up sends what it missed, each dated to when it was due`() throws {
        let test = try TestEngine(sent: 0)
        let room = test.engine.rooms[0]
        // Long enough ago that a hundred packets are due.
        let start = LoadClock.now - 100 * test.engine.period
        room.start = start
        test.engine.agenda.removeAll()
        test.engine.agenda.add(.packet, 0, at: start)
        var dues: [UInt64] = []
        while let entry = test.engine.agenda.take(until: start + 99 * test.engine.period) {
            dues.append(entry.at)
            test.engine.sendPacket(0, due: entry.at, LoadClock.now)
        }
        #expect(dues == (0..<100).map { start + UInt64($0) * test.engine.period })
        #expect(room.sent == 100)
        // The next is due by the plan, not a period after it was sent.
        #expect(test.engine.agenda.next == start + 100 * test.engine.period)
        let lateness = test.engine.times.sendLateness
        #expect(lateness.count == 100 && lateness.max ?? 0 >= 100 * 20_000)
    }

    @Test func `packets that the server does not take still count as expected`() throws {
        let test = try TestEngine(sent: 0)
        test.engine.rooms[0].start = LoadClock.now
        for _ in 0..<5 { test.engine.sendPacket(0, due: LoadClock.now, LoadClock.now) }
        #expect(test.engine.rooms[0].unsent == [0..<5])
        #expect(test.engine.errors["host.unsent"] == 5)
        test.settle()
        #expect(test.tally.expected == 5 && test.tally.lost == 5)
    }
}
