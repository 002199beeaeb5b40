import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// How rooms play by themselves, and how far they have come since their last jingle.
struct AutoplayStoreTests {
    @Test func `jingles are kept, also of a room that does not play, and go when none are set`() async throws {
        let fixture = try await RoomFixture()
        let (store, room, ada) = (fixture.storage.autoplays, fixture.room, fixture.ada)
        let jingles = Jingles(playlist: .random(milliseconds: 1), everyTracks: 3)
        _ = try await store.set(Autoplay(isOn: false, jingles: jingles), in: room, by: ada)
        #expect(try await store.autoplay(of: room) == Autoplay(isOn: false, jingles: jingles))
        let account = try await fixture.model.accounts.signIn("ada").account
        let export = try await fixture.model.accounts.export(account).data
        let autoplay = try #require(export["rooms"]?.array?.first?["autoplay"])
        #expect(autoplay["on"]?.bool == false && autoplay["jingles"]?["every_tracks"]?.integer == 3)
        _ = try await store.set(Autoplay(isOn: true), in: room, by: ada)
        #expect(try await store.autoplay(of: room) == Autoplay(isOn: true))
        let bob = try await fixture.account("bob")
        await #expect(throws: Refusal.self) {
            try await store.set(Autoplay(isOn: true, jingles: jingles), in: room, by: bob)
        }
    }

    @Test func `what has played since a jingle outlives a change of the rule`() async throws {
        let fixture = try await RoomFixture()
        let (store, room, ada) = (fixture.storage.autoplays, fixture.room, fixture.ada)
        let progress = JingleProgress(tracks: 2, sinceMilliseconds: 17, last: .random(milliseconds: 2))
        try await store.note(progress, in: room)
        #expect(try await store.jingleProgress(of: room) == JingleProgress(), "a room without jingles")
        var jingles = Jingles(playlist: .random(milliseconds: 1), everyTracks: 3)
        _ = try await store.set(Autoplay(isOn: true, jingles: jingles), in: room, by: ada)
        try await store.note(progress, in: room)
        jingles.everyMinutes = 30
        _ = try await store.set(Autoplay(isOn: true, jingles: jingles), in: room, by: ada)
        #expect(try await store.autoplay(of: room).jingles == jingles)
        #expect(try await store.jingleProgress(of: room) == progress)
    }
}
