import SonaAudio
import Testing

@testable import SonaLoad

struct PacketStampTests {
    private let stamp = PacketStamp(run: 77, room: 3, number: 1 << 40, due: 987_654_321)

    private func stamped(_ packet: [UInt8]) -> [UInt8] {
        var packet = packet
        packet.withUnsafeMutableBytes { stamp.write(endingAt: $0.baseAddress! + $0.count) }
        return packet
    }

    private func read(_ packet: [UInt8]) -> PacketStamp? {
        packet.withUnsafeBytes { PacketStamp(endingAt: $0.baseAddress! + $0.count, count: $0.count) }
    }

    @Test func `a stamp is read as it was written, and nothing else is taken for one`() throws {
        let bank = try PacketBank(frameMilliseconds: 20, kilobits: 128, seed: 1)
        #expect(read(stamped(bank.packets[0])) == stamp)
        #expect(read(bank.packets[0]) == nil)
        #expect(read([]) == nil)
        #expect(read(Array(stamped(bank.packets[0]).suffix(PacketStamp.bytes))) == nil)
    }

    /// Each length of packet has a layout of its own: one frame, two, or a list of them.
    @Test(arguments: [2.5, 5, 10, 20, 40, 60, 80, 100, 120], [16, 128])
    func `a stamped packet decodes to the same sound as without`(milliseconds: Double, kilobits: Int) throws {
        let samples = Int(milliseconds * 48)
        let encoder = try OpusEncoder(channels: 2, bitrate: kilobits * 1000, frameSamples: samples)
        let plain = try OpusDecoder(channels: 2)
        let padded = try OpusDecoder(channels: 2)
        var signal = TestSignal(seed: 4)
        for _ in 0..<8 {
            let packet = try encoder.encode(signal.next(samples))
            let withRoom = stamped(try #require(StampRoom.make(in: packet)))
            let inspected = try OpusPacket(inspecting: withRoom)
            #expect(inspected.samples == samples)
            #expect(try padded.decode(withRoom) == plain.decode(packet))
        }
    }

    /// libopus makes two frames of different size (code 2) only now and then; here by hand.
    @Test func `two frames of different size keep their lengths`() throws {
        let encoder = try OpusEncoder(channels: 1, bitrate: 64_000, frameSamples: 960)
        var signal = TestSignal(seed: 4)
        func mono() -> [Float] { signal.next(960).enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element) }
        let (first, second) = (try encoder.encode(mono()), try encoder.encode(mono()))
        try #require(first[0] & 3 == 0 && first[0] == second[0] && first.count < 253)
        let both = [first[0] | 2, UInt8(first.count - 1)] + first.dropFirst() + second.dropFirst()
        #expect(try OpusPacket(inspecting: both).samples == 1920)
        let withRoom = stamped(try #require(StampRoom.make(in: both)))
        let (plain, padded) = (try OpusDecoder(channels: 1), try OpusDecoder(channels: 1))
        #expect(try padded.decode(withRoom) == plain.decode(both))
    }

    @Test func `a packet that is padded already has no room, and an empty one neither`() throws {
        let once = try #require(StampRoom.make(in: [0xFC, 1, 2, 3]))
        #expect(StampRoom.make(in: once) == nil)
        #expect(StampRoom.make(in: []) == nil)
    }

    @Test func `packets are of the bit rate that was asked for`() throws {
        for kilobits in [32, 128, 256] {
            let bank = try PacketBank(frameMilliseconds: 20, kilobits: kilobits, seed: 1)
            let sound = bank.bytesMean - Double(PacketStamp.bytes) - 2
            #expect((0.8...1.25).contains(sound * 8 * 50 / 1000 / Double(kilobits)), "\(sound) bytes at \(kilobits)")
        }
    }

    @Test func `lengths and rates that Opus does not have are refused`() {
        for (milliseconds, kilobits) in [(30.0, 128), (0, 128), (20, 5), (20, 511), (.nan, 64), (.infinity, 64)] {
            #expect(throws: LoadError.self, "\(milliseconds) ms, \(kilobits)") {
                try PacketBank(frameMilliseconds: milliseconds, kilobits: kilobits, seed: 1)
            }
        }
    }
}
