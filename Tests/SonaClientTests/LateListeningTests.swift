import SonaClient
import SonaWire
import Testing

/// Packets that wait until they are heard, later than by others.
struct LateListeningTests {
    private static func packet(_ sequence: UInt32, at time: Int64, _ flags: AudioFlags = []) -> AudioPacket {
        let header = AudioDown(
            flags: flags, epoch: 1, sequence: sequence, playAtMicroseconds: time, samples: 960)
        return AudioPacket(header: header, bytes: [0xFC], receivedAtMicroseconds: 0)
    }

    @Test func `packets come out in the order of their numbers, over the wrap, at their later times`() {
        var late = LateListening(by: 5_000_000)
        for number: UInt32 in [1, 2, .max - 1, .max, 0] {
            late.take(Self.packet(number, at: Int64(Int32(bitPattern: number)) * 20_000))
        }
        let due = late.due(at: 1_980_001)
        #expect(due.map(\.header.sequence) == [.max - 1, .max])
        #expect(due.map(\.header.playAtMicroseconds) == [4_960_000, 4_980_000])
        #expect(late.due(at: nil).map(\.header.sequence) == [0, 1, 2])
        #expect(late.due(at: nil).isEmpty)
    }

    @Test func `what only prepared a decoder gives way to the same that is to be heard, and nothing comes twice`() {
        var late = LateListening(by: 1_000_000)
        late.take(Self.packet(7, at: 0, [.preroll, .discontinuity]))
        late.take(Self.packet(8, at: 20_000))
        late.take(Self.packet(6, at: -20_000, .shifted))
        late.take(Self.packet(7, at: 0, .shifted))
        late.take(Self.packet(8, at: 20_000, .shifted))
        let due = late.due(at: nil)
        #expect(due.map(\.header.sequence) == [6, 7, 8])
        #expect(due.map(\.header.flags) == [.shifted, .shifted, []])
    }

    @Test func `what went by is asked for in spans of ten seconds`() {
        let late = LateListening(by: 25_000_000)
        #expect(
            late.spans(now: 100_000_000, edge: 100_060_000) == [
                75_000_000..<85_000_000, 85_000_000..<95_000_000, 95_000_000..<100_060_000,
            ])
        #expect(LateListening(by: 0).spans(now: 1, edge: 2).isEmpty)
    }
}
