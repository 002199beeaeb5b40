import SonaBase
import SonaWire
import Testing

@testable import SonaLoad

/// The counting of packets: every case has one account, `received + lost = expected`.
struct CountingTests {
    private func tally(_ sent: UInt64, _ story: (TestEngine) -> Void) throws -> Tally {
        let test = try TestEngine()
        test.sent(sent)
        story(test)
        test.settle()
        #expect(test.tally.isBalanced, "\(test.tally)")
        #expect(test.tally.received + test.tally.lost == test.tally.expected)
        return test.tally
    }

    @Test func `packets in order are received`() throws {
        let tally = try tally(110) { test in for number in 100..<110 { test.hear(UInt64(number)) } }
        #expect(tally.expected == 10 && tally.received == 10 && tally.lost == 0)
    }

    @Test func `packets sent before the join do not count`() throws {
        let tally = try tally(101) { test in
            for number in 92...100 { test.hear(UInt64(number), number == 92 ? [.discontinuity, .preroll] : []) }
        }
        #expect(tally.expected == 1 && tally.received == 1 && tally.before == 8 && tally.duplicates == 0)
    }

    @Test func `a gap without a word is lost, at the end too`() throws {
        let tally = try tally(110) { test in for number in [100, 101, 104, 105, 107] as [UInt64] { test.hear(number) } }
        #expect(tally.expected == 10 && tally.received == 5 && tally.missing == 5 && tally.skipped == 0)
    }

    @Test func `if no packet arrives, all are lost`() throws {
        let tally = try tally(150) { _ in }
        #expect(tally.expected == 50 && tally.lost == 50)
    }

    @Test func `packets reported as skipped are lost, and also counted as skipped`() throws {
        let tally = try tally(110) { test in
            for number in [100, 101] as [UInt64] { test.hear(number) }
            test.hear(106, .discontinuity)
            for number in [107, 108, 109] as [UInt64] { test.hear(number) }
        }
        #expect(tally.skipped == 4 && tally.missing == 0)
        #expect(tally.expected == 10 && tally.received == 6 && tally.lost == 4)
    }

    @Test func `a skipped packet that arrives after all is received, and no longer skipped`() throws {
        let tally = try tally(106) { test in
            test.hear(100)
            test.hear(104, .discontinuity)
            for number in [102, 105] as [UInt64] { test.hear(number) }
        }
        #expect(tally.skipped == 2 && tally.lost == 2 && tally.received == 4 && tally.outOfOrder == 1)
    }

    @Test func `a slow reader's skipped packets are in its own account alone, which adds up too`() throws {
        let test = try TestEngine(reader: .slow)
        test.sent(110)
        test.hear(100)
        test.hear(106, .discontinuity)
        test.settle()
        let slow = test.engine.tally(.slow)
        #expect(slow.isBalanced && slow.expected == 10 && slow.received == 2 && slow.skipped == 5 && slow.lost == 8)
        #expect(test.tally == Tally())
    }

    @Test func `a gap that the host itself left is lost, whatever the server says of it`() throws {
        let tally = try tally(104) { test in
            test.hear(100)
            test.engine.rooms[0].unsent = [101..<103]
            test.hear(103, .discontinuity)
        }
        #expect(tally.skipped == 0 && tally.missing == 2 && tally.lost == 2 && tally.expected == 4)
    }

    @Test func `second copies are duplicates and no receipts`() throws {
        let tally = try tally(103) { test in
            for number in [100, 100, 101, 100, 102, 102] as [UInt64] { test.hear(number) }
        }
        #expect(tally.received == 3 && tally.duplicates == 3 && tally.outOfOrder == 0)
    }

    @Test func `a late packet fills its gap, once`() throws {
        let tally = try tally(108) { test in
            for number in [100, 105, 103, 101, 103, 102, 104, 104, 106, 107] as [UInt64] { test.hear(number) }
        }
        #expect(tally.received == 8 && tally.lost == 0 && tally.outOfOrder == 4 && tally.duplicates == 2)
    }

    @Test func `packets of other runs and other rooms are foreign`() throws {
        let test = try TestEngine()
        test.sent(101)
        test.hear(100, room: 1)
        test.hear(100, run: test.engine.run &+ 1)
        [0x10, 0, 0].withUnsafeBufferPointer { test.engine.message(test.slot, $0.baseAddress!, $0.count, 0) }
        #expect(test.engine.counted.foreign == 2 && test.tally.received == 0)
        test.hear(100)
        #expect(test.tally.received == 1)
    }

    @Test func `a packet that has not been sent yet is foreign`() throws {
        let test = try TestEngine()
        test.sent(101)
        for number in [101, 5000, UInt64.max] { test.hear(number) }
        #expect(test.engine.counted.foreign == 3 && test.tally.received == 0)
        test.hear(100)
        #expect(test.tally.received == 1 && test.tally.missing == 0)
    }

    @Test func `packets missed while a connection was down are lost, and repeated ones are not`() throws {
        let tally = try tally(120) { test in
            for number in 100..<105 { test.hear(UInt64(number)) }
            test.engine.clients[test.slot].isReturning = true
            // Resumed: everything after the last packet comes again, except two that were too old.
            for number in 107..<112 { test.hear(UInt64(number), .replay) }
            for number in 112..<120 { test.hear(UInt64(number)) }
        }
        #expect(tally.away == 2 && tally.missing == 0 && tally.replayed == 5 && tally.expected == 20)
    }

