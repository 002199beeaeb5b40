import SonaAudio
import SonaBase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaClient

@Suite struct PacingTests {
    @Test func `a packet leaves one lead before it sounds`() {
        let pacing = Pacing(startMicroseconds: 10_000_000, leadMicroseconds: 600_000, preSkip: 312)
        #expect(pacing.sounds(sample: 312) == 10_000_000)
        // 312 samples are 6.5 ms.
        #expect(pacing.sounds(sample: 0) == 9_993_500)
        #expect(pacing.due(sample: 0) == 9_393_500)
        #expect(pacing.sounds(sample: 312 + 48_000) == 11_000_000)
    }

    @Test func `an hour of packets accumulates no error`() {
        let pacing = Pacing(startMicroseconds: 0, leadMicroseconds: 0, preSkip: 312)
        #expect(pacing.sounds(sample: 3_600 * 48_000 + 312) == 3_600_000_000)
        #expect(pacing.sounds(sample: 313) == 20)
        #expect(pacing.sounds(sample: 311) == -21)
    }

    @Test func `due packets leave, and none much earlier`() {
        let pacing = Pacing(startMicroseconds: 1_000_000, leadMicroseconds: 600_000, preSkip: 0)
        #expect(pacing.isDue(sample: 960, now: 420_000))
        #expect(!pacing.isDue(sample: 960, now: 370_000))
        // All that should have left meanwhile leaves together.
        let due = (0..<100).filter { pacing.isDue(sample: $0 * 960, now: 1_000_000) }
        #expect(due.count == 31)
    }

    @Test func `only packets that would be audible count as lost`() {
        let pacing = Pacing(startMicroseconds: 1_000_000, leadMicroseconds: 600_000, preSkip: 960)
        #expect(!pacing.isLost(sample: 0, now: 5_000_000))
        #expect(pacing.isLost(sample: 960, now: 980_000))
        #expect(!pacing.isLost(sample: 960, now: 979_999))
    }
}

@Suite struct EpochPlanTests {
    private let workshop: Workshop
    private let playlist: FileList

    init() throws {
        workshop = try Workshop()
        // Two streams: 2 s less 400 samples with the usual pre-skip, and 0.4 s with a pre-skip of three packets.
        let path = try workshop.song("song.opus", streams: [(100, 312, 400), (20, 2_000, 0)])
        playlist = try FileList(paths: [path], isLoop: false)
    }

    @Test func `each stream of a file is an item with its own track`() throws {
        #expect(playlist.items.count == 2)
        #expect(playlist.items[0].track.title == "Song 0")
        #expect(playlist.items[1].track.title == "Song 1")
        #expect(playlist.items[0].durationSamples == 96_000 - 400 - 312)
        #expect(playlist.items[0].track.durationMicroseconds == Int64(96_000 - 400 - 312) * 125 / 6)
        #expect(playlist.index(after: 0) == 1)
        #expect(playlist.index(after: 1) == nil)
        let looping = try FileList(paths: [workshop.file("song.opus")], isLoop: true)
        #expect(looping.index(after: 1) == 0)
    }

