import Testing

@testable import SonaAudio

@Suite struct OggOpusFileTests {
    let folder: TemporaryFolder
    let oracles: Oracles

    init() throws {
        folder = try TemporaryFolder()
        oracles = try Oracles()
    }

    @Test(arguments: ["2.5", "5", "10", "20", "40", "60"], [1, 2])
    func `a file of opusenc is read to its last packet`(frame: String, channels: Int) throws {
        let samples = 70_001
        let path = try folder.encodeOpus(
            "song.opus", channels: channels, samples: samples,
            options: ["--framesize", frame, "--title", "Song", "--artist", "One", "--bitrate", "64"])
        let file = try OggOpusFile(path: path)
        #expect(!file.isTruncated && file.streams.count == 1)
        let stream = try #require(file.streams.first)
        #expect(stream.head.channels == channels && stream.head.preSkip == 312 && stream.missingPages == 0)
        #expect(stream.tags.title == "Song" && stream.tags.artist == "One")
        // opusenc trims the end, so that exactly what went in is heard.
        #expect(stream.durationSamples == samples)
        #expect(try stream.durationSamples == oracles.heardSamples(path))

        let packets = try file.packets()
        #expect(packets.count == stream.packetCount)
        #expect(packets.reduce(0) { $0 + $1.samples } == stream.samples)
        var start = 0
        for (number, packet) in packets.enumerated() {
            #expect(packet.start == start && packet.samples > 0)
            #expect(file.packetIndex(stream: 0, containing: start) == number)
            #expect(file.packetIndex(stream: 0, containing: start + packet.samples - 1) == number)
            start += packet.samples
        }
        #expect(packets.dropLast().allSatisfy { (try? OpusPacket(inspecting: $0.bytes).samples) == $0.samples })
        #expect(file.packetIndex(stream: 0, containing: -1) == 0)
        #expect(file.packetIndex(stream: 0, containing: .min) == 0)
        #expect(file.packetIndex(stream: 0, containing: stream.samples) == packets.count - 1)
        #expect(file.packetIndex(stream: 0, containing: .max) == packets.count - 1)
    }

    @Test func `the packets decode to the same samples as with opusdec`() throws {
        let path = try folder.encodeOpus("song.opus", samples: 30_000)
        let file = try OggOpusFile(path: path)
        let decoder = try OpusDecoder(channels: 2)
        var pcm: [Float] = []
        for packet in try file.packets() { pcm += try decoder.decode(packet.bytes).prefix(packet.samples * 2) }
        pcm.removeFirst(file.streams[0].head.preSkip * 2)
        let (status, output) = try folder.run(
            "opusdec", ["--quiet", "--float", "--rate", "48000", path, folder.file("song.f32.wav")])
        try #require(status == 0, "\(output)")
        let wave = try folder.read("song.f32.wav")
        let theirs = wave.suffix(60_000 * 4).withUnsafeBytes { bytes in
            (0..<60_000).map { Float(bitPattern: bytes.littleEndian(at: $0 * 4, as: UInt32.self)) }
        }
        #expect(pcm.count == theirs.count)
        #expect(zip(pcm, theirs).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    @Test func `chained files are streams in order`() throws {
        let first = try folder.encodeOpus("a.opus", channels: 2, samples: 50_000, options: ["--title", "A"])
        let second = try folder.encodeOpus(
            "b.opus", channels: 1, samples: 30_000, options: ["--title", "B", "--framesize", "60"])
        let chain = try folder.read("a.opus") + folder.read("b.opus") + folder.read("a.opus")
        let path = try folder.write(chain, to: "chain.opus")
        let file = try OggOpusFile(path: path)
        #expect(file.streams.map(\.tags.title) == ["A", "B", "A"])
        #expect(file.streams.map(\.durationSamples) == [50_000, 30_000, 50_000])
        let alone = try (OggOpusFile(path: first), OggOpusFile(path: second))
        #expect(try file.packets(stream: 0) == alone.0.packets())
        #expect(try file.packets(stream: 1) == alone.1.packets())
        #expect(try file.packets(stream: 2) == alone.0.packets())
    }

    @Test func `a large cover picture is skipped, and the title after it is kept`() throws {
        let picture = "METADATA_BLOCK_PICTURE=" + String(repeating: "A", count: 400_000)
        var writer = OggOpusWriter(
            head: OpusHead(channels: 2, preSkip: 312),
            tags: OpusTags(vendor: "v", comments: [picture, "TITLE=Behind"]), serial: 9)
        var bytes = writer.headerPages()
        bytes += try writer.write(packet: packet(0), samples: 960, flush: false) + writer.finish()
        let file = try folder.open(bytes)
        #expect(file.streams[0].tags.comments == ["TITLE=Behind"])
        #expect(try file.packets().map(\.bytes) == [packet(0)])
        #expect(file.streams[0].missingPages == 0 && !file.isTruncated)
    }

