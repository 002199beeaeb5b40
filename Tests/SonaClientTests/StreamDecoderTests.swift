import SonaAudio
import SonaClient
import SonaWire
import Testing

@Suite struct StreamDecoderTests {
    private let packets: [[UInt8]]
    /// What one decoder makes of all of them.
    private let whole: [Float]

    init() throws {
        packets = try Workshop.packets(12)
        let decoder = try OpusDecoder(channels: 2)
        whole = try packets.flatMap { try decoder.decode($0) }
    }

    private func packet(
        _ number: Int, _ flags: AudioFlags = [], epoch: UInt16 = 1, at time: Int64? = nil, samples: UInt32 = 960
    ) -> AudioPacket {
        AudioPacket(
            header: AudioDown(
                flags: flags, epoch: epoch, sequence: UInt32(number),
                playAtMicroseconds: time ?? 1_000_000 + Int64(number) * 20_000, samples: samples),
            bytes: packets[number % packets.count], receivedAtMicroseconds: 0)
    }

    private func stream(_ epoch: UInt16 = 1, start: Int64, continues: Bool = false) -> StreamInfo {
        StreamInfo(epoch: epoch, channels: 2, preSkip: 312, startMicroseconds: start, continues: continues)
    }

    @Test func `the pre-skip is decoded and not heard, and the first sound lies at the start`() throws {
        let decoder = try StreamDecoder()
        decoder.announce(stream(start: 1_006_500))
        let first = try #require(decoder.take(packet(0, .discontinuity)))
        #expect(first.time == 1_006_500 && first.frames == 960 - 312 && first.isBeginning)
        #expect(first.samples == Array(whole[624..<1_920]))
        let second = try #require(decoder.take(packet(1)))
        #expect(second.time == 1_020_000 && second.samples == Array(whole[1_920..<3_840]) && !second.isBeginning)
    }

    @Test func `an epoch is as loud as its gain says, unless that is left out`() throws {
        var told = stream(start: 0)
        told.gain = -602
        for isLevelled in [true, false] {
            let decoder = try StreamDecoder(isLevelled: isLevelled)
            decoder.announce(told)
            _ = decoder.take(packet(0, .discontinuity))
            let heard = try #require(decoder.take(packet(1))).samples
            let factor: Float = isLevelled ? 0.5 : 1
            #expect(zip(heard, whole[1_920..<3_840]).allSatisfy { abs($0 - factor * $1) < 1e-3 })
        }
    }

    @Test func `pre-roll prepares the decoder and is not heard`() throws {
        let decoder = try StreamDecoder()
        decoder.announce(stream(start: 0))
        for number in 0..<8 {
            #expect(decoder.take(packet(number, number == 0 ? [.preroll, .discontinuity] : .preroll)) == nil)
        }
        let piece = try #require(decoder.take(packet(8)))
        #expect(piece.samples == Array(whole[8 * 1_920..<9 * 1_920]) && !piece.isBeginning)
    }

    @Test func `a discontinuity resets, an epoch that continues does not`() throws {
        let decoder = try StreamDecoder()
        decoder.announce(stream(start: 0))
        decoder.announce(stream(2, start: 0, continues: true))
        decoder.announce(stream(3, start: 0))
        _ = decoder.take(packet(0))
        #expect(decoder.take(packet(1, epoch: 2))?.samples == Array(whole[1_920..<3_840]))
        #expect(decoder.take(packet(0, epoch: 3))?.samples == Array(whole[..<1_920]), "a fresh decoder")
        #expect(decoder.take(packet(0, .discontinuity, epoch: 3))?.samples == Array(whole[..<1_920]))
    }

    @Test func `the end trim is thrown away`() throws {
        let decoder = try StreamDecoder()
        decoder.announce(stream(start: 0))
        let piece = try #require(decoder.take(packet(0, .last, samples: 100)))
        #expect(piece.samples == Array(whole[..<200]) && piece.isEnd)
    }

    @Test func `a packet that is not Opus counts as lost and disturbs nothing`() throws {
        let decoder = try StreamDecoder()
        decoder.announce(stream(start: 0))
        _ = decoder.take(packet(0))
        var broken = packet(1)
        broken.bytes = [0xFF]
        #expect(decoder.take(broken) == nil)
        #expect(decoder.take(packet(1, samples: 5_760)) == nil, "more than it holds")
        #expect(decoder.undecodable == 2)
        #expect(decoder.take(packet(2)) != nil)
    }

    @Test func `a packet of an epoch nobody announced sounds at its time`() throws {
        let decoder = try StreamDecoder()
        #expect(decoder.take(packet(0, epoch: 9, at: 77))?.time == 77)
    }

    @Test(arguments: [Int64.min, -Limits.integerMax, Limits.integerMax, .max])
    func `times at the edge do not trap`(time: Int64) throws {
        let decoder = try StreamDecoder()
        for start in [Int64.min, 0, .max] {
            decoder.announce(stream(start: start))
            _ = decoder.take(packet(0, at: time))
        }
    }
}
