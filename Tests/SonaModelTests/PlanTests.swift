import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// What accounts may take of the server.
struct PlanTests {
    @Test func `a plan counts where something is taken, and its bit rate is known without a disk`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        let (plans, rooms) = (fixture.model.plans, fixture.model.rooms)
        _ = try await plans.set("thin", PlanLimits(rooms: 1, bitRate: 64), by: nil)
        try await plans.give("thin", to: fixture.user("ada"), by: nil)
        #expect(plans.bitRate(of: fixture["ada"]) == 64 && plans.bitRate(of: fixture["bob"]) == nil)
        _ = try await rooms.create(RoomSettings(title: "One"), owner: fixture["ada"])
        #expect(
            await refusal { try await rooms.create(RoomSettings(title: "Two"), owner: fixture["ada"]) } == .limitReached
        )
        _ = try await rooms.create(RoomSettings(title: "Two"), owner: fixture["bob"])
        #expect(try await plans.state(of: fixture["ada"]).rooms == 1)
        let listed = try await plans.set("thin", PlanLimits(rooms: 2), by: nil)
        #expect(listed.map(\.accountCount) == [1] && plans.bitRate(of: fixture["ada"]) == nil)
        _ = try await rooms.create(RoomSettings(title: "Two"), owner: fixture["ada"])
        #expect(try await plans.remove("thin", by: nil).isEmpty)
        #expect(try await plans.state(of: fixture["ada"]).plan == nil)
        await fixture.model.close()
    }

    @Test func `only who manages plans changes them, and each change is a line of the journal`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        let plans = fixture.model.plans
        #expect(
            await refusal { try await plans.set("thin", PlanLimits(), by: fixture["ada"]) } == .forbidden(.plansManage))
        #expect(await refusal { try await plans.give("thin", to: fixture.user("ada"), by: nil) }?.code == .planNotFound)
        #expect(await refusal { try await plans.remove("thin", by: nil) }?.code == .planNotFound)
        _ = try await fixture.model.accounts.setRole(of: fixture.user("ada"), to: .admin, by: nil)
        _ = try await plans.set("thin", PlanLimits(), by: fixture["ada"])
        try await plans.give("thin", to: fixture.user("bob"), by: fixture["ada"])
        let lines = try await fixture.model.journal.page(before: nil, limit: 10, kind: .planChanged, subject: nil)
        #expect(lines.map(\.subject) == [fixture["bob"].rawValue, nil])
        await fixture.model.close()
    }

    @Test func `a server has so many plans, and not one more`() async throws {
        let fixture = try await PeopleFixture("ada")
        let plans = fixture.model.plans
        for number in 1...Limits.plansMax { _ = try await plans.set("\(number)", PlanLimits(), by: nil) }
        #expect(await refusal { try await plans.set("more", PlanLimits(), by: nil) }?.code == .planLimitReached)
        // One that is there can be changed.
        #expect(try await plans.set("7", PlanLimits(rooms: 3), by: nil).count == Limits.plansMax)
        await fixture.model.close()
    }

    @Test func `limits of bit rates are read when the model is opened`() async throws {
        let (folder, calendar) = (TemporaryFolder(), ManualCalendar())
        let model = try await Model.opened(folder, calendar)
        let ada = try await model.accounts.signUp("ada").account.uid
        _ = try await model.plans.set("thin", PlanLimits(bitRate: 96), by: nil)
        try await model.plans.give("thin", to: .id(ada), by: nil)
        await model.close()
        let again = try await Model.opened(folder, calendar)
        #expect(again.plans.bitRate(of: ada) == 96)
        await again.close()
    }
}