    @Test func `the first Opus stream of multiplexed streams is used`() throws {
        _ = try folder.encodeOpus("a.opus", samples: 50_000)
        let opus = try TestPage.pages(of: folder.read("a.opus"))
        let vorbis = try TestPage.pages(of: folder.encodeVorbis("a.ogg"))
        let other = smallStream(serial: 77)
        var mixed = [vorbis[0], opus[0], other[0]]
        for number in 1..<max(opus.count, vorbis.count, other.count) {
            for stream in [vorbis, opus, other] where number < stream.count { mixed.append(stream[number]) }
        }
        let alone = try OggOpusFile(path: folder.file("a.opus"))
        let file = try folder.open(mixed)
        #expect(file.streams.count == 1 && !file.isTruncated)
        #expect(try file.packets() == alone.packets())

        // A group without Opus is skipped, before and after one with it.
        let chain = try folder.open(vorbis + mixed + vorbis + opus)
        #expect(chain.streams.count == 2)
        #expect(try chain.packets(stream: 1) == alone.packets())
    }

    @Test func `frame sizes and channels may change in mid-stream`() throws {
        // 2.5 ms mono, 20 ms stereo, 60 ms SILK, 120 ms of two frames, 2.5 ms stereo.
        let packets: [[UInt8]] = [[0x80, 1], [0xFC, 2], [0x18, 3], [0x19, 4, 4], [0xE4, 5]]
        let pages = headerPages() + [TestPage(flags: 4, granule: 9840, sequence: 2, packets: packets)]
        let file = try folder.open(pages)
        #expect(try file.packets().map(\.samples) == [120, 960, 2880, 5760, 120])
        #expect(try file.packets().map(\.start) == [0, 120, 1080, 3960, 9720])
        #expect(try file.packets().map(\.bytes) == packets)
    }

    @Test func `a packet across several pages is put together`() throws {
        // 61440 bytes, the most there may be, nearly all of them padding; on pages of 100 segments.
        let big: [UInt8] =
            [0xFF, 0x41] + [UInt8](repeating: 255, count: 240) + [0] + [UInt8](repeating: 7, count: 254 * 240 + 237)
        #expect(big.count == OpusPacket.bytesMax)
        let segments = big.count / 255
        var pages = headerPages()
        pages.append(TestPage(granule: 960, sequence: 2, lacing: [40, 255], body: packet(1) + big[..<255]))
        var at = 1
        while at < segments {
            let count = min(100, segments - at)
            let body = Array(big[at * 255..<(at + count) * 255])
            pages.append(
                TestPage(
                    flags: 1, granule: -1, sequence: UInt32(pages.count), lacing: .init(repeating: 255, count: count),
                    body: body))
            at += count
        }
        let rest = Array(big[(segments * 255)...])
        pages.append(
            TestPage(
                flags: 5, granule: 2880, sequence: UInt32(pages.count), lacing: [UInt8(rest.count), 40],
                body: rest + packet(2)))
        let file = try folder.open(pages)
        #expect(try file.packets().map(\.bytes) == [packet(1), big, packet(2)])
        #expect(!file.isTruncated)
    }

    @Test func `a packet that ends exactly with a page is ended by an empty segment on the next`() throws {
        let long = packet(3, size: 255)
        let pages =
            headerPages() + [
                TestPage(granule: -1, sequence: 2, lacing: [255], body: long),
                TestPage(flags: 5, granule: 1920, sequence: 3, lacing: [0, 40], body: packet(4)),
            ]
        let file = try folder.open(pages)
        #expect(try file.packets().map(\.bytes) == [long, packet(4)])
    }

    @Test func `a stream without a packet is left out of a chain`() throws {
        let file = try folder.open(headerPages(serial: 5) + smallStream(serial: 6) + headerPages(serial: 7))
        #expect(file.streams.count == 1 && file.streams[0].packetCount == 12)
        // Cut off right after its first page and begun again, with the same number or another.
        let again = try folder.open([headerPages(serial: 6)[0]] + smallStream(serial: 6))
        #expect(again.streams.count == 1 && again.streams[0].packetCount == 12)
    }

    @Test func `empty packets and pages count for nothing`() throws {
        var pages = smallStream(pages: 2)
        pages[3].flags = 0
        pages.insert(TestPage(granule: 3840, sequence: 3, lacing: [], body: []), at: 3)
        pages[4].sequence = 4
        pages.append(TestPage(flags: 4, granule: 7680, sequence: 5, lacing: [0], body: []))
        let file = try folder.open(pages)
        #expect(file.streams[0].packetCount == 8 && file.streams[0].missingPages == 0)
        #expect(try file.packets().last?.samples == 960)
    }

    @Test func `a packet that does not exist is refused`() throws {
        let file = try folder.open(smallStream())
        for (stream, index) in [(0, -1), (0, 12), (1, 0), (-1, 0), (.max, .max)] {
            let error = #expect(throws: AudioError.self) { try file.packet(stream: stream, at: index) }
            #expect(error?.code == .badPacket)
        }
    }

    @Test func `a file that changes while it is open is noticed`() throws {
        let path = try folder.write(smallStream().bytes, to: "changing.opus")
        let file = try OggOpusFile(path: path)
        try folder.write([UInt8](repeating: 0, count: smallStream().bytes.count), to: "changing.opus")
        #expect(throws: AudioError.self) { try file.packet(stream: 0, at: 3) }
        try folder.write([1, 2, 3], to: "changing.opus")
        let error = #expect(throws: AudioError.self) { try file.packet(stream: 0, at: 3) }
        #expect(error?.code == .badPacket)
    }

    @Test func `packets can be read from many tasks at once`() async throws {
        let file = try folder.open(smallStream(pages: 50))
        let expected = try file.packets()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (try? file.packets()) == expected } }
            for await isSame in group { #expect(isSame) }
        }
    }
}
