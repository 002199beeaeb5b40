import Glibc
import SonaBase
import SonaTestSupport
import Testing

@testable import SonaAudio

/// Goal: no bytes make the process stop, or give a packet that breaks the promises of `OggOpusFile.Packet`.
/// Way: small inputs changed at random from a seed. Of the files, most get right checksums again, or no change would
/// ever reach the code behind them.
@Suite struct OpusMutationTests {
    private static func mutate(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        for _ in 0...Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
            let at = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[at] = [0, 1, 127, 128, 254, 255].randomElement(using: &generator) ?? 0
            case 2: bytes.remove(at: at)
            case 3: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: at)
            case 4: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 0..<300, using: &generator)))
            default: bytes[at] = UInt8.random(in: .min ... .max, using: &generator)
            }
        }
    }

    /// Changes whole pages: their order, flags, numbers, granules, lacing.
    private static func mutate(_ pages: inout [TestPage], using generator: inout SeededGenerator) {
        for _ in 0...Int.random(in: 0...2, using: &generator) where !pages.isEmpty {
            let at = Int.random(in: pages.indices, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: pages.remove(at: at)
            case 1: pages.insert(pages[at], at: Int.random(in: pages.indices, using: &generator))
            case 2: pages.swapAt(at, Int.random(in: pages.indices, using: &generator))
            case 3: pages[at].flags = UInt8.random(in: 0..<8, using: &generator)
            case 4: pages[at].serial = UInt32.random(in: 0...2, using: &generator)
            case 5: pages[at].sequence = UInt32.random(in: 0...7, using: &generator) &- 1
            case 6:
                pages[at].granule =
                    [.min, -1, 0, 1, 961, .max, .random(in: 0...12_000, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            case 7:
                // Other borders between packets; the body follows, or is filled up.
                Self.mutate(&pages[at].lacing, using: &generator)
                pages[at].lacing = Array(pages[at].lacing.prefix(255))
                let size = pages[at].lacing.reduce(0) { $0 + Int($1) }
                pages[at].body = Array((pages[at].body + [UInt8](repeating: 0xFC, count: size)).prefix(size))
            default:
                let size = pages[at].body.count
                Self.mutate(&pages[at].body, using: &generator)
                pages[at].body = Array((pages[at].body + [UInt8](repeating: 0, count: size)).prefix(size))
            }
        }
    }

    /// Opens a file and checks every promise made about it.
    private static func expectPromises(of path: String, _ label: @autoclosure () -> String) -> Bool {
        guard let file = try? OggOpusFile(path: path) else { return false }
        var isFine = !file.streams.isEmpty
        for (number, stream) in file.streams.enumerated() {
            var start = 0
            isFine = isFine && stream.packetCount > 0 && stream.durationSamples >= 0
            for index in 0..<stream.packetCount {
                guard let packet = try? file.packet(stream: number, at: index),
                    let told = try? OpusPacket(inspecting: packet.bytes).samples
                else {
                    isFine = false
                    continue
                }
                isFine = isFine && packet.start == start && packet.samples > 0 && packet.samples <= told
                isFine = isFine && file.packetIndex(stream: number, containing: start) == index
                start += packet.samples
            }
            isFine = isFine && start == stream.samples
        }
        #expect(isFine, "\(label())")
        return true
    }

    @Test(arguments: [11, 12, 13, 14] as [UInt64])
    func `five thousand changed files break nothing`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let long = packet(5, size: 700)
        var original = smallStream(trim: 700)
        original.append(TestPage(flags: 2, granule: 0, serial: 2, sequence: 0, packets: [Array("\u{1}vorbis".utf8)]))
        original += smallStream(serial: 2, pages: 1)
        original.insert(
            TestPage(flags: 0, granule: -1, sequence: 5, lacing: [255, 255], body: Array(long[..<510])), at: 5)
        original.insert(
            TestPage(flags: 5, granule: 12_480, sequence: 6, lacing: [190], body: Array(long[510...])), at: 6)
        var generator = SeededGenerator(seed: seed)
        var opened = 0
        for round in 0..<5000 {
            var pages = original
            var bytes: [UInt8]
            if round.isMultiple(of: 4) {
                bytes = pages.bytes
                Self.mutate(&bytes, using: &generator)
            } else {
                Self.mutate(&pages, using: &generator)
                bytes = pages.bytes
            }
            let path = try folder.write(bytes, to: "changed.opus")
            if Self.expectPromises(of: path, "seed \(seed), round \(round)") { opened += 1 }
        }
        // Were all of them refused, nothing would have been tested.
        #expect(opened > 500, "\(opened) opened")
    }

    @Test(arguments: [21, 22] as [UInt64])
    func `ten thousand changed packets are decoded or refused`(seed: UInt64) throws {
        let oracles = try Oracles()
        var generator = SeededGenerator(seed: seed)
        let encoders = try [
            OpusEncoder(channels: 2, bitrate: 24_000, complexity: 0),
            OpusEncoder(channels: 1, application: .voip, bitrate: 12_000, frameSamples: 2880, complexity: 0),
            OpusEncoder(channels: 2, application: .voip, bitrate: 32_000, frameSamples: 960, complexity: 0),
            OpusEncoder(channels: 1, application: .lowDelay, bitrate: 64_000, frameSamples: 120, complexity: 0),
        ]
        var packets: [[UInt8]] = []
        for encoder in encoders {
            for _ in 0..<4 {
                packets.append(
                    try encoder.encode(
                        (0..<encoder.frameSamples * encoder.channels).map { _ in
                            Float.random(in: -0.5...0.5, using: &generator)
                        }))
            }
        }
        let decoder = try OpusDecoder(channels: 2)
        var decoded = 0
        for round in 0..<10_000 {
            var packet = packets.randomElement(using: &generator) ?? []
            Self.mutate(&packet, using: &generator)
            let told = try? OpusPacket(inspecting: packet)
            #expect(told?.samples == oracles.inspect(packet)?.samples, "seed \(seed), round \(round)")
            do throws(AudioError) {
                let pcm = try decoder.decode(packet)
                #expect(pcm.count == (told?.samples ?? 0) * 2)
                decoded += 1
            } catch {
                #expect(error.code == .badPacket && told == nil, "seed \(seed), round \(round): \(error)")
            }
        }
        #expect(decoded > 2000, "\(decoded) decoded")
    }

    @Test(arguments: [31] as [UInt64])
    func `twenty thousand changed headers are read or refused`(seed: UInt64) {
        let head = OpusHead(channels: 2, preSkip: 312).encoded()
        let tags = OpusTags(vendor: "vendor", comments: ["TITLE=a", "ARTIST=b", "METADATA_BLOCK_PICTURE=c"]).encoded()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<20_000 {
            var bytes = round.isMultiple(of: 4) ? head : tags
            Self.mutate(&bytes, using: &generator)
            if let head = try? OpusHead(parsing: bytes) {
                #expect(Array(bytes.prefix(19)) == head.encoded(), "seed \(seed), round \(round)")
            }
            if let tags = try? OpusTags(parsing: bytes) {
                #expect((try? OpusTags(parsing: tags.encoded())) == tags, "seed \(seed), round \(round)")
                _ = (tags.title, tags.artist, tags.album, tags.trackGain)
            }
        }
    }
}
