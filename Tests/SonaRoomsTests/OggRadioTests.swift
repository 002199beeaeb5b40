import SonaAudio
import SonaWire
import Testing

@testable import SonaRooms

/// A room's packets as an Ogg Opus stream without an end.
struct OggRadioTests {
    private var radio = OggRadio(vendor: "test", serial: 7, burstMicroseconds: 1_000_000)
    private let one = OggRadio.Title(title: "One", artist: "Ada")
    private let two = OggRadio.Title(title: "Two", artist: "Bob")

    private static func info(_ epoch: UInt16, start: Int64, preSkip: Int = 312, gain: Int? = nil) -> StreamInfo {
        StreamInfo(
            epoch: epoch, channels: 2, preSkip: preSkip, startMicroseconds: start, continues: false, gain: gain)
    }

    /// A packet of 20 ms whose second byte tells it from others.
    private static func chunk(
        _ number: Int, epoch: UInt16 = 1, at time: Int64, flags: AudioFlags = [], samples: UInt32 = 960
    ) -> AudioChunk {
        AudioChunk(
            header: AudioDown(
                flags: flags, epoch: epoch, sequence: UInt32(number), playAtMicroseconds: time, samples: samples),
            packet: [0xFC, UInt8(number & 0xFF), UInt8(number >> 8)], due: time)
    }

    /// What a byte stream says, apart from silence: a head for each logical stream, then the numbers of its packets.
    private func read(_ bytes: [UInt8]) -> [(head: OpusHead, title: String?, packets: [Int], end: Int64?)] {
        var reader = OggStreamReader()
        var streams: [(head: OpusHead, title: String?, packets: [Int], end: Int64?)] = []
        var isTags = false
        for event in reader.take(bytes) {
            switch event {
            case .begin(let packet):
                guard let head = try? OpusHead(parsing: packet) else { continue }
                streams.append((head, nil, [], nil))
                isTags = true
            case .packet(let packet) where isTags:
                isTags = false
                streams[streams.count - 1].title = (try? OpusTags(parsing: packet))?.title
            case .packet(let packet):
                streams[streams.count - 1].packets.append(Int(packet[1]) | Int(packet[2]) << 8)
            case .end(let granule): streams[streams.count - 1].end = granule
            }
        }
        return streams
    }

    /// - Parameter start: When the first sounds, µs.
    private mutating func send(
        _ numbers: Range<Int>, epoch: UInt16 = 1, start: Int64, _ info: StreamInfo, _ title: OggRadio.Title
    ) -> [UInt8] {
        numbers.flatMap { number in
            let time = start + Int64(number - numbers.lowerBound) * 20_000
            return radio.take(Self.chunk(number, epoch: epoch, at: time), info, title: title).flatMap(\.bytes)
        }
    }

    @Test mutating func `a track that follows in the same epoch begins with a packet of its own, after repeated ones`()
    {
        let info = Self.info(1, start: 0)
        var bytes = send(0..<50, start: -6_500, info, one)
        bytes += send(50..<80, start: 993_500, info, two)
        bytes += radio.end().flatMap(\.bytes)
        let streams = read(bytes)
        #expect(streams.map(\.title) == ["One", "Two"])
        #expect(streams[0].packets == Array(0..<50))
        #expect(streams[1].packets == Array(46..<80), "80 ms are repeated, so that a decoder has settled")
        #expect(streams[0].head.preSkip == 312)
        #expect(streams[1].head.preSkip == 4 * 960)
        #expect(streams[0].end == Int64(48_000))
        #expect(streams[1].end == Int64(32_640))
    }

    @Test mutating func `an epoch begins a logical stream with its pre-skip and its gain`() {
        var bytes = send(0..<10, start: -6_500, Self.info(1, start: 0), one)
        let second = Self.info(2, start: 193_500, preSkip: 312, gain: -350)
        for number in 10..<20 {
            let chunk = Self.chunk(
                number, epoch: 2, at: 187_000 + Int64(number - 10) * 20_000, flags: number == 10 ? .discontinuity : [])
            bytes += radio.take(chunk, second, title: two).flatMap(\.bytes)
        }
        bytes += radio.end().flatMap(\.bytes)
        let streams = read(bytes)
        #expect(streams[1].packets == Array(10..<20), "nothing is repeated before a packet that resets the decoder")
        #expect(streams[1].head.preSkip == 312)
        #expect(streams[1].head.outputGain == -896, "−3.5 dB in units of 1/256 dB")
    }

    @Test mutating func `the last packet of an epoch is cut where its sound ends`() {
        var bytes = send(0..<5, start: 0, Self.info(1, start: 0, preSkip: 0), one)
        let last = Self.chunk(5, at: 100_000, flags: .last, samples: 400)
        bytes += radio.take(last, Self.info(1, start: 0, preSkip: 0), title: one).flatMap(\.bytes)
        bytes += radio.end().flatMap(\.bytes)
        #expect(read(bytes)[0].end == Int64(5_200))
    }

    @Test mutating func `a gap and a silent room are filled with silence, so that the stream keeps the room's time`() {
        let info = Self.info(1, start: 0, preSkip: 0)
        var bytes = send(0..<10, start: 0, info, one)
        bytes += radio.fill(to: 1_000_000, title: one).flatMap(\.bytes)
        bytes += send(10..<20, start: 1_100_000, info, one)
        bytes += radio.end().flatMap(\.bytes)
        let streams = read(bytes)
        #expect(streams.count == 1)
        #expect(streams[0].packets.count == 65, "1.3 s")
        #expect(streams[0].packets.filter { $0 == 0xFEFF }.count == 45, "0.9 s of them silent")
    }

    @Test mutating func `five packets of 20 ms go out together`() {
        let info = Self.info(1, start: 0)
        var sizes: [Int] = []
        for number in 0..<51 {
            let chunk = Self.chunk(number, at: Int64(number) * 20_000)
            sizes += radio.take(chunk, info, title: one).map(\.packets)
        }
        #expect(sizes == [0] + [Int](repeating: 5, count: 10), "headers, and ten pages")
    }

    @Test mutating func `somebody who comes in gets headers and no more than the burst`() {
        let info = Self.info(1, start: 0)
        _ = send(0..<500, start: -6_500, info, one)
        let streams = read(radio.burst)
        #expect(streams.count == 1)
        #expect(streams[0].title == "One")
        #expect(streams[0].head.preSkip == 3_840, "until its decoder has settled")
        #expect(50...55 ~= streams[0].packets.count)
        #expect(streams[0].packets.last.map { $0 >= 493 } == true)
        _ = send(500..<510, start: 9_993_500, info, two)
        let both = read(radio.burst)
        #expect(both.map(\.title) == ["One", "Two"], "a burst may hold the end of a track")
    }
}
