import Testing

@testable import SonaAudio

@Suite struct OggOpusWriterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func copy(_ file: OggOpusFile, stream: Int = 0, serial: UInt32 = 7, flush: Bool = false) throws -> [UInt8] {
        var writer = OggOpusWriter(head: file.streams[stream].head, tags: file.streams[stream].tags, serial: serial)
        var bytes = writer.headerPages()
        for packet in try file.packets(stream: stream) {
            bytes += try writer.write(packet: packet.bytes, samples: packet.samples, flush: flush)
        }
        return bytes + writer.finish()
    }

    private func expectNothingWrong(_ path: String) throws {
        let (status, output) = try folder.run("opusinfo", [path])
        #expect(status == 0 && !output.contains("WARNING") && !output.contains("ERROR"), "\(output)")
    }

    @Test(arguments: ["2.5", "5", "10", "20", "40", "60"], [1, 2])
    func `a file written again is the same to a listener and to opusinfo`(frame: String, channels: Int) throws {
        let path = try folder.encodeOpus(
            "in.opus", channels: channels, samples: 170_001, options: ["--framesize", frame, "--title", "Ä"])
        let original = try OggOpusFile(path: path)
        for flush in [false, true] {
            let written = try folder.write(copy(original, flush: flush), to: "out.opus")
            try expectNothingWrong(written)
            let file = try OggOpusFile(path: written)
            #expect(try file.packets() == original.packets())
            #expect(file.streams[0].head == original.streams[0].head)
            #expect(file.streams[0].tags == original.streams[0].tags)
            #expect(file.streams[0].durationSamples == 170_001)
            #expect(try Oracles().heardSamples(written) == 170_001)
        }
    }

    @Test func `streams written one after another form a chain`() throws {
        let first = try OggOpusFile(path: folder.encodeOpus("a.opus", samples: 30_000))
        let second = try OggOpusFile(path: folder.encodeOpus("b.opus", channels: 1, samples: 20_000))
        let path = try folder.write(copy(first, serial: 1) + copy(second, serial: 2), to: "chain.opus")
        try expectNothingWrong(path)
        #expect(try OggOpusFile(path: path).streams.map(\.durationSamples) == [30_000, 20_000])
        #expect(try Oracles().heardSamples(path) == 50_000)
    }

    @Test func `every page has its right checksum, number and granule`() throws {
        var writer = OggOpusWriter(
            head: OpusHead(channels: 2, preSkip: 312), tags: OpusTags(vendor: "v", comments: []), serial: 0xDEAD_BEEF)
        var bytes = writer.headerPages()
        for number in 0..<120 { bytes += try writer.write(packet: packet(number), samples: 960, flush: false) }
        bytes += writer.finish()
        let pages = TestPage.pages(of: bytes)
        #expect(pages.bytes == bytes)
        #expect(pages.map(\.serial) == .init(repeating: 0xDEAD_BEEF, count: 5))
        #expect(pages.map(\.sequence) == [0, 1, 2, 3, 4])
        #expect(pages.map(\.flags) == [2, 0, 0, 0, 4])
        // A second to a page.
        #expect(pages.map(\.granule) == [0, 0, 48_000, 96_000, 115_200])
    }

    @Test func `with flush each packet has its page, one call later`() throws {
        var writer = OggOpusWriter(
            head: OpusHead(channels: 2, preSkip: 312), tags: OpusTags(vendor: "v", comments: []), serial: 1)
        #expect(try writer.write(packet: packet(0), samples: 960, flush: true).isEmpty)
        for number in 1..<5 {
            let pages = TestPage.pages(of: try writer.write(packet: packet(number), samples: 960, flush: true))
            #expect(pages.map(\.granule) == [Int64(number) * 960])
            #expect(pages.map(\.body) == [packet(number - 1)])
        }
        let last = TestPage.pages(of: writer.finish())
        #expect(last.map(\.flags) == [4] && last.map(\.granule) == [4800])
        #expect(writer.finish().isEmpty)
    }

    @Test func `only the last packet is trimmed`() throws {
        var writer = OggOpusWriter(
            head: OpusHead(channels: 2, preSkip: 312), tags: OpusTags(vendor: "v", comments: []), serial: 1)
        var bytes = writer.headerPages()
        bytes += try writer.write(packet: packet(0), samples: 100, flush: true)
        bytes += try writer.write(packet: packet(1), samples: 960, flush: true)
        bytes += try writer.write(packet: packet(2), samples: 1, flush: true)
        bytes += writer.finish()
        #expect(TestPage.pages(of: bytes).map(\.granule) == [0, 0, 960, 1920, 1921])
        let path = try folder.write(bytes, to: "trimmed.opus")
        #expect(try OggOpusFile(path: path).packets().map(\.samples) == [960, 960, 1])
    }

    @Test func `a packet that cannot be written is refused and leaves no trace`() throws {
        var writer = OggOpusWriter(
            head: OpusHead(channels: 2, preSkip: 312), tags: OpusTags(vendor: "v", comments: []), serial: 1)
        let bad: [([UInt8], Int)] = [
            ([], 960), ([0xFD, 1], 1920), (packet(1), 0), (packet(1), -5), (packet(1), 961), (packet(1), .max),
        ]
        for (packet, samples) in bad {
            let error = #expect(throws: AudioError.self) {
                try writer.write(packet: packet, samples: samples, flush: true)
            }
            #expect(error?.code == .badPacket)
        }
        var bytes = writer.headerPages()
        bytes += try writer.write(packet: packet(2), samples: 960, flush: false) + writer.finish()
        #expect(try folder.open(bytes).packets().map(\.bytes) == [packet(2)])
    }

    @Test(arguments: [2, 254, 255, 256, 509, 510, 511, 1276])
    func `packets around the size of a segment come back whole`(size: Int) throws {
        var writer = OggOpusWriter(
            head: OpusHead(channels: 2, preSkip: 312), tags: OpusTags(vendor: "v", comments: []), serial: 1)
        var bytes = writer.headerPages()
        // 2.5 ms packets, so that segments and not seconds fill the pages.
        let packets = (0..<400).map { packet($0, size: size, toc: 0xE4) }
        for packet in packets { bytes += try writer.write(packet: packet, samples: 120, flush: false) }
        bytes += writer.finish()
        let path = try folder.write(bytes, to: "sizes.opus")
        try expectNothingWrong(path)
        #expect(try OggOpusFile(path: path).packets().map(\.bytes) == packets)
        #expect(TestPage.pages(of: bytes).allSatisfy { $0.flags & 1 == 0 })
    }

    @Test(arguments: [0, 65_000, 65_025 - 22, 65_025, 130_050, 200_000])
    func `tags of any size get the pages they need`(size: Int) throws {
        let comments = ["TITLE=t", "X=" + String(repeating: "x", count: size)]
        var writer = OggOpusWriter(
            head: OpusHead(channels: 1, preSkip: 312), tags: OpusTags(vendor: "v", comments: comments), serial: 1)
        var bytes = writer.headerPages()
        bytes += try writer.write(packet: packet(0), samples: 960, flush: false) + writer.finish()
        let path = try folder.write(bytes, to: "tags.opus")
        try expectNothingWrong(path)
        #expect(try OggOpusFile(path: path).streams[0].tags.title == "t")
    }

    @Test func `a stream without a packet still ends`() {
        var writer = OggOpusWriter(
            head: OpusHead(channels: 1, preSkip: 312), tags: OpusTags(vendor: "v", comments: []), serial: 1)
        let pages = TestPage.pages(of: writer.headerPages() + writer.finish())
        #expect(pages.map(\.flags) == [2, 0, 4] && pages.map(\.sequence) == [0, 1, 2])
        #expect(folder.refusal(of: pages.bytes)?.code == .empty)
    }
}
