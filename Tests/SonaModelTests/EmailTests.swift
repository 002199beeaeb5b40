import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Confirmation and change of e-mail addresses.
struct EmailTests {
    private let folder = TemporaryFolder()
    private let calendar = ManualCalendar()
    private let mail = Mailbox()
    private let ada = "ada@example.org"
    private let new = "Ada@New.example"

    private func opened() async throws -> Model { try await Model.opened(folder, calendar, mail: mail) }

    private func confirm(_ model: Model, _ code: String) async -> Refusal? {
        await refusal { try await model.accounts.confirmEmail(code: code) }
    }

    /// Begins a change and returns the code from the mail.
    private func change(_ model: Model, _ account: Accounts.Account, to email: String) async throws -> String {
        let before = mail.codes(to: email).count
        try await model.accounts.changeEmail(account, to: email, address: nil)
        return try #require(mail.codes(to: email).dropFirst(before).first)
    }

    @Test func `the code that a sign-up mails confirms the address once and expires after a day`() async throws {
        var model = try await opened()
        var request = Accounts.SignUp.named("ada")
        request.locale = .spanish
        let account = try await model.accounts.signUp(request).account
        let first = try #require(mail.all.first)
        #expect(first.to == ada && first.locale == .spanish && first.username?.rawValue == "ada")
        let code = try #require(first.code)
        calendar.advance(milliseconds: 86_399_999)
        await model.close()
        model = try await opened()
        #expect(await confirm(model, code) == nil)
        #expect(await confirm(model, code) == .codeInvalid)
        #expect(try await model.people.own(account.uid).isEmailConfirmed)
        #expect(try await model.journal.page(kind: .emailConfirmed).map(\.subject) == [account.uid.rawValue])
        // A confirmed address gets no further code.
        try await model.accounts.requestConfirmation(account, address: nil)
        #expect(mail.all.count == 1)

        let bob = try await model.accounts.signUp("bob").account
        let late = try #require(mail.codes(to: "bob@example.org").first)
        calendar.advance(milliseconds: 86_400_000)
        #expect(await confirm(model, late) == .codeInvalid)
        try await model.accounts.requestConfirmation(bob, address: nil)
        let again = try #require(mail.codes(to: "bob@example.org").last)
        #expect(again != late)
        #expect(await confirm(model, again) == nil)
        for code in ["", "x", String(again.dropLast())] { #expect(await confirm(model, code) == .codeInvalid) }
        await model.close()
    }

    @Test func `an address changes when the new one is confirmed, and the old one gets a notice`() async throws {
        let model = try await opened()
        let grant = try await model.accounts.signUp("ada")
        let code = try await change(model, grant.account, to: new)
        #expect(try await model.people.own(grant.account.uid).email == ada)
        _ = try await model.accounts.signIn("ada")
        #expect(await confirm(model, code) == nil)
        let own = try await model.people.own(grant.account.uid)
        #expect(own.email == new && own.isEmailConfirmed)
        #expect(
            await refusal { try await model.accounts.signIn("ada") } == .credentialsInvalid)
        let password = "pass-ada-word"
        _ = try await model.accounts.signIn(email: new.lowercased(), password: password, address: nil)
        #expect(mail.all.last?.to == ada && mail.all.last?.subject == .emailChanged)
        #expect(try await model.journal.page(kind: .emailChanged).map(\.detail) == ["{}"])
        // The code of the sign-up was for the old address and is void.
        let old = try #require(mail.codes(to: ada).first)
        #expect(await confirm(model, old) == .codeInvalid)
        // The former address is free again.
        _ = try await model.accounts.signUp(Accounts.SignUp(email: ada, password: "12345678", username: "other"))
        await model.close()
    }

    @Test func `a taken address is reported only at confirmation, and the code stays valid`() async throws {
        let model = try await opened()
        let people = try await model.accounts.signUp(all: ["ada", "bob"])
        let code = try await change(model, people[0], to: "BOB@example.org")
        #expect(await confirm(model, code) == .emailTaken)
        #expect(try await model.people.own(people[0].uid).email == ada)
        #expect(try await model.people.own(people[1].uid).email == "bob@example.org")
        let free = try await change(model, people[1], to: new)
        #expect(await confirm(model, free) == nil)
        #expect(await confirm(model, code) == nil)
        #expect(try await model.people.own(people[0].uid).email == "BOB@example.org")
        await model.close()
    }

