import SonaBase
import SonaTestSupport
import Testing

@testable import SonaAudio

@Suite struct OpusPacketTests {
    let oracles: Oracles

    init() throws { oracles = try Oracles() }

    /// Compares with libopus and says for a failure which bytes it was.
    private func expectAgreement(on packet: [UInt8]) {
        let ours = try? OpusPacket(inspecting: packet)
        let theirs = oracles.inspect(packet)
        guard ours?.frames != theirs?.frames || ours?.samples != theirs?.samples else { return }
        Issue.record(
            "\(packet.prefix(12)), \(packet.count) bytes: \(String(describing: ours)), libopus \(String(describing: theirs))"
        )
    }

    // Goal: no packet on which we and libopus differ. Way: every TOC byte, with every kind of second byte that
    // matters, at lengths around every limit of RFC 6716 §3.2; then bytes drawn at random.
    @Test func `every TOC byte in every shape is judged as libopus judges it`() {
        let lengths = [
            0, 1, 2, 3, 4, 5, 7, 49, 50, 253, 254, 255, 256, 257, 258, 510, 1275, 1276, 1277, 1278, 2550, 2551, 2552,
            2553, 2554, 3000,
        ]
        let seconds: [UInt8] = [
            0, 1, 2, 3, 6, 12, 24, 48, 49, 63, 64, 65, 66, 112, 113, 127, 128, 129, 130, 131, 176, 177, 193, 194, 251,
            252, 253, 255,
        ]
        for toc in UInt8.min ... .max {
            for length in lengths {
                var packet = [UInt8](repeating: 0, count: length)
                if length > 0 { packet[0] = toc }
                guard length > 1 else {
                    expectAgreement(on: packet)
                    continue
                }
                for second in toc & 3 >= 2 ? seconds : [0] {
                    packet[1] = second
                    for third: UInt8 in length > 2 ? [0, 1, 252, 254, 255] : [0] {
                        if length > 2 { packet[2] = third }
                        expectAgreement(on: packet)
                    }
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `random bytes are judged as libopus judges them`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...(Bool.random(using: &generator) ? 40 : 3000), using: &generator)
            var packet = (0..<min(length, 60)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            packet += [UInt8](
                repeating: UInt8.random(in: .min ... .max, using: &generator), count: length - packet.count)
            if length > 0, Bool.random(using: &generator) { packet[0] |= 3 }
            expectAgreement(on: packet)
        }
    }

    @Test func `a packet tells its duration, frames, channels and configuration`() throws {
        let usual = try OpusPacket(inspecting: [0xFC, 1, 2])
        #expect(usual.samples == 960 && usual.frames == 1 && usual.frameSamples == 960)
        #expect(usual.isStereo && usual.configuration == 31)
        let shortest = try OpusPacket(inspecting: [0x80])
        #expect(shortest.samples == 120 && !shortest.isStereo && shortest.configuration == 16)
        let many = try OpusPacket(inspecting: [0x83, 48] + [UInt8](repeating: 0, count: 48))
        #expect(many.samples == 5760 && many.frames == 48)
        let silk = try OpusPacket(inspecting: [0x1B, 2, 0, 0])
        #expect(silk.samples == 5760 && silk.frameSamples == 2880)
    }

    @Test func `a packet is refused one step past each limit`() throws {
        func isFine(_ packet: [UInt8]) -> Bool { (try? OpusPacket(inspecting: packet)) != nil }
        #expect(!isFine([]))
        #expect(isFine([0xFC] + [UInt8](repeating: 0, count: 1275)))
        #expect(!isFine([0xFC] + [UInt8](repeating: 0, count: 1276)))
        #expect(isFine([0xFB, 6, 0, 0, 0, 0, 0, 0]))
        #expect(!isFine([0xFB, 7, 0, 0, 0, 0, 0, 0, 0]))
        #expect(!isFine([0xFB, 0]))
        #expect(!isFine([0xFB]))
        // Padding alone may fill a packet nearly to the limit of the whole.
        let padded: [UInt8] = [0xFB, 0x41] + [UInt8](repeating: 255, count: 240) + [0]
        #expect(isFine(padded + [UInt8](repeating: 0, count: 254 * 240)))
        #expect(!isFine(padded + [UInt8](repeating: 0, count: 254 * 240 - 1)))
        #expect(!isFine([UInt8](repeating: 0, count: OpusPacket.bytesMax + 1)))
    }

    @Test func `a malformed packet is refused with a sentence`() throws {
        let error = #expect(throws: AudioError.self) { try OpusPacket(inspecting: [0xFD, 1]) }
        #expect(error?.code == .badPacket)
        #expect(error?.description.hasSuffix(".") == true)
    }
}
