import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// New passwords by recovery and by change.
struct RecoveryTests {
    private let folder = TemporaryFolder()
    private let calendar = ManualCalendar()
    private let mail = Mailbox()
    private let ada = "ada@example.org"

    private func opened() async throws -> Model { try await Model.opened(folder, calendar, mail: mail) }

    /// Requests a code and returns it from the mail.
    private func code(_ model: Model, to address: String = "ada@example.org") async throws -> String {
        let before = mail.codes(to: address).count
        try model.accounts.requestRecovery(email: address, address: nil)
        return try #require(await mail.code(before + 1, to: address))
    }

    private func recover(_ model: Model, _ code: String, _ password: String = "new-password") async -> Refusal? {
        await refusal { try await model.accounts.recover(code: code, password: password) }
    }

    /// Waits until work that was begun without an answer has usually been written or dropped.
    private func settle() async throws { try await Task.sleep(for: .milliseconds(500)) }

    // MARK: Codes

    @Test func `a code sets a password, confirms the address and ends every sign-in`() async throws {
        let model = try await opened()
        let (first, second) = (try await model.accounts.signUp("ada"), try await model.accounts.signIn("ada"))
        _ = try await model.accounts.signUp("bob")
        let ended = Monitor<[String]>([])
        model.accounts.onEvent { event in
            if case .signedOut(let family) = event { ended.withLock { $0.append(family) } }
        }
        let code = try await code(model)
        #expect(mail.all.last?.locale == .englishUS && mail.all.last?.username?.rawValue == "ada")
        let grant = try await model.accounts.recover(code: code, password: "new-password")
        #expect(grant.account.uid == first.account.uid && grant.account.authenticatedAt != nil)
        #expect(try model.accounts.authenticate(accessToken: grant.accessToken) == grant.account)
        #expect(Set(ended.withLock { $0 }) == Set([first, second].compactMap(\.account.family)))
        for old in [first, second] {
            #expect(throws: Refusal.tokenInvalid) { try model.accounts.authenticate(accessToken: old.accessToken) }
            let error = await refusal { try await model.accounts.refresh(old.refreshToken) }
            #expect(error == .refreshInvalid)
        }
        #expect(try await model.people.own(grant.account.uid).isEmailConfirmed)
        #expect(
            await refusal { try await model.accounts.signIn("ada") } == .credentialsInvalid)
        _ = try await model.accounts.signIn(email: ada, password: "new-password", address: nil)
        _ = try await model.accounts.signIn("bob")
        #expect(mail.all.last?.subject == .passwordChanged && mail.all.last?.to == ada)
        #expect(try await model.journal.page(kind: .recovered).count == 1)
        await model.close()
    }

    @Test func `of many concurrent uses of a code exactly one succeeds`() async throws {
        let model = try await opened()
        _ = try await model.accounts.signUp("ada")
        let code = try await code(model)
        let outcomes = await withTaskGroup(of: Refusal?.self) { group in
            for number in 0..<10 { group.addTask { await recover(model, code, "new-password\(number)") } }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .codeInvalid } == 9)
        #expect(await recover(model, code) == .codeInvalid)
        #expect(try await Model.rowCounts(folder)["refresh_tokens"] == 1)
        await model.close()
    }

    @Test func `a code is valid for an hour and not a millisecond longer, also after a restart`() async throws {
        var model = try await opened()
        _ = try await model.accounts.signUp("ada")
        let (early, late) = (try await code(model), try await code(model))
        calendar.advance(milliseconds: 3_599_999)
        await model.close()
        model = try await opened()
        #expect(await recover(model, early) == nil)
        #expect(await recover(model, late) == .codeInvalid)
        let last = try await code(model)
        calendar.advance(milliseconds: 3_600_000)
        #expect(await recover(model, last) == .codeInvalid)
        await model.close()
    }

    @Test func `several codes are valid until one of them is used`() async throws {
        for used in 0..<3 {
            let folder = TemporaryFolder()
            let mail = Mailbox()
            let model = try await Model.opened(folder, calendar, mail: mail)
            _ = try await model.accounts.signUp("ada")
            var codes: [String] = []
            for number in 1...3 {
                try model.accounts.requestRecovery(email: ada, address: nil)
                // The first mail is from the sign-up.
                codes.append(try #require(await mail.code(number + 1, to: ada)))
            }
            #expect(await recover(model, codes[used]) == nil)
            for code in codes { #expect(await recover(model, code, "other-password") == .codeInvalid) }
            await model.close()
        }
    }

    @Test func `an invalid code, or one for another purpose, sets no password`() async throws {
        let model = try await opened()
        let grant = try await model.accounts.signUp("ada")
        let confirmation = try #require(mail.codes(to: ada).first)
        let removal = try await model.accounts.export(grant.account).code
        let recovery = try await code(model)
        for wrong in [
            "", "x", confirmation, removal, recovery.lowercased(), recovery + "x", String(recovery.dropLast()),
        ] {
            #expect(await recover(model, wrong) == .codeInvalid, "\(wrong.count)")
        }
        #expect(
            await refusal { try await model.accounts.confirmEmail(code: recovery) }
                == .codeInvalid)
        #expect(
            await refusal { try await model.accounts.remove(grant.account, code: recovery) }
                == .codeInvalid)
        #expect(
            await refusal {
                try await model.accounts.remove(grant.account, code: confirmation)
            }
                == .codeInvalid)
        #expect(
            await refusal { try await model.accounts.confirmEmail(code: removal) }
                == .codeInvalid)
        for password in ["", "1234567", "1234567\0"] {
            #expect(await recover(model, recovery, password) == .passwordUnusable)
        }
        #expect(await recover(model, recovery) == nil)
        await model.close()
    }

    @Test func `a code is mailed to the stored spelling of the address, not the typed one`()
        async throws
    {
        let model = try await opened()
        _ = try await model.accounts.signUp("ada")
        try model.accounts.requestRecovery(email: "ADA@Example.org", address: nil)
        for _ in 0..<1_000 where mail.all.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        let address = try #require(mail.all.last).to
        #expect(address == ada)
        await model.close()
    }

    // MARK: Asking

    @Test func `an account gets at most three mails an hour, whoever asks`() async throws {
        let model = try await opened()
        _ = try await model.accounts.signUp("ada")
        for number in 0..<6 {
            try model.accounts.requestRecovery(email: number % 2 == 0 ? ada : "ADA@Example.org", address: nil)
        }
        try await settle()
        func recoveries() -> Int {
            mail.all.count { if case .recovery = $0.subject { true } else { false } }
        }
        for _ in 0..<1_000 where recoveries() < 3 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(recoveries() == 3)
        #expect(try await model.journal.page(kind: .recoveryRequested).count == 3)
        calendar.advance(seconds: 3_600)
        try model.accounts.requestRecovery(email: ada, address: nil)
        for _ in 0..<1_000 where recoveries() < 4 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(recoveries() == 4)
        await model.close()
    }

    @Test func `an unknown or invalid address gets the same answer and no mail`() async throws {
        let model = try await opened()
        _ = try await model.accounts.signUp("ada")
        let (mails, before) = (mail.all.count, try await Model.rowCounts(folder))
        for email in ["nobody@example.org", "", "@", "ada", "\0", String(repeating: "x", count: 100_000)] {
            try model.accounts.requestRecovery(email: email, address: nil)
        }
        try await settle()
        #expect(mail.all.count == mails)
        #expect(try await Model.rowCounts(folder) == before)
        await model.close()
    }

    @Test func `a network address can ask for mail twenty times an hour`() async throws {
        let model = try await opened()
        func ask(_ address: String) -> Refusal? {
            do throws(Refusal) {
                try model.accounts.requestRecovery(email: "nobody@example.org", address: address)
                return nil
            } catch {
                return error
            }
        }
        for _ in 0..<20 { #expect(ask("192.0.2.1") == nil) }
        #expect(ask("192.0.2.1") == .rateLimited(retryAfterMilliseconds: 3_600_000))
        #expect(ask("192.0.2.2") == nil)
        await model.close()
    }

    @Test func `a banned user cannot recover a password`() async throws {
        let model = try await opened()
        let uid = try await model.accounts.signUp("ada").account.uid
        let code = try await code(model)
        _ = try await model.accounts.ban(.id(uid), seconds: nil, reason: nil, by: nil)
        #expect(await recover(model, code) == .banned(retryAfterMilliseconds: nil))
        _ = try await model.accounts.unban(.id(uid), by: nil)
        #expect(await recover(model, code) == nil)
        await model.close()
    }

    // MARK: Changing

    @Test func `a change of password ends every sign-in and begins a new one`() async throws {
        let model = try await opened()
        let (first, second) = (try await model.accounts.signUp("ada"), try await model.accounts.signIn("ada"))
        for password in ["", "1234567", "12345678\0", String(repeating: "x", count: 129)] {
            let error = await refusal {
                try await model.accounts.changePassword(second.account, to: password)
            }
            #expect(error == .passwordUnusable)
        }
        let grant = try await model.accounts.changePassword(second.account, to: "new-password")
        for old in [first, second] {
            #expect(throws: Refusal.tokenInvalid) { try model.accounts.authenticate(accessToken: old.accessToken) }
        }
        #expect(try model.accounts.authenticate(accessToken: grant.accessToken) == grant.account)
        _ = try await model.accounts.refresh(grant.refreshToken)
        #expect(
            await refusal { try await model.accounts.signIn("ada") } == .credentialsInvalid)
        #expect(mail.all.last?.subject == .passwordChanged)
        await model.close()
    }

    @Test func `the operator can set passwords and hand out codes`() async throws {
        let model = try await opened()
        let grant = try await model.accounts.signUp("ada")
        let reference = UserReference.id(grant.account.uid)
        try await model.accounts.setPassword(of: reference, to: "by-operator")
        #expect(throws: Refusal.tokenInvalid) { try model.accounts.authenticate(accessToken: grant.accessToken) }
        _ = try await model.accounts.signIn(email: ada, password: "by-operator", address: nil)
        let code = try await model.accounts.recoveryCode(for: reference)
        #expect(await recover(model, code) == nil)
        let nobody = try #require(UserReference("@nobody.here"))
        #expect(
            await refusal { try await model.accounts.recoveryCode(for: nobody) }
                == .userUnknown)
        let system = try await model.accounts.systemAccount(username: "demo").uid
        #expect(
            await refusal { try await model.accounts.recoveryCode(for: .id(system)) }
                == .emailRequired)
        #expect(
            await refusal {
                try await model.accounts.setPassword(of: .id(system), to: "by-operator")
            } == .emailRequired)
        await model.close()
    }

    @Test func `a code handed over by the operator confirms no address`() async throws {
        let model = try await opened()
        let uid = try await model.accounts.signUp("ada").account.uid
        let code = try await model.accounts.recoveryCode(for: .id(uid))
        #expect(await recover(model, code) == nil)
        let isConfirmed = try await model.people.own(uid).isEmailConfirmed
        #expect(!isConfirmed)
        await model.close()
    }

    /// Goal: a user who sets a new password is alone in control of the account. Way: use the codes given out before.
    @Test func `a new password voids all codes given out before`() async throws {
        let model = try await opened()
        let thief = try await model.accounts.signUp("ada")
        let mailed = try await code(model)
        let byOperator = try await model.accounts.recoveryCode(for: .id(thief.account.uid))
        try await model.accounts.changeEmail(thief.account, to: "evil@example.org", address: nil)
        let evil = try #require(mail.codes(to: "evil@example.org").first)
        _ = try await model.accounts.changePassword(thief.account, to: "new-password")
        #expect(await recover(model, mailed, "evil-password") == .codeInvalid)
        #expect(await recover(model, byOperator, "evil-password") == .codeInvalid)
        #expect(
            await refusal { try await model.accounts.confirmEmail(code: evil) }
                == .codeInvalid)
        await model.close()
    }
}
