import SonaWire
import Testing

@testable import SonaModel

/// Webhooks, and the events that wait for them.
@Suite struct WebhookStoreTests {
    private let url = "https://example.org/hook"

    private func refusal(_ body: () async throws -> some Any) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal { return refusal.code } catch { return nil }
    }

    private func matter(_ title: String) -> WebhookMatter {
        var matter = WebhookMatter()
        matter.title = title
        return matter
    }

    private func answer(_ status: Int?) -> WebhookAnswer {
        WebhookAnswer(atMilliseconds: 1, event: "room.live", status: status, error: status == nil ? "unreachable" : nil)
    }

    @Test func `an event waits for those that want it, in its order, and is told once it is taken`() async throws {
        let fixture = try await RoomFixture()
        let (store, room, ada) = (fixture.model.webhooks, fixture.room, fixture.ada)
        let both = try await store.add(url, .json, ["room.live", "room.ended"], in: room, by: ada)
        let ended = try await store.add(url, .discord, ["room.ended"], in: room, by: ada)
        #expect(both.secret.utf8.count == 43 && ended.secret.isEmpty)
        try await store.note(.roomLive, matter("a"), in: room)
        try await store.note(.roomEnded, matter("b"), in: room)
        #expect(try await store.list(in: room).map(\.waitingCount) == [2, 1])
        let first = try await store.due(limit: 10).tellings
        #expect(first.map(\.kind) == ["room.live", "room.ended"])
        #expect(first.first?.secret == Array(both.secret.utf8))
        for telling in first { try await store.note(answer(204), of: telling, isTaken: true) }
        let second = try await store.due(limit: 10).tellings
        #expect(second.map(\.matter.title) == ["b"])
        #expect(second.first?.event == first.last?.event, "one event has one identifier")
        try await store.note(answer(204), of: second[0], isTaken: true)
        #expect(try await store.due(limit: 10).tellings.isEmpty)
        #expect(try await store.list(in: room).map(\.deliveredCount) == [2, 1])
        await fixture.model.close()
    }

    @Test func `a webhook that fails is put off, and after five days of it switched off`() async throws {
        let fixture = try await RoomFixture()
        let (store, room, ada) = (fixture.model.webhooks, fixture.room, fixture.ada)
        let hook = try await store.add(url, .json, ["room.live"], in: room, by: ada).webhook
        try await store.note(.roomLive, matter("a"), in: room)
        func fail() async throws {
            let telling = try #require(try await store.due(limit: 10).tellings.first)
            try await store.note(answer(nil), of: telling, isTaken: false, wait: 1_000)
        }
        try await fail()
        #expect(try await store.due(limit: 10).tellings.isEmpty)
        #expect(try await store.list(in: room).map(\.isOn) == [true])
        fixture.calendar.advance(seconds: 5 * 86_400 - 60)
        try await fail()
        #expect(try await store.list(in: room).map(\.isOn) == [true])
        fixture.calendar.advance(seconds: 120)
        try await fail()
        #expect(try await store.list(in: room).map(\.isOn) == [false])
        #expect(try await store.list(in: room).first?.answers.count == 3)
        try await store.note(.roomLive, matter("b"), in: room)
        let again = try await store.update(hook.id, isOn: true, by: ada)
        #expect((again.waitingCount, again.nextMilliseconds) == (1, nil), "nothing is written while it is off")
        #expect(try await store.due(limit: 10).tellings.map(\.matter.title) == ["a"])
        await fixture.model.close()
    }

    @Test func `so many events wait, and further ones are counted`() async throws {
        let fixture = try await RoomFixture()
        let (store, room) = (fixture.model.webhooks, fixture.room)
        _ = try await store.add(url, .json, ["room.live"], in: room, by: fixture.ada)
        for _ in 0..<Limits.webhookEventsMax + 2 { try await store.note(.roomLive, matter("a"), in: room) }
        let one = try #require(try await store.list(in: room).first)
        #expect((one.waitingCount, one.droppedCount) == (Limits.webhookEventsMax, 2))
        #expect(store.figures.dropped == 2)
        await fixture.model.close()
    }

    @Test func `those of all rooms hear of public ones alone, and belong to administrators`() async throws {
        let fixture = try await RoomFixture()
        let (store, ada) = (fixture.model.webhooks, fixture.ada)
        #expect(await refusal { try await store.add(url, .json, ["room.live"], in: nil, by: ada) } == .authForbidden)
        let bob = try await fixture.account("bob")
        let hook = try await store.add(url, .json, ["room.live"], in: fixture.room, by: ada).webhook
        #expect(
            await refusal { try await store.add(url, .json, ["room.live"], in: fixture.room, by: bob) }
                == .roomForbidden)
        #expect(await refusal { try await store.remove(hook.id, by: bob) } == .webhookNotFound)
        #expect(await refusal { try await store.test(hook.id, by: bob) } == .webhookNotFound)
        for _ in 1..<Limits.webhooksPerRoomMax {
            _ = try await store.add(url, .json, ["room.live"], in: fixture.room, by: ada)
        }
        #expect(
            await refusal { try await store.add(url, .json, ["room.live"], in: fixture.room, by: ada) }
                == .webhookLimitReached)
        try await store.remove(hook.id, by: ada)
        #expect(try await store.list(in: fixture.room).count == Limits.webhooksPerRoomMax - 1)
        await fixture.model.close()
    }
}
