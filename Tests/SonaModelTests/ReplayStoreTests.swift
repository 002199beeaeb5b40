import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// What rooms keep: passages, messages and reactions, and what becomes of them.
struct ReplayStoreTests {
    private static let minute: Int64 = 60_000

    /// A room that keeps replays.
    private struct Evening {
        let at: RoomFixture
        var store: ReplayStore { at.storage.replays }
        var room: RoomID { at.room }
        var now: Int64 { at.calendar.clock.nowMilliseconds() }

        init() async throws {
            at = try await RoomFixture()
            try await keep(true)
        }

        func keep(_ keeps: Bool) async throws {
            _ = try await at.model.rooms.update(room, RoomUpdate(room: .id(room), keepsReplays: keeps))
        }

        /// A track begins, as the writer of a room has it.
        func play(_ title: String, music: MusicID? = nil, position: Int64 = 0) async throws {
            try await at.history.append(Track(title: title, music: music), at: now, host: at.ada, to: room)
            try await sound(position: position)
        }

        func sound(_ isSounding: Bool = true, hasTrack: Bool = true, position: Int64 = 0) async throws {
            try await store.append(
                ReplayStore.Passage(
                    atMilliseconds: now, isSounding: isSounding, hasTrack: hasTrack, positionMicroseconds: position),
                to: room)
        }

        func say(_ text: String, by user: UserID? = nil) async throws -> ChatMessage {
            let user = User(uid: user ?? at.ada, username: Username("ada"), isGuest: false)
            return try await at.chat.send(try ChatStore.Text(text), to: room, by: user)
        }

        func wait(_ milliseconds: Int64) { at.calendar.advance(milliseconds: milliseconds) }

        func replays() async throws -> [Replay] { try await store.page(of: room).replays }

        func messages(_ replay: ReplayID) async throws -> [String] {
            try await store.moments(of: replay, from: 0, to: nil).messages.map(\.text)
        }
    }

    @Test func `an evening comes back at its moments`() async throws {
        let evening = try await Evening()
        let music = MusicID.random(milliseconds: 1)
        _ = try await evening.say("Before")
        try await evening.play("A", music: music)
        let start = evening.now
        evening.wait(10_000)
        _ = try await evening.say("Ten")
        evening.wait(20_000)
        try await evening.sound(false, position: 30_000_000)
        evening.wait(5_000)
        try await evening.sound(position: 90_000_000)
        evening.wait(5_000)
        try await evening.play("B")
        evening.wait(Self.minute)
        try await evening.sound(false)
        evening.wait(Self.minute)
        _ = try await evening.say("Good night")
        #expect(try await evening.replays().map(\.endMilliseconds) == [nil], "it may go on")
        evening.wait(10 * Self.minute)
        _ = try await evening.say("The next day")
        let replay = try #require(try await evening.replays().first)
        #expect(replay.startMilliseconds == start && replay.playCount == 2)
        // It ends with what was said after the music.
        #expect(replay.endMilliseconds == start + 40_000 + 2 * Self.minute)
        let page = try await evening.store.passages(of: replay.id)
        #expect(page.passages.map(\.atMilliseconds) == [0, 30_000, 35_000, 40_000, 100_000])
        #expect(page.passages.map(\.isSounding) == [true, false, true, true, false])
        #expect(page.passages.map(\.play) == [1, nil, 1, 2, nil])
        #expect(page.passages.map(\.positionMicroseconds) == [0, 30_000_000, 90_000_000, 0, 0])
        #expect(page.plays.map(\.track.title) == ["A", "B"] && page.plays.first?.track.music == music)
        #expect(page.nextAfter == nil)
        let moments = try await evening.store.moments(of: replay.id, from: 0, to: nil)
        #expect(moments.messages.map(\.text) == ["Ten", "Good night"])
        #expect(moments.messages.first.map { $0.atMilliseconds - start } == 10_000)
        await evening.at.model.close()
    }

