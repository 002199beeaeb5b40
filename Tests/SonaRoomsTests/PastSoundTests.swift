import SonaRooms
import SonaWire
import Testing

/// What a room keeps of its sound for those who hear it later.
struct PastSoundTests {
    private static let lead: Int64 = 1_000_000

    private static func epoch(
        _ number: UInt16, at start: Int64, file: String? = "track", origin: Int64 = 0, preSkip: Int = 312
    ) -> PastSound<String>.Epoch {
        PastSound.Epoch(
            stream: StreamInfo(
                epoch: number, channels: 2, preSkip: preSkip, startMicroseconds: start, continues: false),
            file: file, firstPacket: 100, origin: origin)
    }

    private static func playing(_ revision: UInt32, at anchor: Int64, _ state: PlaybackState = .playing) -> Playback {
        Playback(
            state: state, anchorMicroseconds: anchor, positionMicroseconds: 0, revision: revision, epoch: 1)
    }

    @Test func `a sample of a file sounds after what was skipped of it`() {
        let epoch = Self.epoch(1, at: 5_000_000, origin: 96_000)
        #expect(epoch.time(ofSample: 96_000) == 5_000_000 - 6_500)
        #expect(epoch.time(ofSample: 96_312) == 5_000_000)
        #expect(epoch.time(ofSample: 96_312 + 48_000) == 6_000_000)
        #expect(epoch.sample(at: 5_000_000) == 96_312)
        #expect(epoch.sample(at: 6_000_000) == 96_312 + 48_000)
    }

    @Test func `an epoch is heard until the next one, and not beyond what was sent`() {
        var past = PastSound<String>(keptMicroseconds: 86_400_000_000)
        past.begin(Self.epoch(1, at: 0), track: Track(title: "First"))
        past.begin(Self.epoch(2, at: 10_000_000, file: "other"), track: Track(title: "Second"))
        let pieces = past.pieces(from: 8_000_000, to: 30_000_000, edge: 15_000_000)
        #expect(pieces.map(\.epoch.file) == ["track", "other"])
        #expect(pieces.map(\.from) == [8_000_000, 8_000_000])
        #expect(pieces.map(\.to) == [10_000_000, 15_000_000])
        #expect(past.pieces(from: 15_000_000, to: 20_000_000, edge: 15_000_000).isEmpty)
        #expect(past.filesFrom == 0)
    }

    @Test func `an epoch ends where the room paused, and what a person hosted has no file`() {
        var past = PastSound<String>(keptMicroseconds: 86_400_000_000)
        past.begin(Self.epoch(1, at: 0), track: nil)
        past.note(Self.playing(1, at: 0))
        past.note(Self.playing(2, at: 4_000_000, .paused))
        past.begin(Self.epoch(2, at: 9_000_000, file: nil), track: nil)
        past.note(Self.playing(3, at: 9_000_000))
        let pieces = past.pieces(from: 0, to: 20_000_000, edge: 20_000_000)
        #expect(pieces.map(\.to) == [4_000_000])
        #expect(past.playbacks(from: 5_000_000, to: 10_000_000, limit: 64).map(\.revision) == [2, 3])
    }

    @Test func `a later announcement undoes those for its time or after it`() {
        var past = PastSound<String>(keptMicroseconds: 86_400_000_000)
        past.note(Self.playing(1, at: 1_000_000))
        past.note(Self.playing(2, at: 9_000_000))
        past.note(Self.playing(3, at: 5_000_000))
        #expect(past.playbacks(from: 0, to: 10_000_000, limit: 64).map(\.revision) == [1, 3])
        past.note(track: Track(title: "Undone"), at: 9_000_000)
        past.note(track: nil, at: 8_000_000)
        #expect(past.tracks(from: 0, to: 10_000_000, limit: 64).map { $0.track?.title } == [nil])
    }

    @Test func `what ended too long ago is forgotten, and what was in force then is not`() throws {
        var past = PastSound<String>(keptMicroseconds: 20_500_000)
        for number in 0..<100 {
            past.begin(Self.epoch(UInt16(number), at: Int64(number) * 1_000_000), track: Track(title: "\(number)"))
            past.note(Self.playing(UInt32(number), at: Int64(number) * 1_000_000))
        }
        // Some at a time: at most fifteen more than are needed.
        let oldest = try #require(past.filesFrom)
        #expect((62_000_000...78_000_000).contains(oldest))
        #expect(past.tracks(from: 78_500_000, to: 80_000_000, limit: 64).map { $0.track?.title } == ["78", "79"])
        #expect(past.playbacks(from: 0, to: 100_000_000, limit: 64).count == past.epochs.count)
        #expect(
            past.tracks(from: 60_000_000, to: 90_000_000, limit: 4).map { $0.track?.title } == ["86", "87", "88", "89"])
    }

    @Test func `a day of tracks is bounded in number too`() {
        var past = PastSound<String>(keptMicroseconds: 86_400_000_000)
        for number in 0..<5_000 {
            past.begin(Self.epoch(UInt16(number), at: Int64(number) * 1_000), track: nil)
        }
        #expect(past.epochs.count <= PastSound<String>.countMax + 16)
        #expect(past.epochs.last?.stream.epoch == 4_999)
    }
}

/// Members who hear the room later.
struct ShiftedMemberTests {
    @Test func `a person is shifted when every connection of theirs is, until they come in anew`() throws {
        var room = try Studio().room
        let ada = User("ada")
        _ = try room.join(81, ada, wantsAudio: true, now: 0)
        _ = try room.join(82, ada, wantsAudio: true, now: 0)
        _ = try room.shift(81, isShifted: true)
        #expect(!room.isShifted(ada.uid) && room.shiftedPeople == 0)
        #expect(try room.shift(82, isShifted: true).count == 1)
        #expect(try room.shift(82, isShifted: true).isEmpty)
        #expect(room.isShifted(ada.uid) && room.shiftedPeople == 1)
        _ = room.leave(81, isLost: false, now: 0)
        #expect(room.isShifted(ada.uid) && room.shiftedPeople == 1)
        _ = try room.join(82, ada, wantsAudio: true, now: 0)
        #expect(!room.isShifted(ada.uid) && room.shiftedPeople == 0)
        #expect(throws: WireError.self) { try room.shift(89, isShifted: true) }
    }
}
