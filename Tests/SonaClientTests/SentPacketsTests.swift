import Testing

@testable import SonaClient

@Suite struct SentPacketsTests {
    private static func packets(_ count: Int) -> SentPackets {
        var sent = SentPackets()
        for index in 0..<count {
            sent.append(
                SentPackets.Packet(
                    samplePosition: Int64(index) * 960, samples: 960, frame: [UInt8(truncatingIfNeeded: index)]))
        }
        return sent
    }

    @Test func `those from the first that is missing come, and none before`() {
        let sent = Self.packets(100)
        #expect(sent.packets(from: 0, inTimeFrom: 0)?.count == 100)
        let first: Int64 = 40 * 960
        #expect(sent.packets(from: first, inTimeFrom: 0)?.first?.samplePosition == first)
        #expect(sent.packets(from: 100 * 960, inTimeFrom: 0)?.isEmpty == true)
    }

    @Test func `packets that are too late do not come`() {
        let sent = Self.packets(100)
        #expect(sent.packets(from: 40 * 960, inTimeFrom: 70 * 960 - 1)?.count == 30)
        #expect(sent.packets(from: 40 * 960, inTimeFrom: 200 * 960)?.isEmpty == true)
    }

    @Test func `a server that has more than was sent is another epoch's`() {
        #expect(Self.packets(100).packets(from: 100 * 960 + 1, inTimeFrom: 0) == nil)
        #expect(SentPackets().packets(from: 1, inTimeFrom: 0) == nil)
        #expect(SentPackets().packets(from: 0, inTimeFrom: 0)?.isEmpty == true)
    }

    @Test func `half a minute is kept, and what is older is missed only where it is of use`() {
        let sent = Self.packets(10_000)
        let first = Int64(10_000 - 1) * 960 - SentPackets.seconds * 48_000
        #expect(sent.packets(from: first, inTimeFrom: 0)?.count == 1_501)
        #expect(sent.packets(from: first - 960, inTimeFrom: 0) == nil)
        #expect(sent.packets(from: 0, inTimeFrom: first)?.count == 1_501)
    }
}
