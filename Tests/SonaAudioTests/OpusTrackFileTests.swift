import Glibc
import Testing

@testable import SonaAudio

@Suite struct OpusTrackFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ path: String) throws -> OpusTrackFile {
        try OpusTrackFile(descriptor: Glibc.open(path, O_RDONLY | O_CLOEXEC), name: path)
    }

    /// 2.5 ms make many packets on a page, and at 512 kb/s pages end in the middle of packets.
    @Test(arguments: [
        ["--framesize", "2.5"], ["--framesize", "20"], ["--framesize", "60", "--bitrate", "512", "--hard-cbr"],
    ])
    func `blocks hold the packets of the file, whatever the pages`(options: [String]) throws {
        let path = try folder.encodeOpus("song.opus", samples: 250_001, options: options)
        let (whole, track) = (try OggOpusFile(path: path), try open(path))
        let packets = try whole.packets()
        #expect(track.packetCount == packets.count && track.samples == Int64(whole.streams[0].samples))
        #expect(track.durationSamples == 250_001 && track.head == whole.streams[0].head)
        var next = 0
        while next < track.packetCount {
            let block = try track.read(from: next, samples: 12_000)
            #expect(block.first == next && block.start == Int64(packets[next].start))
            for packet in block.packets {
                #expect(
                    Array(block.bytes[packet.bytes]) == packets[next].bytes && packet.samples == packets[next].samples)
                next += 1
            }
            let lasts = block.packets.reduce(0) { $0 + $1.samples }
            #expect(lasts >= 12_000 || next == track.packetCount)
        }
        for (number, packet) in packets.enumerated() {
            #expect(track.start(of: number) == Int64(packet.start))
            #expect(track.packet(containing: Int64(packet.start)) == number)
            #expect(track.packet(containing: Int64(packet.start + packet.samples - 1)) == number)
        }
        #expect(track.packet(containing: -1) == 0 && track.packet(containing: .max) == packets.count - 1)
    }

    @Test func `the index takes less than three bytes for a packet`() throws {
        let track = try open(try folder.encodeOpus("song.opus", samples: 48_000 * 30))
        #expect(track.indexBytes < track.packetCount * 3)
    }

    @Test func `a file that is cut while it is open is told from its end`() throws {
        let path = try folder.encodeOpus("song.opus", samples: 250_000)
        let track = try open(path)
        truncate(path, 8_000)
        #expect(throws: AudioError.self) { _ = try track.read(from: track.packetCount - 1, samples: 960) }
    }

    @Test func `a file without sound is refused`() throws {
        let path = folder.file("empty.opus")
        #expect(fopen(path, "w").map { fclose($0) } == 0)
        #expect(throws: AudioError.self) { _ = try open(path) }
    }
}
