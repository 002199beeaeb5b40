import SonaBase
import SonaTestSupport
import SonaWire
import Testing

@Suite struct FrameTests {
    @Test func `headers can be appended to other bytes`() {
        var bytes: [UInt8] = [9, 9]
        AudioDown(flags: .last, epoch: 7, sequence: 1, playAtMicroseconds: -6_500, samples: 960).append(to: &bytes)
        #expect(bytes.count == 2 + AudioDown.headerBytes)
        #expect(bytes[2] == 0x10 && bytes[3] == 8)
        TimeResponse(probeID: 1, clientSend: 2, serverReceive: 3, serverSend: 4).append(to: &bytes)
        #expect(bytes.count == 22 + TimeResponse.byteCount)
    }

    @Test func `a parsed bundle has the packets it was encoded from`() throws {
        let packets: [(samples: UInt32, packet: [UInt8])] = (0..<255).map { (UInt32($0) + 1, [UInt8($0), 1]) }
        let header = BundleDown(
            flags: [.discontinuity, .last], epoch: 3, firstSequence: .max, playAtMicroseconds: Limits.integerMax)
        let bytes = BundleDown.encode(header, packets: packets)
        guard case .bundleDown(let bundle) = try ServerFrame(parsing: bytes) else {
            Issue.record("not a bundle")
            return
        }
        #expect(bundle.entries.map(\.samples) == packets.map(\.samples))
        #expect(bundle.packets.map { Array(bytes[$0.packet]) } == packets.map(\.packet))
        #expect(bundle.packets[0].header.flags == .discontinuity)
        #expect(bundle.packets[1].header.sequence == 0 && bundle.packets[1].header.flags == [])
        #expect(bundle.packets[254].header.flags == .last)
    }

    @Test func `offset and round trip are exact or clamped with clocks at the ends of their range`() {
        for one in [Int64.min, 0, .max] {
            for two in [Int64.min, 0, .max] {
                let response = TimeResponse(probeID: 0, clientSend: one, serverReceive: two, serverSend: one)
                for arrival in [Int64.min, 0, .max] {
                    // The server's answer leaves at `one`, when the client asked: its clock cancels out.
                    let offset = (Int128(two) - Int128(arrival)) >> 1
                    #expect(Int128(response.offset(clientReceive: arrival)) == offset)
                    let roundTrip = Int128(arrival) + Int128(two) - 2 * Int128(one)
                    #expect(response.roundTrip(clientReceive: arrival) == Int64(clamping: roundTrip))
                }
            }
        }
    }

    /// Turns valid frames into 50 000 damaged ones. Each must be accepted or refused, and every payload lie within.
    @Test func `mutated frames are accepted or refused but never crash`() {
        let seed: UInt64 = 0x46_52
        var dice = SeededGenerator(seed: seed)
        let packet: [UInt8] = [0xFC, 0xFF, 0xFE]
        let playback = Playback(
            state: .playing, anchorMicroseconds: 1, positionMicroseconds: 2, revision: 3, epoch: 4)
        let seeds: [[UInt8]] = [
            TimeRequest(probeID: 1, clientSend: 2).encode(),
            TimeResponse(probeID: 1, clientSend: 2, serverReceive: 3, serverSend: 4).encode(),
            AudioDown.encode(AudioDown(epoch: 1, sequence: 2, playAtMicroseconds: 3, samples: 960), packet: packet),
            AudioUp.encode(AudioUp(epoch: 1, sequence: 2, samplePosition: 3, samples: 960), packet: packet),
            BundleDown.encode(
                BundleDown(epoch: 1, firstSequence: 2, playAtMicroseconds: 3),
                packets: [960, 960, 480].map { (samples: $0, packet: packet) }),
            PositionFrame(playback: playback).encode(),
            CaptureFrame(epoch: 1, samplePosition: 2, serverMicroseconds: 3, errorMicroseconds: 4).encode(),
        ]
        var (accepted, refused, packets) = (0, 0, 0)
        for round in 0..<50_000 {
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &dice)]
            for _ in 0..<Int.random(in: 1...3, using: &dice) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &dice)
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &dice) ?? 0
                case 1: bytes[index] = UInt8.random(in: 0...255, using: &dice)
                case 2: bytes.removeSubrange(index...)
                default: bytes.insert(UInt8.random(in: 0...255, using: &dice), at: index)
                }
            }
            let whole = 0..<bytes.count
            if case .audioUp(_, let payload) = try? ClientFrame(parsing: bytes) {
                #expect(whole.contains(payload.lowerBound) && payload.upperBound == bytes.count)
                packets += 1
            }
            let frame = try? ServerFrame(parsing: bytes)
            accepted += frame == nil ? 0 : 1
            refused += frame == nil ? 1 : 0
            switch frame {
            case .audioDown(_, let payload):
                #expect(payload.upperBound == bytes.count, "seed \(seed), round \(round)")
                packets += 1
            case .bundleDown(let bundle):
                let isInside = bundle.packets.allSatisfy { whole.clamped(to: $0.packet) == $0.packet }
                #expect(isInside, "seed \(seed), round \(round)")
                packets += 1
            default: break
            }
        }
        #expect(accepted > 5_000 && refused > 5_000, "damage that is always or never noticed proves nothing")
        #expect(packets > 3_000, "frames with payloads that were held against their bytes")
    }
}