    @Test func `a new join may repeat what was heard already`() throws {
        let tally = try tally(112) { test in
            for number in 100..<105 { test.hear(UInt64(number)) }
            test.engine.clients[test.slot].isReturning = true
            test.engine.clients[test.slot].joinFloor = test.client.next
            for number in 103..<112 { test.hear(UInt64(number), number == 103 ? [.discontinuity, .preroll] : []) }
        }
        #expect(tally.received == 12 && tally.duplicates == 0 && tally.lost == 0 && tally.before == 2)
    }

    @Test func `a leaver's count ends with the packets sent before it left`() throws {
        let test = try TestEngine()
        test.sent(105)
        for number in 100..<103 { test.hear(UInt64(number)) }
        test.engine.leave(test.slot, 0)
        #expect(test.client.phase == .leaving)
        test.sent(200)
        for number in 103..<108 { test.hear(UInt64(number)) }
        test.engine.leaveIfComplete(test.slot)
        #expect(test.client.phase == .closed)
        #expect(test.tally.expected == 5 && test.tally.received == 5 && test.tally.isBalanced)
    }

    @Test func `the count of a listener who was closed for good ends at its planned leaving`() throws {
        let test = try TestEngine()
        test.sent(105)
        test.hear(100)
        test.engine.lost(test.slot, closeCode: 1000)
        #expect(test.client.phase == .closed)
        test.engine.leave(test.slot, 0)
        test.sent(500)
        test.engine.settle()
        #expect(test.tally.expected == 5 && test.tally.received + test.tally.lost == 5 && test.tally.isBalanced)
    }

    @Test func `a listener that never got in is missing, and one that was in once is not`() throws {
        let test = try TestEngine()
        test.engine.clients[test.slot].openedAt = 1
        test.engine.fail(test.slot, "room.full", "The room is full.")
        #expect(test.engine.missingListeners == 1)
        test.engine.clients[test.slot].inSince = 2
        #expect(test.engine.missingListeners == 0)
        // A listener that the plan has not sent for yet is not missing.
        test.engine.clients[test.slot].openedAt = 0
        test.engine.clients[test.slot].inSince = 0
        #expect(test.engine.missingListeners == 0)
    }

    @Test func `a listener that is away when measuring begins is owed the packets sent meanwhile`() throws {
        let test = try TestEngine()
        test.engine.lost(test.slot, closeCode: 0)
        test.sent(105)
        test.engine.begin()
        test.sent(110)
        test.hear(108, .replay)
        test.hear(109)
        test.settle()
        #expect(test.tally.expected == 5 && test.tally.received == 2 && test.tally.away == 3 && test.tally.isBalanced)
    }

    @Test func `a listener that is let in and closed at once comes back with growing pauses`() throws {
        let test = try TestEngine()
        for stay in 1...3 {
            test.engine.clients[test.slot].phase = .open
            test.engine.clients[test.slot].inSince = LoadClock.now
            test.engine.lost(test.slot, closeCode: 0)
            #expect(test.client.phase == .waiting && test.client.failures == stay)
        }
        test.engine.clients[test.slot].phase = .open
        test.engine.clients[test.slot].inSince = LoadClock.now - 1_000_000_000
        test.engine.lost(test.slot, closeCode: 1005)
        #expect(test.client.phase == .waiting && test.client.failures == 0)
    }

    @Test func `any order of losses, skips, absences, copies and lateness adds up`() throws {
        for seed in 1...40 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var heard: [UInt64] = []
            for number in UInt64(100)..<400 where generator.index(10) > 0 {
                heard.append(number)
                if generator.index(8) == 0 { heard.append(number) }
            }
            for index in heard.indices where generator.index(5) == 0 {
                heard.swapAt(index, min(heard.count - 1, index + generator.index(9)))
            }
            let tally = try tally(400) { test in
                for number in heard {
                    let isSkip = generator.index(3) == 0
                    if generator.index(30) == 0 { test.engine.clients[test.slot].isReturning = true }
                    test.hear(number, isSkip ? .discontinuity : [])
                }
            }
            #expect(tally.skipped > 0 && tally.missing > 0, "seed \(seed)")
            #expect(tally.received == Set(heard).count, "seed \(seed)")
            #expect(
                tally.lost == 300 - Set(heard).count && tally.duplicates == heard.count - Set(heard).count,
                "seed \(seed)")
        }
    }

    @Test func `a join counts from when it was planned until something is heard, and a return from the loss`() throws {
        let test = try TestEngine()
        let planned = LoadClock.now - 3_000_000_000
        test.engine.clients[test.slot].plannedAt = planned
        // Let in, and dropped before the first packet.
        test.engine.lost(test.slot, closeCode: 0)
        test.engine.comeBack(test.slot)
        #expect(test.client.plannedAt == planned)
        test.sent(102)
        test.hear(100, at: planned + 4_000_000_000)
        #expect(test.engine.times.joins.count == 1 && test.engine.times.joins.min == 4_000_000)
        test.engine.clients[test.slot].phase = .open
        test.engine.lost(test.slot, closeCode: 0)
        let lostAt = test.client.lostAt
        test.engine.comeBack(test.slot)
        #expect(test.client.plannedAt == lostAt)
        test.hear(101, at: lostAt + 2_000_000_000)
        #expect(test.engine.times.joins.count == 1 && test.engine.times.reconnects.max == 2_000_000)
    }

    @Test func `delay counts from when a packet was due`() throws {
        let test = try TestEngine()
        test.sent(103)
        test.hear(100, due: 1_000_000, at: 6_000_000)
        test.hear(101, .replay, due: 1_000_000, at: 900_000_000)
        // A clock is read before the packet is.
        test.hear(102, due: 9_000_000, at: 8_999_000)
        #expect(test.engine.delays.pointee.count == 2)
        #expect(test.engine.delays.pointee.max == 5000 && test.engine.delays.pointee.min == 0)
    }
}