    @Test func `the beginning has the file's own pre-skip`() {
        let plan = EpochPlan.beginning(0, of: playlist)
        #expect(
            plan
                == EpochPlan(
                    item: 0, firstPacket: 0, baseSample: 0, preSkip: 312, positionMicroseconds: 0, continues: false))
    }

    @Test func `after a pause the next packet comes first and nothing is skipped`() throws {
        let plan = try EpochPlan.goingOn(0, packet: 10, of: playlist)
        #expect(
            plan
                == EpochPlan(
                    item: 0, firstPacket: 10, baseSample: 9_600, preSkip: 0,
                    positionMicroseconds: (9_600 - 312) * 125 / 6, continues: true))
        // Inside of the pre-skip the rest of it is still to be skipped.
        let early = try EpochPlan.goingOn(1, packet: 1, of: playlist)
        #expect(early.preSkip == 1_040)
        #expect(early.positionMicroseconds == 0)
    }

    @Test func `a seek begins eight packets earlier`() throws {
        let plan = try #require(try EpochPlan.seeking(0, to: 1_000_000, of: playlist))
        // 48 312 lies in packet 50.
        #expect(plan.firstPacket == 42)
        #expect(plan.baseSample == 42 * 960)
        #expect(plan.preSkip == 48_312 - 42 * 960)
        #expect(plan.positionMicroseconds == 1_000_000)
        #expect(!plan.continues)
    }

    @Test func `a seek to near the beginning begins there, pre-skip included`() throws {
        let plan = try #require(try EpochPlan.seeking(0, to: 100_000, of: playlist))
        #expect(plan.firstPacket == 0)
        #expect(plan.preSkip == 4_800 + 312)
        let start = try #require(try EpochPlan.seeking(0, to: 0, of: playlist))
        #expect(start.preSkip == 312)
    }

    @Test func `a seek to the end or beyond has no plan`() throws {
        let end = microseconds(samples: playlist.items[0].durationSamples)
        #expect(try EpochPlan.seeking(0, to: end - 1, of: playlist) != nil)
        #expect(try EpochPlan.seeking(0, to: end, of: playlist) == nil)
        #expect(try EpochPlan.seeking(0, to: .max, of: playlist) == nil)
        #expect(try EpochPlan.seeking(0, to: -1, of: playlist) == nil)
    }

    @Test func `the packet after the place where a room stopped is the next one`() throws {
        for packet in 1..<100 {
            let plan = try EpochPlan.goingOn(0, packet: packet, of: playlist)
            #expect(EpochPlan.packet(0, after: plan.positionMicroseconds, of: playlist) == packet)
        }
        // A place reached by counting from an odd position is off by a microsecond at most.
        let odd = (9_600 - 312) * 125 / 6 - 1
        #expect(EpochPlan.packet(0, after: Int64(odd), of: playlist) == 10)
        #expect(EpochPlan.packet(0, after: microseconds(samples: 96_000 - 712), of: playlist) == 100)
        #expect(EpochPlan.packet(0, after: .max, of: playlist) == 100)
        #expect(EpochPlan.packet(0, after: -5, of: playlist) == 0)
    }

    @Test func `listeners without earlier audio get pre-roll before the next packet`() throws {
        let plan = try EpochPlan.startingOver(0, packet: 50, of: playlist)
        #expect(plan.firstPacket == 42)
        #expect(plan.preSkip == 8 * 960)
        #expect(plan.positionMicroseconds == (50 * 960 - 312) * 125 / 6)
        #expect(try EpochPlan.startingOver(0, packet: 0, of: playlist) == .beginning(0, of: playlist))
    }

    @Test func `a timeline broken by the server is followed`() throws {
        let plan = EpochPlan.beginning(0, of: playlist)
        let old = Pacing(startMicroseconds: 1_000_000, leadMicroseconds: 600_000, preSkip: 312)
        let playback = Playback(
            state: .playing, anchorMicroseconds: 5_000_000, positionMicroseconds: 1_000_000, revision: 3, epoch: 2)
        let new = plan.pacing(old, playing: playback, in: playlist)
        #expect(new.sounds(sample: 48_312) == 5_000_000)
        #expect(new.leadMicroseconds == 600_000)
    }

    @Test func `files are checked before anything else`() throws {
        let missing = #expect(throws: AudioError.self) { try FileList(paths: ["/nowhere.opus"], isLoop: false) }
        #expect(missing?.description.contains("/nowhere.opus") == true)
        let text = try workshop.write(Array("not music".utf8), to: "text.opus")
        let wrong = #expect(throws: AudioError.self) {
            try FileList(paths: [workshop.file("song.opus"), text], isLoop: false)
        }
        #expect(wrong?.code == .notOgg)
        #expect(wrong?.description.contains(text) == true)
    }

    @Test func `a track without a title is called by its file's name`() throws {
        var writer = OggOpusWriter(
            head: OpusHead(channels: 1, preSkip: 0), tags: OpusTags(vendor: "", comments: ["ARTIST=A\nB"]), serial: 1)
        var bytes = writer.headerPages()
        for packet in try Workshop.packets(2, channels: 1) {
            bytes += try writer.write(packet: packet, samples: 960, flush: false)
        }
        let path = try workshop.write(bytes + writer.finish(), to: "untitled.opus")
        let track = try FileList(paths: [path], isLoop: false).items[0].track
        #expect(track.title == "untitled.opus")
        #expect(track.artist == "A B")
    }
}

@Suite struct BackoffTests {
    @Test func `delays grow to ten seconds at most and are spread`() {
        var generator = SeededGenerator(seed: 1)
        var backoff = Backoff()
        var most = Duration.zero
        for attempt in 0..<40 {
            let ceiling = min(10_000, 250 << min(attempt, 20))
            let delay = backoff.next(using: &generator)
            #expect(delay >= .zero && delay <= .milliseconds(ceiling))
            most = max(most, delay)
        }
        #expect(most > .seconds(8))
        #expect(backoff.attempts == 40)
    }
}