    @Test func `a room that keeps none writes none, and what is turned off ends`() async throws {
        let evening = try await Evening()
        try await evening.keep(false)
        try await evening.play("A")
        #expect(try await evening.replays().isEmpty)
        try await evening.keep(true)
        try await evening.sound(position: 5_000_000)
        evening.wait(Self.minute)
        try await evening.keep(false)
        let end = evening.now
        evening.wait(1_000)
        _ = try await evening.say("Nobody keeps this")
        try await evening.play("B")
        let replay = try #require(try await evening.replays().first)
        #expect(replay.endMilliseconds == end && replay.playCount == 1)
        #expect(try await evening.messages(replay.id).isEmpty)
        try await evening.keep(true)
        try await evening.play("C")
        #expect(try await evening.replays().count == 2)
        await evening.at.model.close()
    }

    @Test func `ten minutes without a sound end it, and a little less does not`() async throws {
        let evening = try await Evening()
        try await evening.play("A")
        evening.wait(Self.minute)
        try await evening.sound(false)
        evening.wait(Limits.replaySilenceMilliseconds - 1)
        _ = try await evening.say("Just in time")
        try await evening.play("B")
        #expect(try await evening.replays().count == 1)
        try await evening.sound(false)
        let end = evening.now
        evening.wait(Limits.replaySilenceMilliseconds)
        _ = try await evening.say("Too late")
        try await evening.play("C")
        let replays = try await evening.replays()
        #expect(replays.map(\.playCount) == [1, 2])
        #expect(replays.last?.endMilliseconds == end)
        #expect(try await evening.messages(replays[1].id) == ["Just in time"])
        await evening.at.model.close()
    }

    @Test func `a day ends it, and the next begins with the next passage`() async throws {
        let evening = try await Evening()
        try await evening.play("A")
        let start = evening.now
        evening.wait(Limits.replayLengthMilliseconds - 1)
        _ = try await evening.say("Of the first day")
        evening.wait(1)
        _ = try await evening.say("Of none")
        try await evening.play("B")
        let replays = try await evening.replays()
        #expect(replays.count == 2)
        #expect(replays.last?.endMilliseconds == start + Limits.replayLengthMilliseconds)
        #expect(replays.first?.startMilliseconds == start + Limits.replayLengthMilliseconds)
        #expect(try await evening.messages(replays[1].id) == ["Of the first day"])
        await evening.at.model.close()
    }

    @Test func `what is deleted is gone, and so is what a removed account said`() async throws {
        let evening = try await Evening()
        let bob = try await evening.at.account("bob")
        try await evening.play("A")
        let hers = try await evening.say("Hers")
        _ = try await evening.say("His", by: bob)
        let edited = try await evening.say("Old")
        let id = try #require(try await evening.replays().first?.id)
        _ = try await evening.at.chat.edit(
            edited.id, in: evening.room, to: try ChatStore.Text("New"), by: evening.at.ada)
        #expect(try await evening.messages(id) == ["Hers", "His", "New"])
        _ = try await evening.at.chat.delete(hers.id, in: evening.room, by: evening.at.ada, mayModerate: false)
        #expect(try await evening.messages(id) == ["His", "New"])
        try await evening.at.execute(
            "UPDATE room_history SET host_uid = \(bob)")
        #expect(try await evening.store.passages(of: id).plays.first?.host?.uid == bob)
        let account = try await evening.at.model.accounts.signIn("bob").account
        let code = try await evening.at.model.accounts.export(account).code
        try await evening.at.model.accounts.remove(account, code: code)
        #expect(try await evening.messages(id) == ["New"])
        #expect(try await evening.store.passages(of: id).plays.map(\.host) == [nil])
        await evening.at.model.close()
    }

