import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// The first administrator's account, made by whoever has the code.
struct SetupTests {
    private let folder = TemporaryFolder()
    private let calendar = ManualCalendar()

    private func setUp(_ model: Model, _ code: String, _ name: String = "ada") async throws(Refusal) -> Accounts.Grant {
        try await model.accounts.setUp(
            code: code, email: "\(name)@example.org", password: "correct horse", username: name, locale: .polish)
    }

    @Test func `whoever has the code becomes an administrator, once`() async throws {
        let model = try await Model.opened(folder, calendar)
        let code = try #require(try await model.accounts.newSetupCode())
        #expect(try await model.accounts.setupExpiry(of: code) == calendar.clock.nowMilliseconds() + 86_400_000)
        let grant = try await setUp(model, code)
        #expect(grant.account.role == .admin && grant.account.username?.rawValue == "ada")
        let lines = try await model.journal.page(kind: .signUp)
        #expect(lines.count == 1 && lines[0].detail.contains("setup") && !lines[0].detail.contains(code))
        #expect(await refusal { try await setUp(model, code, "bob") } == .setupDone)
        #expect(await refusal { try await model.accounts.setupExpiry(of: code) } == .setupDone)
        #expect(await refusal { try await model.accounts.setupExpiry(of: "nonsense") } == .setupDone)
        #expect(try await model.accounts.newSetupCode() == nil)
        _ = try await model.accounts.signIn(email: "ada@example.org", password: "correct horse", address: nil)
        await model.close()
    }

    @Test func `a code that is wrong, old or replaced makes no account`() async throws {
        let model = try await Model.opened(folder, calendar)
        #expect(await refusal { try await setUp(model, "nonsense") } == .codeInvalid)
        let first = try #require(try await model.accounts.newSetupCode())
        let second = try #require(try await model.accounts.newSetupCode())
        #expect(await refusal { try await setUp(model, first) } == .codeInvalid)
        calendar.advance(milliseconds: 86_399_999)
        #expect(try await model.accounts.setupExpiry(of: second) > calendar.clock.nowMilliseconds())
        calendar.advance(milliseconds: 1)
        #expect(await refusal { try await setUp(model, second) } == .codeInvalid)
        await model.close()
    }

    @Test func `what is wrong with the account leaves the code good`() async throws {
        let model = try await Model.opened(folder, calendar)
        _ = try await model.accounts.signUp(all: ["ada"])
        let code = try #require(try await model.accounts.newSetupCode())
        #expect(await refusal { try await setUp(model, code) } == .usernameTaken)
        #expect(
            await refusal {
                _ = try await model.accounts.setUp(
                    code: code, email: "bob@example.org", password: "short", username: "bob", locale: nil)
            } == .passwordUnusable)
        #expect(try await setUp(model, code, "bob").account.role == .admin)
        await model.close()
    }

    @Test func `nobody is let in by a code when there is an administrator otherwise`() async throws {
        let model = try await Model.opened(folder, calendar)
        let code = try #require(try await model.accounts.newSetupCode())
        _ = try await model.accounts.create(
            email: "opera@example.org", password: "correct horse", username: "opera", role: .admin)
        #expect(await refusal { try await setUp(model, code) } == .setupDone)
        await model.close()
    }

    /// Goal: of many people with the same code exactly one becomes an administrator. Way: eight at once.
    @Test func `of several people at once one gets the account`() async throws {
        let model = try await Model.opened(folder, calendar)
        let code = try #require(try await model.accounts.newSetupCode())
        let outcomes = await withTaskGroup(of: Refusal?.self) { group in
            for number in 0..<8 { group.addTask { await refusal { try await setUp(model, code, "person\(number)") } } }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == nil }.count == 1)
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .setupDone })
        #expect(try await model.accounts.list(.init(role: .admin, isBanned: nil), after: nil, limit: 10).count == 1)
        await model.close()
    }

    @Test func `the database has a hash of the code, and nothing once it was used`() async throws {
        let model = try await Model.opened(folder, calendar)
        let code = try #require(try await model.accounts.newSetupCode())
        let kept = try await model.accounts.users.read { db in try db.first(SetupCodeRecord.self, key: 1) }
        #expect(kept?.hash == AccountCode(code)?.hash)
        _ = try await setUp(model, code)
        #expect(try await model.accounts.users.read { db in try db.first(SetupCodeRecord.self, key: 1) } == nil)
        await model.close()
    }
}
