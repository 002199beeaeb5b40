import SonaWire
import Testing

@testable import SonaModel

/// Speakers: whose they are, how they play, and which are remembered.
@Suite struct SpeakerStoreTests {
    private func refusal(_ body: () async throws -> some Any) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal { return refusal.code } catch { return nil }
    }

    @Test func `a speaker belongs to one room at most, and only who manages both moves it`() async throws {
        let fixture = try await RoomFixture()
        let (store, room, ada) = (fixture.model.roomStorage.speakers, fixture.room, fixture.ada)
        #expect(try await store.assign("kitchen", to: room, by: ada).room == room)
        #expect(try await store.assign("kitchen", to: room, by: ada).speaker.seenMilliseconds == nil)
        let came = try await store.came("kitchen", name: "pi")
        #expect(came.room == room && came.speaker.name == "pi" && came.speaker.seenMilliseconds != nil)
        let louder = SpeakerUpdate(speaker: "kitchen", name: "Kitchen", volume: 40, latencyMilliseconds: -20)
        #expect(try await store.update(louder, in: room, by: ada).speaker.volume == 40)
        _ = try await store.changed("kitchen", volume: 0, isMuted: true)
        let again = try await store.came("kitchen", name: "pi")
        #expect(again.speaker.name == "Kitchen" && again.speaker.isMuted && again.speaker.latencyMilliseconds == -20)
        #expect(await refusal { try await store.forget("den", in: room, by: ada) } == .speakerNotFound)
        let muted = SpeakerUpdate(speaker: "den", isMuted: true)
        #expect(await refusal { try await store.update(muted, in: room, by: ada) } == .speakerNotFound)
        try await store.forget("kitchen", in: room, by: ada)
        #expect(try await store.list(of: room).isEmpty)
        #expect(try await store.came("kitchen", name: "pi").speaker.volume == 100)
        for number in 1...64 { _ = try await store.assign("s\(number)", to: room, by: ada) }
        #expect(await refusal { try await store.assign("s65", to: room, by: ada) } == .speakerLimitReached)
        #expect(try await store.assign("s64", to: room, by: ada).room == room)
        await fixture.model.close()
    }

    @Test func `of those that no room has the last two hundred are remembered`() async throws {
        let fixture = try await RoomFixture()
        let store = fixture.model.roomStorage.speakers
        _ = try await store.assign("kept", to: fixture.room, by: fixture.ada)
        for number in 1...210 { _ = try await store.came("s\(number)", name: "s") }
        #expect(try await store.list(of: nil).count == 200)
        #expect(try await store.list(of: fixture.room).map(\.id) == ["kept"])
        await fixture.model.close()
    }
}