    @Test func `reactions are counted by their second, and those of no replay are not`() async throws {
        let evening = try await Evening()
        try await evening.store.count([.init(atMilliseconds: evening.now, emoji: "x"): 1], in: evening.room)
        try await evening.play("A")
        let (start, store) = (evening.now, evening.store)
        try await store.count(
            [
                .init(atMilliseconds: start + 999, emoji: "👏"): 2, .init(atMilliseconds: start + 1_000, emoji: "👏"): 3,
                .init(atMilliseconds: start + 1_500, emoji: "🔥"): 4, .init(atMilliseconds: start - 5, emoji: "👏"): 1,
            ], in: evening.room)
        try await store.count([.init(atMilliseconds: start + 1_250, emoji: "👏"): 5], in: evening.room)
        let id = try #require(try await evening.replays().first?.id)
        let told = try await store.moments(of: id, from: 0, to: nil).reactions
        #expect(
            told == [
                ReplayReactions(atMilliseconds: 0, counts: [ReactionCount(emoji: "👏", count: 3)]),
                ReplayReactions(
                    atMilliseconds: 1_000,
                    counts: [ReactionCount(emoji: "👏", count: 8), ReactionCount(emoji: "🔥", count: 4)]),
            ])
        #expect(try await store.moments(of: id, from: 1, to: nil).reactions.map(\.atMilliseconds) == [1_000])
        #expect(try await store.moments(of: id, from: 0, to: 1_000).reactions.map(\.atMilliseconds) == [0])
        await evening.at.model.close()
    }

    @Test func `pages follow each other without a gap and without a repeat`() async throws {
        let evening = try await Evening()
        for number in 0..<25 {
            try await evening.play("\(number)")
            for part in 0..<3 {
                _ = try await evening.say("\(number).\(part)")
                if part == 1 { evening.wait(700) }
            }
            try await evening.store.count(
                [.init(atMilliseconds: evening.now, emoji: "x"): 1], in: evening.room)
            evening.wait(1_300)
        }
        let id = try #require(try await evening.replays().first?.id)
        var (passages, titles, after): ([ReplayPassage], [String?], Int64?) = ([], [], nil)
        repeat {
            let page = try await evening.store.passages(of: id, after: after, limit: 7)
            let named = Set(page.plays.map(\.id))
            #expect(page.passages.count <= 7 && page.passages.allSatisfy { named.contains($0.play ?? 0) })
            passages += page.passages
            titles += page.plays.map(\.track.title)
            after = page.nextAfter
        } while after != nil
        #expect(passages.map(\.play) == (1...25).map { Int64($0) } && titles == (0..<25).map { "\($0)" })
        for limit in [1, 2, 4, 100] {
            var (texts, seconds, from): ([String], [Int64], Int64?) = ([], [], 0)
            while let moment = from {
                let page = try await evening.store.moments(of: id, from: moment, to: nil, limit: limit)
                #expect(page.messages.count <= limit)
                texts += page.messages.map(\.text)
                seconds += page.reactions.map(\.atMilliseconds)
                from = page.nextMilliseconds
                #expect(from.map { $0 > moment } ?? true)
            }
            // Of a crowd in one millisecond a page of one has the first.
            if limit > 1 { #expect(texts == (0..<25).flatMap { n in (0..<3).map { "\(n).\($0)" } }) }
            #expect(seconds.count == 25 && seconds == seconds.sorted() && Set(seconds).count == 25)
        }
        await evening.at.model.close()
    }

    @Test func `a server that ended leaves silence, and goes on with the same evening within ten minutes`() async throws
    {
        let evening = try await Evening()
        try await evening.play("A")
        let start = evening.now
        evening.wait(30_000)
        // A room that plays writes its place down.
        _ = try await evening.at.model.rooms.savePlaybacks([
            evening.room: RoomStore.StoredPlayback(
                state: .playing, positionMicroseconds: 30_000_000, ratePPM: 1_000_000, anchorMonotonicMicroseconds: 0,
                clockID: "x", anchorWallMilliseconds: evening.now, revision: 1, hasAudio: true)
        ])
        evening.wait(20_000)
        try await evening.store.noteEnd()
        try await evening.store.noteEnd()
        try await evening.sound(position: 50_000_000)
        let replay = try #require(try await evening.replays().first)
        let page = try await evening.store.passages(of: replay.id)
        #expect(page.passages.map(\.atMilliseconds) == [0, 30_000, 50_000])
        #expect(page.passages.map(\.isSounding) == [true, false, true])
        #expect(replay.startMilliseconds == start && replay.playCount == 1 && replay.endMilliseconds == nil)
        await evening.at.model.close()
    }

    @Test func `the oldest go: beyond a hundred, and after their days`() async throws {
        let evening = try await Evening()
        for number in 0..<(Limits.replaysPerRoomMax + 2) {
            try await evening.play("\(number)")
            _ = try await evening.say("\(number)")
            try await evening.sound(false)
            evening.wait(11 * Self.minute)
        }
        #expect(try await evening.store.count() == Limits.replaysPerRoomMax)
        var (all, before): ([Replay], ReplayID?) = ([], nil)
        repeat {
            let page = try await evening.store.page(of: evening.room, before: before, limit: 30)
            all += page.replays
            before = page.nextBefore
        } while before != nil
        #expect(all.count == Limits.replaysPerRoomMax && Set(all.map(\.id)).count == all.count)
        #expect(all.map(\.startMilliseconds) == all.map(\.startMilliseconds).sorted(by: >))
        // What was said is not lost with them, as long as the room keeps it.
        #expect(try await evening.at.count("room_chat") == Limits.replaysPerRoomMax + 2)
        #expect(try await evening.at.count("room_replay_passages") == 2 * Limits.replaysPerRoomMax)
        evening.wait(86_400_000 - 51 * 11 * Self.minute)
        try await evening.store.tidy(keptDays: 1)
        #expect(try await evening.store.count() == 50)
        #expect(try await evening.at.count("room_replays", where: "end_ms IS NULL") == 0)
        #expect(try await evening.at.count("room_chat", where: "replay_id IS NOT NULL") == 50)
        await evening.at.model.close()
    }

    @Test func `what a replay has is not pruned, and goes with it`() async throws {
        let evening = try await Evening()
        try await evening.play("A")
        _ = try await evening.say("Kept")
        try await evening.keep(false)
        // As if ten thousand others had come since.
        try await evening.at.execute(
            """
            INSERT INTO room_chat (room_id, id, uid, is_guest, text, at_ms, mentions)
                VALUES (\(evening.room), \(ChatStore.keptMax + 50), 'x', 1, 'x', 0, '[]')
            """,
            """
            INSERT INTO room_history (room_id, id, at_ms) VALUES (\(evening.room), \(HistoryStore.keptMax + 50), 0)
            """)
        _ = try await evening.say("Later")
        try await evening.play("B")
        let id = try #require(try await evening.replays().first?.id)
        #expect(try await evening.messages(id) == ["Kept"])
        #expect(try await evening.store.passages(of: id).plays.map(\.track.title) == ["A"])
        try await evening.store.remove(id, by: evening.at.ada)
        #expect(try await evening.at.count("room_chat", where: "text = 'Kept'") == 0)
        #expect(try await evening.at.count("room_history", where: "title = 'A'") == 0)
        #expect(try await evening.at.count("room_history") == 2)
        await evening.at.model.close()
    }

    @Test func `only the owner removes one`() async throws {
        let evening = try await Evening()
        let bob = try await evening.at.account("bob")
        try await evening.play("A")
        let id = try #require(try await evening.replays().first?.id)
        #expect(await refusal { try await evening.store.remove(id, by: bob) }?.code == .roomForbidden)
        try await evening.store.remove(id, by: evening.at.ada)
        #expect(await refusal { try await evening.store.remove(id, by: evening.at.ada) }?.code == .replayNotFound)
        #expect(await refusal { _ = try await evening.store.replay(id) }?.code == .replayNotFound)
        // What goes on is kept anew with the next passage.
        try await evening.play("B")
        #expect(try await evening.replays().map(\.playCount) == [1])
        await evening.at.model.close()
    }
}
