import Glibc
import SonaAudio
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// Albums whose tracks run into each other.
@Suite struct AlbumCutTests {
    /// What is heard of a rendition, the left channel at 48 kHz.
    private func heard(_ title: String, _ shelf: MediaShelf) async throws -> [Float] {
        let bytes = try #require(try await shelf.rendition(title))
        TemporaryFolder.write(bytes, toFile: shelf.folder.file("heard.opus"))
        let file = try OggOpusFile(path: shelf.folder.file("heard.opus"))
        let decoder = try OpusDecoder(channels: 2)
        var sound: [Float] = []
        for number in 0..<file.streams[0].packetCount {
            let packet = try file.packet(stream: 0, at: number)
            sound += try decoder.decode(packet.bytes).prefix(packet.samples * 2)
        }
        sound.removeFirst(2 * file.streams[0].head.preSkip)
        return stride(from: 0, to: sound.count, by: 2).map { sound[$0] }
    }

    /// The largest error of a sine of a quarter of full scale within 10 ms of the cut, and far from it, dBFS.
    private func errors(_ shelf: MediaShelf, pitch: Double) async throws -> (atCut: Double, elsewhere: Double) {
        let (one, two) = (try await heard("one.flac", shelf), try await heard("two.flac", shelf))
        #expect(one.count == 144_000 && two.count == 144_000)
        let both = one + two
        func worst(_ range: Range<Int>) throws -> Double {
            let errors = range.map { abs(Double(both[$0]) - 0.25 * sin(2 * .pi * pitch * Double($0) / 48_000)) }
            return 20 * log10(try #require(errors.max()))
        }
        return (try worst(143_520..<144_480), try worst(48_000..<96_000))
    }

    private func shelf(rate: Int, isAlbum: Bool) async throws -> MediaShelf {
        let shelf = try await MediaShelf()
        func tags(_ place: Int) -> String { isAlbum ? "-metadata album=Sine -metadata track=\(place)" : "" }
        try shelf.make("one.flac", seconds: 3, pitch: 441, rate: rate, "-af volume=2.5 " + tags(1))
        try shelf.make("two.flac", seconds: 3, pitch: 441, start: 3, rate: rate, "-af volume=2.5 " + tags(2))
        try await shelf.scan()
        return shelf
    }

    @Test(arguments: [44_100, 48_000, 96_000])
    func `a sine over two tracks of an album has an error below −50 dBFS at the cut`(rate: Int) async throws {
        let shelf = try await shelf(rate: rate, isAlbum: true)
        let found = try await errors(shelf, pitch: 441)
        // What Opus itself changes of a sine is no less than that.
        #expect(found.atCut < -50 && found.atCut < found.elsewhere + 1, "\(found) dBFS")
        await shelf.close()
    }

    @Test func `tracks that are no neighbours are made without each other`() async throws {
        let shelf = try await shelf(rate: 48_000, isAlbum: false)
        let found = try await errors(shelf, pitch: 441)
        #expect(found.atCut > -46, "\(found) dBFS")
        await shelf.close()
    }

    @Test func `a track that gets a neighbour is made again`() async throws {
        let shelf = try await shelf(rate: 48_000, isAlbum: true)
        let alone = try await heard("two.flac", shelf)
        try shelf.make(
            "three.flac", seconds: 1, pitch: 441, start: 6, rate: 48_000, "-metadata album=Sine -metadata track=3")
        try await shelf.scan()
        let again = try await heard("two.flac", shelf)
        #expect(alone.count == again.count && alone != again)
        await shelf.library.media.tidy()
        #expect(shelf.library.media.renditionFigures.count == 1, "the older one is not kept")
        await shelf.close()
    }
}
