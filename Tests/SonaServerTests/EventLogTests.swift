import SonaEventLoop
import Testing

@testable import SonaServer

/// The events that are kept for clients that resume, at their limits.
@Suite struct EventLogTests {
    private func frame(_ bytes: Int = 10) -> WebSocketFrame {
        WebSocketFrame(text: [UInt8](repeating: 0x20, count: bytes))
    }

    @Test func `a room's events are kept without a gap, up to their number, bytes and age`() {
        var log = RoomEventLog()
        #expect(log.frames(after: 0, last: 0)?.count == 0)
        #expect(log.frames(after: 0, last: 1) == nil, "an event from before there was a log")
        for sequence in 1...600 as ClosedRange<Int64> { log.append(frame(), sequence, now: 0) }
        #expect(log.frames(after: 600, last: 600)?.count == 0)
        #expect(log.frames(after: 88, last: 600)?.count == 512)
        #expect(log.frames(after: 87, last: 600) == nil)
        #expect(log.frames(after: 601, last: 600) == nil)
        log.append(frame(100_000), 601, now: 0)
        log.append(frame(90_000), 602, now: 0)
        #expect(log.frames(after: 600, last: 602)?.count == 2)
        log.append(frame(100_000), 603, now: 0)
        #expect(log.frames(after: 601, last: 603)?.count == 2)
        #expect(log.frames(after: 600, last: 603) == nil)
        log.append(frame(), 604, now: 120_000_001)
        #expect(log.frames(after: 603, last: 604)?.count == 1)
        #expect(log.frames(after: 602, last: 604) == nil)
        log.append(frame(200_000), 605, now: 120_000_001)
        #expect(log.frames(after: 604, last: 605) == nil, "a frame larger than the whole log is not kept")
    }

    @Test func `personal events are kept no longer than a minute while their client is connected`() {
        var log = PersonalLog()
        #expect(!log.isNews(now: 0) && log.frames(after: 0).isEmpty)
        for sequence in 1...3 as ClosedRange<Int64> {
            log.append(frame(), sequence, keepsAll: false, now: sequence * 30_000_001)
        }
        #expect(log.frames(after: 0).count == 2 && log.frames(after: 2).count == 1)
        #expect(log.isNews(now: 150_000_002) && !log.isNews(now: 150_000_003))
        // While the client is away, all events are kept up to their number and bytes.
        for sequence in 4...5 as ClosedRange<Int64> {
            log.append(frame(), sequence, keepsAll: true, now: sequence * 100_000_000)
        }
        #expect(log.frames(after: 0).count == 4)
        for sequence in 6...600 as ClosedRange<Int64> {
            log.append(frame(), sequence, keepsAll: true, now: 600_000_000)
        }
        #expect(log.frames(after: 0).count == 512)
        log.append(frame(131_000), 601, keepsAll: true, now: 600_000_000)
        #expect(log.frames(after: 600).count == 1 && log.frames(after: 0).count < 10)
    }
}
