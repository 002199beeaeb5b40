import SonaDatabase
import SonaTestSupport
import SonaTransfer
import SonaWire
import Testing

@testable import SonaModel

/// Sign-ups: what they reveal about other accounts, and their limits.
struct SignUpTests {
    private let folder = TemporaryFolder()
    private let calendar = ManualCalendar()
    private let mail = Mailbox()

    private func opened() async throws -> Model { try await Model.opened(folder, calendar, mail: mail) }

    private func signUp(
        _ model: Model, _ username: String, email: String, from address: String? = "192.0.2.1"
    ) async -> Refusal? {
        await refusal {
            try await model.accounts.signUp(
                Accounts.SignUp(email: email, password: "a good password", username: username), address: address)
        }
    }

    /// Goal: sign-ups cannot be used to list accounts. Way: one client tries a hundred addresses, every second of which
    /// has an account.
    @Test func `one client learns of at most five taken addresses an hour`() async throws {
        let model = try await opened()
        for number in 0..<20 { _ = try await model.accounts.signUp("user\(number)") }
        var codes: [ErrorCode?] = []
        for number in 0..<40 {
            let taken = "user\(number / 2)@example.org"
            let email = number.isMultiple(of: 2) ? taken : "free\(number)@example.org"
            codes.append(await signUp(model, "probe\(number)", email: email)?.code)
        }
        #expect(codes.filter { $0 == .authEmailTaken }.count == 5)
        #expect(codes.suffix(30).allSatisfy { $0 == .authRateLimited })
        // Another client can still sign up, and this one an hour later.
        #expect(await signUp(model, "elsewhere", email: "e@example.org", from: "192.0.2.2") == nil)
        calendar.advance(seconds: 3_600)
        #expect(await signUp(model, "later", email: "later@example.org") == nil)
        await model.close()
    }

    @Test func `many clients together learn of a hundred taken addresses, and then of one each`() async throws {
        let model = try await opened()
        _ = try await model.accounts.signUp("ada")
        var learned = 0
        for client in 0..<60 {
            for number in 0..<5 {
                let error = await signUp(
                    model, "probe\(client)x\(number)", email: "ada@example.org", from: "198.51.100.\(client)")
                if error == .emailTaken { learned += 1 }
            }
        }
        #expect(learned == 100 + 40)
        // Sign-ups with free addresses still succeed.
        #expect(await signUp(model, "honest", email: "honest@example.org", from: "203.0.113.1") == nil)
        await model.close()
    }

    @Test func `a taken username is reported first and reveals nothing about the address`() async throws {
        let model = try await opened()
        _ = try await model.accounts.signUp("ada")
        for _ in 0..<20 { #expect(await signUp(model, "ada", email: "ada@example.org") == .usernameTaken) }
        #expect(await signUp(model, "bob", email: "ada@example.org") == .emailTaken)
        await model.close()
    }

    @Test func `the owner of an address that another sign-up names is told by mail, once a day`() async throws {
        let model = try await opened()
        let address = "ada@example.org"
        _ = try await model.accounts.signUp("ada")
        func notices() -> Int { mail.all.filter { $0.to == address && $0.subject == .addressTaken }.count }
        for number in 0..<4 {
            #expect(await signUp(model, "probe\(number)", email: "ADA@example.org") == .emailTaken)
        }
        let deadline = ContinuousClock.now + .seconds(20)
        while notices() == 0, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(2)) }
        try await Task.sleep(for: .milliseconds(50))
        #expect(notices() == 1)
        calendar.advance(seconds: 86_400)
        #expect(await signUp(model, "again", email: address) == .emailTaken)
        while notices() == 1, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(2)) }
        #expect(notices() == 2)
        await model.close()
    }

    @Test func `every attempt to sign up counts, successful or not`() async throws {
        let model = try await opened()
        _ = try await model.accounts.signUp("ada")
        for _ in 0..<300 { #expect(await signUp(model, "ada", email: "x@example.org") == .usernameTaken) }
        #expect(await signUp(model, "bob", email: "x@example.org")?.code == .authRateLimited)
        #expect(await signUp(model, "bob", email: "x@example.org", from: "192.0.2.2") == nil)
        await model.close()
    }

    @Test func `new accounts of an outside issuer's users count like any other`() async throws {
        let fixture = try await SignInFixture(.firebase)
        _ = try await fixture.prove("ada")
        var made = 0
        for number in 0..<310 {
            let token = fixture.token("sub-\(number)")
            let error = await refusal {
                try await fixture.accounts.exchange(
                    provider: "firebase", token: token, address: SignInFixture.address)
            }
            if error == nil { made += 1 } else { #expect(error?.code == .authRateLimited) }
        }
        #expect(made == 299)
        // Users with an account can still sign in.
        _ = try await fixture.prove("ada")
        await fixture.model.close()
    }

    @Test(arguments: [
        "ünï@example.org", "a@é.org", "a:b@example.org", "(c)a@example.org", "a..b@example.org", "\"a\"@example.org",
        "a@-x.org", "a@x_y.org", "a@[127.0.0.1]", String(repeating: "a", count: 65) + "@example.org", ".a@example.org",
    ])
    func `an undeliverable address is refused wherever an account would get it`(address: String) async throws {
        let model = try await opened()
        let account = try await model.accounts.signUp("ada").account
        #expect(await signUp(model, "bob", email: address) == .emailInvalid)
        #expect(
            await refusal {
                try await model.accounts.changeEmail(account, to: address, address: nil)
            } == .emailInvalid)
        #expect(
            await refusal {
                try await model.accounts.create(
                    email: address, password: "a good password", username: "bob", role: .user)
            } == .emailInvalid)
        // The mailer refuses it, too: both use the same rule.
        #expect(throws: TransferError.self) { try MailAddress(address) }
        await model.close()
    }

    @Test func `an account with an undeliverable address can still sign in with it`() async throws {
        let model = try await opened()
        _ = try await model.accounts.signUp("ada")
        try await Model.execute(
            "UPDATE users SET email = 'ünï@example.org', email_key = 'ünï@example.org'", in: folder)
        _ = try await model.accounts.signIn(email: "ünï@example.org", password: "pass-ada-word", address: nil)
        await model.close()
    }

    /// Goal: the server cannot be used to flood a mailbox. Way: for a day, from many addresses, everything that mails
    /// an owner who may not have asked for it.
    @Test func `a mailbox gets at most six mails an hour and twelve a day, whoever asks for them`() async throws {
        let model = try await opened()
        let victim = "victim@example.org"
        var accounts: [Accounts.Account] = []
        for number in 0..<10 { accounts.append(try await model.accounts.signUp("user\(number)").account) }
        func bomb() async {
            for account in accounts {
                _ = await refusal {
                    try await model.accounts.changeEmail(account, to: "Victim@Example.org", address: nil)
                }
            }
        }
        func mails() -> Int { mail.all.filter { EmailAddress($0.to)?.key == victim }.count }
        await bomb()
        #expect(mails() == 6)
        for _ in 0..<5 {
            calendar.advance(seconds: 3_600)
            for index in accounts.indices { accounts[index] = try await model.accounts.signIn("user\(index)").account }
            await bomb()
        }
        #expect(mails() == 12)
        #expect(
            await refusal {
                try await model.accounts.changeEmail(accounts[0], to: victim, address: nil)
            }?.code == .authRateLimited)
        await model.close()
    }
}
