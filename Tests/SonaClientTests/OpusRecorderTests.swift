import SonaAudio
import SonaClient
import SonaWire
import Testing

/// The stream of a server: packets of 20 ms in epochs, numbered through.
private struct Sender {
    var sequence: UInt32 = 0
    var epoch: UInt16 = 1
    /// Server time of the next packet's first sample, µs.
    var playAt: Int64 = 10_000_000

    mutating func packet(_ bytes: [UInt8], flags: AudioFlags = [], samples: UInt32 = 960) -> AudioPacket {
        defer {
            sequence &+= 1
            playAt += Int64(samples) * 125 / 6
        }
        return AudioPacket(
            header: AudioDown(
                flags: flags, epoch: epoch, sequence: sequence, playAtMicroseconds: playAt, samples: samples),
            bytes: bytes, receivedAtMicroseconds: 0)
    }

    /// The epoch about to be sent; a new one has the pre-skip that libopus asks for, 312 samples or 6500 µs.
    func stream(channels: Int = 2, start: Int64? = nil, continues: Bool = false) -> StreamInfo {
        let start = start ?? (continues ? playAt : playAt + 6_500)
        return StreamInfo(
            epoch: epoch, channels: channels, preSkip: max(0, Int((start - playAt) * 6 / 125)),
            startMicroseconds: start,
            continues: continues)
    }
}

@Suite struct OpusRecorderTests {
    private let workshop: Workshop
    private let packets: [[UInt8]]

    init() throws {
        workshop = try Workshop()
        packets = try Workshop.packets(60)
    }

    /// Writes what was recorded to a file, has opusinfo look at it, and opens it.
    ///
    /// - Parameter warning: The one thing opusinfo may find strange.
    private func check(_ bytes: [UInt8], warning: String? = nil) throws -> OggOpusFile {
        let path = try workshop.write(bytes, to: "recorded.opus")
        let info = try workshop.opusinfo("recorded.opus")
        let complaints = info.split(separator: "\n").filter {
            ($0.contains("WARNING") || $0.contains("ERROR")) && !(warning.map($0.contains) ?? false)
        }
        #expect(complaints.isEmpty && info.contains("Opus stream 1"), "\(info)")
        return try OggOpusFile(path: path)
    }

    @Test func `a listener from the start has the file as it was hosted`() throws {
        var sender = Sender()
        var recorder = OpusRecorder(serial: 7)
        recorder.announce(sender.stream(), track: Track(title: "Blue", artist: "Ada"))
        var bytes: [UInt8] = []
        for index in 0..<50 {
            let isLast = index == 49
            let flags: AudioFlags = index == 0 ? .discontinuity : isLast ? .last : []
            bytes += try recorder.take(sender.packet(packets[index], flags: flags, samples: isLast ? 500 : 960))
        }
        bytes += recorder.finish()
        let file = try check(bytes)
        #expect(file.streams.count == 1)
        #expect(file.streams[0].head.preSkip == 312)
        #expect(file.streams[0].head.channels == 2)
        #expect(file.streams[0].samples == 49 * 960 + 500)
        #expect(file.streams[0].tags.title == "Blue")
        #expect(file.streams[0].tags.artist == "Ada")
        #expect(try file.packet(stream: 0, at: 20).bytes == packets[20])
        #expect(recorder.firstSampleMicroseconds == 10_006_500)
    }

    @Test func `a late listener skips the pre-roll`() throws {
        var sender = Sender(sequence: 4_000, playAt: 99_000_000)
        var recorder = OpusRecorder()
        recorder.announce(sender.stream(start: 10_006_500), track: nil)
        var bytes: [UInt8] = []
        for index in 0..<8 {
            bytes += try recorder.take(
                sender.packet(packets[index], flags: index == 0 ? [.preroll, .discontinuity] : .preroll))
            #expect(bytes.isEmpty)
        }
        for index in 8..<30 { bytes += try recorder.take(sender.packet(packets[index])) }
        bytes += recorder.finish()
        let file = try check(bytes)
        #expect(file.streams[0].head.preSkip == 8 * 960)
        #expect(file.streams[0].durationSamples == 22 * 960)
        #expect(recorder.firstSampleMicroseconds == 99_160_000)
    }

    /// A seek: the host's own pre-roll and part of a packet lie before the epoch's start.
    @Test func `an epoch that does not continue is chained with its own pre-skip`() throws {
        var sender = Sender()
        var recorder = OpusRecorder(serial: 1)
        recorder.announce(sender.stream(), track: Track(title: "One"))
        var bytes: [UInt8] = []
        for index in 0..<10 { bytes += try recorder.take(sender.packet(packets[index])) }
        sender.epoch = 2
        let start = sender.playAt
        sender.playAt = start - 8 * 20_000 - 10_000
        recorder.announce(sender.stream(start: start), track: Track(title: "Two"))
        for index in 20..<40 {
            bytes += try recorder.take(sender.packet(packets[index], flags: index == 20 ? .discontinuity : []))
        }
        bytes += recorder.finish()
        let file = try check(bytes)
        #expect(file.streams.count == 2)
        #expect(file.streams[0].samples == 9_600)
        #expect(file.streams[1].head.preSkip == 8 * 960 + 480)
        #expect(file.streams[1].samples == 20 * 960)
        #expect(file.streams.map(\.tags.title) == ["One", "Two"])
        #expect(recorder.streamCount == 2)
        #expect(recorder.firstSampleMicroseconds == 10_006_500)
    }

