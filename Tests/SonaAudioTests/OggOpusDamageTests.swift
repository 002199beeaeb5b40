import Glibc
import SonaTestSupport
import Testing

@testable import SonaAudio

/// Files that are not what they should be, and the sentence with which each is refused.
@Suite struct OggOpusDamageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func refusal(opening path: String) -> AudioError? {
        #expect(throws: AudioError.self) { try OggOpusFile(path: path) }
    }

    @Test func `a path that is not a file is refused with the system's errno`() throws {
        let missing = refusal(opening: folder.file("missing.opus"))
        #expect(missing?.code == .io(errno: ENOENT))
        #expect(missing?.description == "Cannot open \(folder.file("missing.opus")): No such file or directory.")
        #expect(refusal(opening: folder.path)?.code == .io(errno: EISDIR))
        #expect(refusal(opening: "")?.code == .io(errno: ENOENT))
    }

    @Test func `a file that may not be read is refused by the system's number`() throws {
        let path = try folder.write(smallStream().bytes, to: "secret.opus")
        chmod(folder.path, 0o755)
        chmod(path, 0)
        // The superuser may read everything.
        let error = try UnprivilegedThread.run { refusal(opening: path) }
        #expect(error?.code == .io(errno: EACCES))
        chmod(path, 0o644)
        #expect(try UnprivilegedThread.run { try OggOpusFile(path: path).streams.count } == 1)
    }

    @Test func `devices and pipes are refused without waiting for them`() throws {
        #expect(refusal(opening: "/dev/null")?.code == .empty)
        #expect(refusal(opening: "/dev/zero")?.code == .unsupported)
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(refusal(opening: pipe)?.code == .empty)
    }

    @Test func `an empty file is empty`() {
        #expect(folder.refusal(of: [])?.code == .empty)
    }

    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10, 0x4A, 0x46], "JPEG"), ([0x89, 0x50, 0x4E, 0x47], "PNG"),
            (Array("ID3\u{4}".utf8), "MP3"), (Array("fLaC".utf8), "FLAC"), (Array("RIFF\0\0\0\0WAVEfmt ".utf8), "WAV"),
            (Array("\0\0\0\u{20}ftypM4A ".utf8), "M4A"), ([0x1A, 0x45, 0xDF, 0xA3], "WebM"),
        ] as [([UInt8], String)])
    func `a file of another kind is recognized by its first bytes`(magic: [UInt8], name: String) {
        let error = folder.refusal(of: magic + [UInt8](repeating: 9, count: 1000))
        #expect(error?.code == .notOgg)
        #expect(error?.description.contains(name) == true)
    }

    @Test func `text and zeros are not Ogg`() {
        #expect(folder.refusal(of: Array("Hello\n".utf8))?.code == .notOgg)
        #expect(folder.refusal(of: [UInt8](repeating: 0, count: 300_000))?.code == .notOgg)
        #expect(folder.refusal(of: [0x4F])?.code == .empty)
    }

    @Test func `a Vorbis file is refused by name, whole, cut off or damaged`() throws {
        let vorbis = try folder.encodeVorbis("song.ogg")
        let error = refusal(opening: folder.file("song.ogg"))
        #expect(error?.code == .notOpus(found: "Vorbis"))
        #expect(error?.description == "\(folder.file("song.ogg")) holds Vorbis, not Opus; convert it first.")
        #expect(folder.refusal(of: Array(vorbis[..<5000]))?.code == .notOpus(found: "Vorbis"))
        var damaged = vorbis
        damaged[6000] ^= 1
        #expect(folder.refusal(of: damaged)?.code == .notOpus(found: "Vorbis"))
    }

    @Test(arguments: [
        ("\u{7F}FLAC\u{1}", "FLAC"), ("Speex   1.2", "Speex"), ("OVP80\u{1}", "VP8"),
        ("nothing known", "an unknown codec"),
    ])
    func `other codecs in Ogg are told by their first packet`(magic: String, name: String) {
        let pages = [TestPage(flags: 2, granule: 0, sequence: 0, packets: [Array(magic.utf8)])]
        #expect(folder.refusal(of: pages.bytes)?.code == .notOpus(found: name))
    }

    @Test func `a film is refused by all it holds, but not by its index`() {
        let firsts: [[UInt8]] = [Array("fishead\0".utf8), [0x80] + "theora".utf8, Array("\u{1}vorbis".utf8)]
        let pages = firsts.enumerated().map {
            TestPage(flags: 2, granule: 0, serial: UInt32($0), sequence: 0, packets: [$1])
        }
        #expect(folder.refusal(of: pages.bytes)?.code == .notOpus(found: "Theora and Vorbis"))
    }

    @Test func `a stream whose start is missing is refused`() {
        #expect(folder.refusal(of: Array(smallStream()[2...]).bytes)?.code == .badHeader)
    }

    @Test func `headers without sound are empty`() {
        #expect(folder.refusal(of: headerPages().bytes)?.code == .empty)
        #expect(folder.refusal(of: [headerPages()[0]].bytes)?.code == .empty)
    }

    // Goal: a cut anywhere plays what is whole. Way: every length of a file of five pages.
    @Test func `a file cut off anywhere plays its complete packets`() throws {
        let pages = smallStream(trim: 100)
        let bytes = pages.bytes
        var borders: Set<Int> = []
        var at = 0
        for page in pages {
            at += page.bytes.count
            borders.insert(at)
        }
        let all = try folder.open(bytes).packets()
        let firstAudio = pages[0].bytes.count + pages[1].bytes.count + pages[2].bytes.count
        for length in 0..<bytes.count {
            let cut = Array(bytes[..<length])
            guard length >= firstAudio else {
                #expect(folder.refusal(of: cut)?.code == .empty, "length \(length)")
                continue
            }
            let file = try folder.open(cut)
            #expect(file.isTruncated == !borders.contains(length), "length \(length)")
            let packets = try file.packets()
            #expect(packets.count.isMultiple(of: 4) && packets == Array(all[..<packets.count]))
        }
    }

    @Test func `a packet that is begun and never ended is dropped`() throws {
        var pages = smallStream()
        pages[4].lacing.append(255)
        pages[4].body += [UInt8](repeating: 1, count: 255)
        let file = try folder.open(pages)
        #expect(file.isTruncated && file.streams[0].packetCount == 12)
    }

    // Goal: no flipped bit reaches the ear. Way: each byte of a small file in turn.
    @Test func `a flipped byte anywhere is noticed`() throws {
        let bytes = smallStream().bytes
        let whole = try folder.open(bytes).packets()
        for at in bytes.indices {
            var damaged = bytes
            damaged[at] ^= 0x10
            do throws(AudioError) {
                let file = try OggOpusFile(path: folder.file("flipped.opus", damaged))
                // A larger page at the end of the file looks cut off, but the output is still correct.
                let packets = (try? file.packets()) ?? []
                #expect(file.isTruncated && packets == Array(whole[..<packets.count]), "byte \(at)")
            } catch {
                let expected: [AudioError.Code] = [.badChecksum, .badHeader, .notOgg, .empty]
                #expect(expected.contains(error.code), "byte \(at): \(error)")
            }
        }
    }

    @Test func `a wrong checksum names the page's place in the file`() throws {
        var bytes = smallStream().bytes
        let page = smallStream()[..<3].reduce(0) { $0 + $1.bytes.count }
        bytes[page + 100] ^= 1
        let error = folder.refusal(of: bytes)
        #expect(error?.code == .badChecksum)
        #expect(error?.description.contains("at byte \(page) ") == true)
    }

    @Test func `bytes between pages are refused by their place`() throws {
        let pages = smallStream()
        let place = pages[..<3].reduce(0) { $0 + $1.bytes.count }
        for garbage in [[1], Array("Ogg".utf8), [0, 0, 0, 0], [UInt8](repeating: 7, count: 300_000)] as [[UInt8]] {
            let error = folder.refusal(of: Array(pages[..<3]).bytes + garbage + Array(pages[3...]).bytes)
            #expect(error?.code == .badHeader)
            #expect(error?.description.contains("\(place) ") == true)
        }
    }

    @Test func `a page of a later version is refused`() {
        var bytes = smallStream().bytes
        bytes[4] = 1
        #expect(folder.refusal(of: bytes)?.code == .badHeader)
    }

    @Test func `zeros and an ID3v1 tag at the end do not count as damage`() throws {
        let bytes = smallStream().bytes
        let reserved = try folder.open(bytes + [UInt8](repeating: 0, count: 600_000))
        #expect(reserved.isTruncated && reserved.streams[0].packetCount == 12)
        let tagged = try folder.open(bytes + "TAG".utf8 + [UInt8](repeating: 32, count: 125))
        #expect(!tagged.isTruncated && tagged.streams[0].packetCount == 12)
        #expect(folder.refusal(of: bytes + "TAG".utf8 + [UInt8](repeating: 32, count: 126))?.code == .badHeader)
    }

    @Test func `a missing page costs its packets and nothing more`() throws {
        var pages = smallStream(pages: 4)
        pages.remove(at: 3)
        let file = try folder.open(pages)
        #expect(file.streams[0].missingPages == 1)
        #expect(try file.packets().map(\.bytes) == [0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15].map { packet($0) })
    }

    @Test func `no packet is glued over a missing page`() throws {
        let long = packet(5, size: 700)
        let head = TestPage(granule: 960, sequence: 2, lacing: [40, 255], body: packet(1) + long[..<255])
        let middle = TestPage(flags: 1, granule: -1, sequence: 3, lacing: [255], body: Array(long[255..<510]))
        let tail = TestPage(
            flags: 5, granule: 2880, sequence: 4, lacing: [190, 40], body: Array(long[510...]) + packet(2))
        #expect(
            try folder.open(headerPages() + [head, middle, tail]).packets().map(\.bytes) == [
                packet(1), long, packet(2),
            ])
        #expect(try folder.open(headerPages() + [head, tail]).packets().map(\.bytes) == [packet(1), packet(2)])
        #expect(try folder.open(headerPages() + [head, middle]).packets().map(\.bytes) == [packet(1)])
        #expect(try folder.open(headerPages() + [middle, tail]).packets().map(\.bytes) == [packet(2)])

        // The numbers run on, but the next page does not continue, or continues nothing.
        let fresh = TestPage(flags: 4, granule: 2880, sequence: 4, packets: [packet(2)])
        let broken = try folder.open(headerPages() + [head, middle, fresh])
        #expect(try broken.packets().map(\.bytes) == [packet(1), packet(2)])
        #expect(broken.streams[0].missingPages == 0)
        let stray = TestPage(
            flags: 5, granule: 960, sequence: 2, lacing: [190, 40], body: Array(long[510...]) + packet(2))
        #expect(try folder.open(headerPages() + [stray]).packets().map(\.bytes) == [packet(2)])
    }

    @Test func `tags with a hole do not cost the sound`() throws {
        var writer = OggOpusWriter(
            head: OpusHead(channels: 2, preSkip: 312),
            tags: OpusTags(vendor: "v", comments: ["TITLE=x", "LONG=" + String(repeating: "a", count: 150_000)]),
            serial: 1)
        var bytes = writer.headerPages()
        bytes += try writer.write(packet: packet(8), samples: 960, flush: false)
        bytes += writer.finish()
        var pages = TestPage.pages(of: bytes)
        #expect(pages.count == 5)
        pages.remove(at: 2)
        let file = try folder.open(pages)
        #expect(file.streams[0].tags.comments.isEmpty && file.streams[0].missingPages == 1)
        #expect(try file.packets().map(\.bytes) == [packet(8)])
    }

    @Test func `headers that break their format are refused by their place`() {
        var pages = smallStream()
        pages[1] = TestPage(granule: 0, sequence: 1, packets: [Array("OpusTugs".utf8)])
        #expect(folder.refusal(of: pages.bytes)?.code == .badHeader)
        pages = smallStream()
        pages[0] = TestPage(
            flags: 2, granule: 0, sequence: 0, packets: [OpusHead(channels: 2, preSkip: 0).encoded(), [1]])
        #expect(folder.refusal(of: pages.bytes)?.code == .badHeader)
        pages[0] = TestPage(flags: 2, granule: 0, sequence: 0, packets: [Array("OpusHead".utf8)])
        #expect(folder.refusal(of: pages.bytes)?.code == .badHeader)
        var surround = OpusHead(channels: 6, preSkip: 0)
        surround.mappingFamily = 1
        pages[0] = TestPage(flags: 2, granule: 0, sequence: 0, packets: [surround.encoded()])
        #expect(folder.refusal(of: pages.bytes)?.code == .unsupported)
    }

    @Test func `a malformed packet is refused by its place`() {
        var pages = smallStream()
        let place = pages[0].bytes.count + pages[1].bytes.count + 27 + 4 + 40
        pages[2].body[40] = 0xFF
        pages[2].body[41] = 0
        let error = folder.refusal(of: pages.bytes)
        #expect(error?.code == .badPacket)
        #expect(error?.description.contains("at byte \(place):") == true)
    }

    @Test func `a packet without an end is refused before it fills memory`() {
        let pages =
            headerPages()
            + (0..<4).map {
                TestPage(
                    flags: $0 == 0 ? 0 : 1, granule: -1, sequence: UInt32($0 + 2),
                    lacing: .init(repeating: 255, count: 255),
                    body: .init(repeating: 0xFC, count: 65_025))
            }
        #expect(folder.refusal(of: pages.bytes)?.code == .badPacket)
    }

    @Test func `a hundred thousand pages of one byte are read in passing`() throws {
        let pages =
            headerPages()
            + (0..<100_000).map {
                TestPage(granule: Int64($0 + 1) * 960, sequence: UInt32($0 + 2), lacing: [1], body: [0xFC])
            }
        let file = try folder.open(pages)
        #expect(file.streams[0].packetCount == 100_000 && file.streams[0].samples == 96_000_000)
        #expect(try file.packet(stream: 0, at: 99_999).bytes == [0xFC])
    }

    @Test func `more streams than anyone chains are refused`() throws {
        let stream = smallStream(pages: 1, perPage: 1).bytes
        let most = [[UInt8]](repeating: stream, count: OggOpusScanner.streamsMax).flatMap { $0 }
        #expect(try folder.open(most).streams.count == OggOpusScanner.streamsMax)
        #expect(folder.refusal(of: most + stream)?.code == .unsupported)
    }
}

extension TemporaryFolder {
    /// Writes a file and gives its path; a failure to write shows as a missing file.
    fileprivate func file(_ name: String, _ bytes: [UInt8]) -> String {
        (try? write(bytes, to: name)) ?? file(name)
    }
}