    @Test func `of two concurrent changes to one address exactly one succeeds`() async throws {
        let model = try await opened()
        let people = try await model.accounts.signUp(all: ["ada", "bob"])
        let codes = [try await change(model, people[0], to: new), try await change(model, people[1], to: new)]
        let outcomes = await withTaskGroup(of: Refusal?.self) { group in
            for code in codes { group.addTask { await confirm(model, code) } }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .emailTaken } == 1)
        await model.close()
    }

    @Test func `a confirmed change voids every other change that was begun`() async throws {
        let model = try await opened()
        let account = try await model.accounts.signUp("ada").account
        let codes = [
            try await change(model, account, to: "one@example.org"),
            try await change(model, account, to: "two@example.org"),
        ]
        #expect(await confirm(model, codes[0]) == nil)
        #expect(await confirm(model, codes[1]) == .codeInvalid)
        #expect(try await model.people.own(account.uid).email == "one@example.org")
        await model.close()
    }

    @Test func `an invalid address, an account without one, and too many changes are refused`() async throws {
        let model = try await opened()
        let account = try await model.accounts.signUp("ada").account
        func change(_ email: String, _ account: Accounts.Account, _ address: String? = nil) async -> Refusal? {
            await refusal {
                try await model.accounts.changeEmail(account, to: email, address: address)
            }
        }
        for email in ["", "@", "a@", "a b@c", String(repeating: "x", count: 252) + "@bc"] {
            #expect(await change(email, account) == .emailInvalid)
        }
        #expect(await change(new, model.accounts.guest().account) == .reauthenticationRequired)
        // The limit counts per network address, for all accounts together.
        let (people, limit) = (try await model.accounts.signUp(all: (0..<10).map { "person\($0)" }), "192.0.2.1")
        for (number, person) in people.enumerated() {
            #expect(await change("new\(number)@example.org", person, limit) == nil)
            #expect(await change("new\(number)@example.org", person, limit) == nil)
        }
        #expect(await change(new, account, limit)?.code == .authRateLimited)
        #expect(await change(new, account) == nil)
        let system = try await model.accounts.systemAccount(username: "demo")
        #expect(
            await refusal {
                try await model.accounts.requestConfirmation(system, address: nil)
            } == .emailRequired)
        await model.close()
    }

    @Test func `an account can have at most three mails an hour sent, to whatever addresses`() async throws {
        let model = try await opened()
        let account = try await model.accounts.signUp("ada").account
        for number in 1...4 {
            let error = await refusal {
                try await model.accounts.changeEmail(account, to: "victim\(number)@example.org", address: nil)
            }
            #expect(error == (number < 3 ? nil : .rateLimited(retryAfterMilliseconds: 3_600_000)))
        }
        let own = await refusal {
            try await model.accounts.requestConfirmation(account, address: nil)
        }
        #expect(own == .rateLimited(retryAfterMilliseconds: 3_600_000))
        #expect(mail.all.map(\.to) == [ada, "victim1@example.org", "victim2@example.org"])
        // The limit does not hold for the operator.
        let code = try await model.accounts.confirmationCode(for: .id(account.uid))
        #expect(code.utf8.count == 43)
        calendar.advance(seconds: 3_600)
        try await model.accounts.requestConfirmation(account, address: nil)
        #expect(mail.all.count == 4)
        #expect(await confirm(model, try #require(mail.all.last?.code)) == nil)
        await model.close()
    }

    @Test func `the operator's codes confirm an address like mailed codes`() async throws {
        let model = try await opened()
        let uid = try await model.accounts.signUp("ada").account.uid
        let own = try await model.accounts.confirmationCode(for: .id(uid))
        #expect(await confirm(model, own) == nil)
        #expect(try await model.people.own(uid).isEmailConfirmed)
        let other = try await model.accounts.confirmationCode(for: .id(uid), email: new)
        #expect(await confirm(model, other) == nil)
        #expect(try await model.people.own(uid).email == new)
        #expect(
            await refusal {
                try await model.accounts.confirmationCode(for: .id(uid), email: "none")
            } == .emailInvalid)
        await model.close()
    }

    /// Goal: a user who lost a mailbox to an attacker and changed the address is safe from them. Way: the old mailbox
    /// got a code before.
    @Test func `a code mailed to the old address is void after the change`() async throws {
        let model = try await opened()
        let account = try await model.accounts.signUp("ada").account
        try model.accounts.requestRecovery(email: ada, address: nil)
        let mailed = try #require(await mail.code(2, to: ada))
        #expect(await confirm(model, try await change(model, account, to: new)) == nil)
        #expect(
            await refusal {
                try await model.accounts.recover(code: mailed, password: "evil-password")
            } == .codeInvalid)
        await model.close()
    }
}