    @Test func `an epoch that continues goes on in the same stream`() throws {
        var sender = Sender()
        var recorder = OpusRecorder()
        recorder.announce(sender.stream(), track: nil)
        var bytes: [UInt8] = []
        for index in 0..<10 { bytes += try recorder.take(sender.packet(packets[index])) }
        sender.epoch = 2
        sender.playAt += 3_000_000
        recorder.announce(sender.stream(continues: true), track: nil)
        for index in 10..<20 { bytes += try recorder.take(sender.packet(packets[index])) }
        bytes += recorder.finish()
        let file = try check(bytes)
        #expect(file.streams.count == 1)
        #expect(file.streams[0].samples == 20 * 960)
    }

    @Test func `other channels begin a chained stream even if the epoch continues`() throws {
        var sender = Sender()
        var recorder = OpusRecorder()
        recorder.announce(sender.stream(), track: nil)
        var bytes = try recorder.take(sender.packet(packets[0]))
        sender.epoch = 2
        recorder.announce(sender.stream(channels: 1, continues: true), track: nil)
        for packet in try Workshop.packets(3, channels: 1) { bytes += try recorder.take(sender.packet(packet)) }
        bytes += recorder.finish()
        // The encoder of the second stream was never new, so there is nothing to skip.
        let file = try check(bytes, warning: "Implausibly low preskip")
        #expect(file.streams.map(\.head.channels) == [2, 1])
    }

    @Test func `the trim of an epoch's end is kept where a stream ends`() throws {
        var sender = Sender()
        var recorder = OpusRecorder()
        recorder.announce(sender.stream(), track: nil)
        var bytes = try recorder.take(sender.packet(packets[0]))
        bytes += try recorder.take(sender.packet(packets[1], flags: .last, samples: 100))
        sender.epoch = 2
        recorder.announce(sender.stream(), track: nil)
        bytes += try recorder.take(sender.packet(packets[2], flags: .discontinuity))
        bytes += recorder.finish()
        let file = try check(bytes)
        #expect(file.streams.map(\.samples) == [1_060, 960])
    }

    /// A killed process leaves a playable file with everything but the last packet.
    @Test func `the file can be played at any moment`() throws {
        var sender = Sender()
        var recorder = OpusRecorder()
        recorder.announce(sender.stream(), track: nil)
        var bytes: [UInt8] = []
        for index in 0..<25 { bytes += try recorder.take(sender.packet(packets[index])) }
        let file = try check(bytes, warning: "EOS not set")
        #expect(file.streams[0].samples == 24 * 960)
    }

    @Test func `packets of an unannounced epoch are kept, too`() throws {
        var sender = Sender()
        var recorder = OpusRecorder()
        var bytes: [UInt8] = []
        for index in 0..<5 { bytes += try recorder.take(sender.packet(packets[index])) }
        bytes += recorder.finish()
        let file = try check(bytes, warning: "Implausibly low preskip")
        #expect(file.streams[0].samples == 5 * 960)
        #expect(file.streams[0].head.channels == 2)
    }

    @Test func `a recording without audible sound is empty`() throws {
        var sender = Sender()
        var recorder = OpusRecorder()
        recorder.announce(sender.stream(start: sender.playAt + 60_000_000), track: nil)
        var bytes: [UInt8] = []
        // More than a head could skip: the oldest are forgotten.
        for index in 0..<200 { bytes += try recorder.take(sender.packet(packets[index % 60])) }
        bytes += recorder.finish()
        #expect(bytes.isEmpty)
        #expect(recorder.firstSampleMicroseconds == nil)
    }

    @Test func `a packet that is not Opus is refused`() {
        var sender = Sender()
        var recorder = OpusRecorder()
        recorder.announce(sender.stream(), track: nil)
        #expect(throws: AudioError.self) { try recorder.take(sender.packet([0xFF, 0xFF])) }
        #expect(throws: AudioError.self) { try recorder.take(sender.packet(packets[0], samples: 961)) }
    }

    @Test(arguments: [Int64.min, .max, 0]) func `extreme times do not trap`(time: Int64) throws {
        var recorder = OpusRecorder()
        for start in [Int64.min, .max, 0] {
            let stream = StreamInfo(epoch: 1, channels: 2, preSkip: 0, startMicroseconds: start, continues: false)
            recorder.announce(stream, track: nil)
            let header = AudioDown(epoch: 1, sequence: 0, playAtMicroseconds: time, samples: 960)
            _ = try recorder.take(AudioPacket(header: header, bytes: packets[0], receivedAtMicroseconds: 0))
        }
    }
}

@Suite struct SequenceTallyTests {
    private func header(_ sequence: UInt32, _ flags: AudioFlags = []) -> AudioDown {
        AudioDown(flags: flags, epoch: 1, sequence: sequence, playAtMicroseconds: 0, samples: 960)
    }

    @Test func `gaps and duplicates are counted, pre-roll apart`() {
        var tally = SequenceTally()
        let numbers: [UInt32] = [10, 11, 11, 14, 12, 15]
        let taken = numbers.map { tally.take(header($0, $0 == 10 ? .preroll : [])) }
        #expect(taken == [true, true, false, true, false, true])
        #expect(tally.packets == 3)
        #expect(tally.preroll == 1)
        #expect(tally.lost == 2)
        #expect(tally.duplicates == 2)
    }

    @Test func `numbers wrap`() {
        var tally = SequenceTally()
        let taken = [UInt32.max - 1, .max, 0, 1, .max].map { tally.take(header($0)) }
        #expect(taken == [true, true, true, true, false])
        #expect(tally.lost == 0)
    }
}
