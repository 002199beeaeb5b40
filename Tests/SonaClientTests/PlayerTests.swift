import Glibc
import SonaAudio
import SonaBase
import SonaClient
import SonaEventLoop
import Testing

@Suite struct DevicePacingTests {
    @Test func `the device asks for a block when its buffer has room for one`() {
        var pacing = DevicePacing(start: 1_000)
        for _ in 0..<5 {
            #expect(pacing.wantsBlock(at: 1_000))
            pacing.wrote(480)
        }
        #expect(!pacing.wantsBlock(at: 1_000))
        #expect(pacing.nextBlock == 11_000)
        #expect(pacing.wantsBlock(at: 11_000))
        #expect(pacing.time(ofFrame: 48_000) == 1_001_000)
    }

    @Test func `sound that was not there in time is missed, and the device goes on`() {
        var pacing = DevicePacing(start: 0)
        for _ in 0..<5 { pacing.wrote(480) }
        let none = pacing.missed(at: 50_000)
        #expect(none == 0)
        let missed = pacing.missed(at: 3_050_000)
        #expect(missed == 144_000 && pacing.written == 146_400)
        let again = pacing.missed(at: 3_050_000)
        #expect(again == 0)
    }
}

/// The player on its thread, with real time.
@Suite(.serialized) struct PlayerTests {
    private func tone(at time: Int64, frames: Int) -> SoundPiece {
        SoundPiece(
            time: time, samples: (0..<2 * frames).map { Float(sin(Double($0 / 2) * 0.05)) * 0.5 }, isBeginning: true)
    }

    private func u32(_ bytes: [UInt8], _ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    @Test func `a recording begins with the first sound and says when that was`() throws {
        let workshop = try Workshop()
        let file = workshop.file("heard.wav")
        let player = Player(
            clock: .machine, recording: WAVRecording(try RecordingFile(path: file)), estimate: { ClockFilter() })
        player.start()
        let time = MonotonicClock.nowMicroseconds() + 300_000
        player.insert(tone(at: time, frames: 9_600))
        usleep(100_000)
        #expect(try workshop.read("heard.wav").isEmpty, "nothing has sounded")
        usleep(500_000)
        try player.stop()
        let first = try #require(player.statistics.first)
        #expect(abs(first.server - time) <= 21 && first.local == first.server, "\(first.server - time)")
        let bytes = try workshop.read("heard.wav")
        #expect(u32(bytes, 4) == bytes.count - 8)
        let text = String(decoding: bytes[72..<140], as: UTF8.self)
        #expect(text.contains("first_sample_server_us=\(first.server)"))
        #expect(player.statistics.resyncs == 0)
        #expect(try #require(player.statistics.errors.max) < 30)
        // Some half second, in whole frames.
        #expect(bytes.count > 48_000 && bytes.count < 200_000)
    }

    @Test func `a file that grows can be played at any time`() throws {
        let workshop = try Workshop()
        let recording = WAVRecording(try RecordingFile(path: workshop.file("grows.wav")))
        for _ in 0..<30 {
            try recording.append([Float](repeating: 0.1, count: 9_600), firstSample: -5)
            let bytes = try workshop.read("grows.wav")
            // What the header says is there, and less than a second more.
            let told = u32(bytes, 4) + 8
            #expect(told <= bytes.count && bytes.count - told <= 96_000 + 19_200)
        }
        try recording.finish()
        let bytes = try workshop.read("grows.wav")
        #expect(u32(bytes, 4) + 8 == bytes.count)
    }

    /// The clock goes forward by half a second; the device does not. Until somebody has estimated it anew the sound goes on
    /// undisturbed, and after that as well.
    @Test func `a clock that is set is noticed, and nothing is heard of it`() throws {
        let start = MonotonicClock.nowMicroseconds()
        let clock = LocalClock(
            offsetMicroseconds: 0, ppm: 0, step: .init(microseconds: 500_000, atMonotonic: start + 300_000))
        let estimate = Estimate()
        let player = Player(
            clock: clock, estimate: { estimate.filter }, whenClockIsSet: { estimate.note(at: clock.now()) })
        player.start()
        player.insert(tone(at: start + 50_000, frames: 48_000))
        usleep(900_000)
        try player.stop()
        #expect(estimate.calls == 1)
        let figures = player.statistics
        #expect(figures.clockSteps == 1 && figures.resyncs == 0)
        #expect(try #require(figures.errors.max) < 200)
    }

    /// A filter that was made when the clock was right, and is made anew when it is told that it is not.
    private final class Estimate: @unchecked Sendable {
        // Safe to share: used by the player's thread until that has ended, then by the test.
        var filter = ClockFilter()
        var calls = 0

        init() { filter.add(sample(at: MonotonicClock.nowMicroseconds(), offset: 0)) }

        func note(at local: Int64) {
            calls += 1
            filter.restart(with: sample(at: local, offset: -500_000))
        }

        private func sample(at local: Int64, offset: Int64) -> ClockFilter.Sample {
            .init(clientSend: local, serverReceive: local + offset, serverSend: local + offset, clientReceive: local)
        }
    }
}
