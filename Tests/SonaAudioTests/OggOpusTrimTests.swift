import Testing

@testable import SonaAudio

/// Where the granule position of the last page shortens the stream, and where it must not.
@Suite struct OggOpusTrimTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // Three pages of four packets of 960 samples: 11520 in all, 3840 on the last page.
    @Test(arguments: [
        (0, 12, 960), (1, 12, 959), (959, 12, 1), (960, 11, 960), (961, 11, 959), (3839, 9, 1),
        // No cut beyond the last page's own packets.
        (3840, 12, 960), (5000, 12, 960), (11_520, 12, 960),
        // A granule that is too large says nothing.
        (-1, 12, 960), (-100_000, 12, 960),
    ])
    func `the end is trimmed within the last page and nowhere else`(trim: Int64, count: Int, last: Int) throws {
        for start: Int64 in [0, 960, 123_456_789] {
            let file = try folder.open(smallStream(trim: trim, start: start))
            #expect(file.streams[0].packetCount == count, "start \(start)")
            let packets = try file.packets()
            #expect(packets.last?.samples == last, "start \(start)")
            #expect(file.streams[0].samples == (count - 1) * 960 + last)
            #expect(packets.last?.bytes == packet(count - 1))
            #expect(file.packetIndex(stream: 0, containing: .max) == count - 1)
        }
    }

    @Test func `a stream of one page is trimmed too`() throws {
        let file = try folder.open(smallStream(pages: 1, perPage: 3, trim: 1500))
        #expect(try file.packets().map(\.samples) == [960, 420])
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func `a nonsensical last granule is ignored`(granule: Int64) throws {
        var pages = smallStream()
        pages[pages.count - 1].granule = granule
        #expect(try folder.open(pages).streams[0].samples == 11_520)
        pages[pages.count - 2].granule = .max
        #expect(try folder.open(pages).streams[0].packetCount > 0)
    }

    @Test func `wrong granules on the way change nothing`() throws {
        var pages = smallStream()
        for number in 2..<4 { pages[number].granule = 17 }
        let file = try folder.open(pages)
        #expect(file.streams[0].samples == 11_520)
    }

    @Test func `a page without an end mark trims nothing`() throws {
        var pages = smallStream(trim: 500)
        pages[pages.count - 1].flags = 0
        #expect(try folder.open(pages).streams[0].samples == 11_520)
    }

    @Test func `packets after the end of a stream are not heard`() throws {
        var pages = smallStream(trim: 500)
        pages.append(TestPage(granule: 20_000, sequence: 5, packets: [packet(99)]))
        #expect(try folder.open(pages).streams[0].samples == 11_020)
    }

    @Test func `a stream shorter than its pre-skip lasts no time`() throws {
        var pages = smallStream(pages: 1, perPage: 1)
        pages[0] = headerPages(preSkip: 3840)[0]
        let file = try folder.open(pages)
        #expect(file.streams[0].samples == 960 && file.streams[0].durationSamples == 0)
    }
}
