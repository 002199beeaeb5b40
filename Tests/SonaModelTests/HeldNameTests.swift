import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Usernames that were given up and are held.
struct HeldNameTests {
    private let folder = TemporaryFolder()
    private let calendar = ManualCalendar()

    private func change(
        _ model: Model, _ account: Accounts.Account, _ old: String, _ new: String
    ) async -> Refusal? {
        guard let name = Username(old) else { return .usernameMismatch }
        return await refusal {
            try await model.accounts.change(username: new, from: name, account)
        }
    }

    @Test func `a given-up name and all that look like it are held for fourteen days`() async throws {
        var model = try await Model.opened(folder, calendar)
        let people = try await model.accounts.signUp(all: ["lovelace", "bob"])
        #expect(await change(model, people[0], "lovelace", "countess") == nil)
        for name in ["lovelace", "LOVELACE", "love1ace"] {
            #expect(await change(model, people[1], "bob", name) == .usernameTaken, "\(name)")
            let check = try await model.accounts.check(username: name, for: people[1], address: nil)
            #expect(check.refusal == .usernameTaken)
            #expect(
                await refusal {
                    try await model.accounts.signUp(
                        Accounts.SignUp(email: "c@example.org", password: "12345678", username: name))
                } == .usernameTaken)
        }
        // The name is held across a restart and to the last moment.
        await model.close()
        calendar.advance(milliseconds: HeldNameRecord.heldMilliseconds - 1)
        model = try await Model.opened(folder, calendar)
        try await model.upkeep.round()
        #expect(await change(model, people[1], "bob", "lovelace") == .usernameTaken)
        #expect(try await model.accounts.check(username: "lovelace", for: people[0], address: nil).refusal == nil)
        calendar.advance(milliseconds: 1)
        #expect(await change(model, people[1], "bob", "lovelace") == nil)
        try await model.upkeep.round()
        // From now on the name is Bob's.
        #expect(try await Model.rowCounts(folder)["held_names"] == 1)
        await model.close()
    }

    @Test func `the former owner can take a name back, and one account holds at most ten`() async throws {
        let model = try await Model.opened(folder, calendar)
        let people = try await model.accounts.signUp(all: ["first", "other"])
        #expect(await change(model, people[0], "first", "second") == nil)
        #expect(await change(model, people[0], "second", "first") == nil)
        #expect(await change(model, people[1], "other", "second") == .usernameTaken)
        #expect(await change(model, people[1], "other", "first") == .usernameTaken)
        // A change of capitals gives no name up.
        #expect(await change(model, people[0], "first", "FIRST") == nil)
        #expect(try await Model.rowCounts(folder)["held_names"] == 1)
        var name = "first"
        for word in [
            "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo", "lima",
        ] {
            calendar.advance(milliseconds: 1)
            #expect(await change(model, people[0], name, word) == nil)
            name = word
        }
        #expect(try await Model.rowCounts(folder)["held_names"] == HeldNameRecord.perAccountMax)
        #expect(await change(model, people[1], "other", "first") == nil)
        await model.close()
    }

    @Test func `an export contains the held names, and a removal frees them`() async throws {
        let model = try await Model.opened(folder, calendar)
        let people = try await model.accounts.signUp(all: ["lovelace", "bob"])
        #expect(await change(model, people[0], "lovelace", "countess") == nil)
        let (data, code) = try await model.accounts.export(people[0])
        #expect("\(data)".contains("held_usernames") && "\(data)".contains("lovelace"))
        try await model.accounts.remove(people[0], code: code)
        #expect(try await Model.rowCounts(folder)["held_names"] == 0)
        #expect(await change(model, people[1], "bob", "lovelace") == nil)
        await model.close()
    }
}
