import SonaBase
import SonaCrypto
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct AccountsTests {
    @Test func `a sign-up makes user, profile and settings, and a token with the user's identity`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let grant = try await model.accounts.signUp(
            Accounts.SignUp(
                email: "  Ada@Example.org ", password: "correct horse", username: "Ada_L", displayName: "Ada Löwe",
                locale: .polish))
        #expect(grant.account.uid.rawValue.utf8.count == 28)
        #expect(grant.account.username?.rawValue == "Ada_L")
        #expect(!grant.account.isGuest)
        #expect(grant.expiresInSeconds == 900)
        #expect(try model.accounts.authenticate(accessToken: grant.accessToken) == grant.account)
        let own = try await model.people.own(grant.account.uid)
        #expect(own.email == "Ada@Example.org" && !own.isEmailConfirmed && own.role == .user)
        #expect(own.profile == Profile(displayName: "Ada Löwe"))
        #expect(own.settings.locale == .polish && own.settings.presence == .nobody)
        let again = try await model.accounts.signIn(
            email: "aDA@eXAMPLE.ORG", password: "correct horse", address: "192.0.2.1")
        #expect(again.account == grant.account)
        await model.close()

        let stored = try await Model.look(folder)
        let row = try await stored.read { db in
            try db.first(
                """
                SELECT password_hash, role, (SELECT count(*) FROM settings), (SELECT count(*) FROM refresh_tokens)
                FROM users
                """
            ) { row in
                (try row[0] as String, try row[1] as String, try row[2] as Int, try row[3] as Int)
            }
        }
        let user = try #require(row)
        #expect(user.0.hasPrefix("$scrypt$ln=4,r=8,p=1$") && user.1 == "user" && user.2 == 1 && user.3 == 2)
        await stored.close()
        // Neither the password nor a token is in the file.
        let file = try #require(TemporaryFolder.bytes(ofFile: folder.file("data/sona.sqlite")))
        let text = String(decoding: file, as: UTF8.self)
        #expect(!text.contains("correct horse") && !text.contains(grant.refreshToken))
    }

    @Test func `an invalid sign-up is refused with the code of its fault`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        func code(
            email: String = "a@b", password: String = "12345678", username: String = "ada", displayName: String? = nil
        ) async -> String? {
            let error = await refusal {
                try await model.accounts.signUp(
                    Accounts.SignUp(email: email, password: password, username: username, displayName: displayName))
            }
            return error?.code.text
        }
        let long = String(repeating: "x", count: 252)
        let longest = "a@" + Array(repeating: String(repeating: "x", count: 61), count: 4).joined(separator: ".") + ".c"
        for email in ["", "@", "a@", "@b", "a@b@c", "a b@c", "a\u{7F}@b", "a\0@b", "ab", "\(long)@bc", long + long] {
            #expect(await code(email: email) == "auth.email_invalid", "\(email)")
        }
        #expect(await code(email: "a@b" + String(repeating: " ", count: 2_000) + "c") == "auth.email_invalid")
        #expect(await code(email: "\(long)@b") == "auth.email_invalid")
        #expect(longest.utf8.count >= 250)
        #expect(await code(email: longest) == nil)
        for password in ["", "1234567", "123456\u{65}\u{301}", "1234567\0", String(repeating: "x", count: 129)] {
            let expected =
                password.unicodeScalars.count == 8 && !password.contains("\0") ? nil : "auth.password_unusable"
            #expect(await code(email: "\(password.utf8.count)@p", password: password, username: "pw8") == expected)
        }
        #expect(await code(email: "l@p", password: String(repeating: "é", count: 128), username: "long") == nil)
        #expect(
            await code(email: "e@p", password: String(repeating: "🎵", count: 129), username: "longer")
                == "auth.password_unusable")
        for username in ["", "ab", "_ab", "a b", "%%%", "é́e", String(repeating: "a", count: 25)] {
            #expect(await code(username: username) == "username.invalid", "\(username)")
        }
        #expect(await code(displayName: String(repeating: "x", count: 101)) == "request.invalid")
        #expect(await code(email: "d@n", username: "dn0", displayName: "") == nil)
        await model.close()
    }

    @Test func `names and addresses are taken regardless of case`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        _ = try await model.accounts.signUp("Ada")
        #expect(await refusal { try await model.accounts.signUp("aDA") } == .usernameTaken)
        let taken = await refusal {
            try await model.accounts.signUp(
                Accounts.SignUp(email: "aDA@example.org", password: "12345678", username: "other"))
        }
        #expect(taken == .emailTaken)
        let error = await refusal {
            try await model.accounts.signUp(
                Accounts.SignUp(email: "other@example.org", password: "12345678", username: "ADA"))
        }
        #expect(error == .usernameTaken)
        await model.close()
    }

    @Test func `of 50 concurrent sign-ups with one name exactly one succeeds`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let outcomes = await withTaskGroup(of: Refusal?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    await refusal {
                        try await model.accounts.signUp(
                            Accounts.SignUp(
                                email: "\(number)@example.org", password: "12345678",
                                username: number % 2 == 0 ? "wanted" : "WANTED"))
                    }
                }
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .usernameTaken } == 49)
        await model.close()
        let stored = try await Model.look(folder)
        let counts = try await stored.read { db in
            try db.first(
                """
                SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM profiles), (SELECT count(*) FROM settings),
                    (SELECT count(*) FROM refresh_tokens)
                """
            ) { row in [try row.next(), try row.next(), try row.next(), try row.next()] as [Int] }
        }
        #expect(counts == [1, 1, 1, 1])
        await stored.close()
    }

    @Test func `wrong passwords and unknown addresses get the same answer`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        _ = try await model.accounts.signUp("ada")
        for (email, password) in [
            ("ada@example.org", "wrong password"), ("nobody@example.org", "pass-ada-word"), ("ada@example.org", ""),
            ("nobody@example.org", ""), ("", ""), ("%@example.org", "pass-ada-word"), ("ada", "pass-ada-word"),
            ("ada@example.org", "pass-ada-word\0"), ("ada@example.org", String(repeating: "x", count: 100_000)),
        ] {
            let error = await refusal {
                try await model.accounts.signIn(email: email, password: password, address: nil)
            }
            #expect(error == .credentialsInvalid, "\(email)")
        }
        await model.close()
    }

    /// Goal: the time of an answer does not reveal who has an account. Way: a hash over 32 MiB takes more than 10 ms on
    /// any machine, and a refusal without one less than 1 ms. Load can only lengthen both.
    @Test func `an unknown address takes as long as a hash`() async throws {
        let folder = TemporaryFolder()
        let cost = try #require(PasswordHash.Cost(logN: 15, r: 8, p: 1))
        let model = try await Model.open(dataFolder: folder.file("data"), .test(cost: cost))
        for _ in 0..<3 {
            let start = ContinuousClock.now
            let error = await refusal {
                try await model.accounts.signIn(email: "nobody@example.org", password: "12345678", address: nil)
            }
            #expect(error == .credentialsInvalid)
            #expect(ContinuousClock.now - start > .milliseconds(10))
        }
        await model.close()
    }

    @Test func `twenty failures lock their network address for a quarter of an hour, and no other`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        _ = try await model.accounts.signUp("ada")
        // Each attempt is at another account, because guessing at one account has delays of its own.
        let guesses = Monitor(0)
        func fail() async -> Refusal? {
            let number = guesses.withLock {
                $0 += 1; return $0
            }
            return await refusal {
                try await model.accounts.signIn(
                    email: "nobody\(number)@example.org", password: "wrong one", address: "192.0.2.1")
            }
        }
        for _ in 0..<19 { #expect(await fail() == .credentialsInvalid) }
        _ = try await model.accounts.signIn("ada", address: "192.0.2.1")
        calendar.advance(seconds: 60)
        #expect(await fail() == .credentialsInvalid)
        #expect(await fail() == .rateLimited(retryAfterMilliseconds: 14 * 60 * 1_000))
        let right = await refusal {
            try await model.accounts.signIn("ada", address: "192.0.2.1")
        }
        #expect(right?.code == .authRateLimited)
        _ = try await model.accounts.signIn("ada", address: "192.0.2.2")
        _ = try await model.accounts.signIn("ada", address: nil)
        calendar.advance(seconds: 14 * 60)
        _ = try await model.accounts.signIn("ada", address: "192.0.2.1")
        await model.close()
    }

    @Test func `a password hashed at another cost is hashed again at its next use`() async throws {
        let folder = TemporaryFolder()
        try await {
            let model = try await Model.opened(folder)
            _ = try await model.accounts.signUp("ada")
            await model.close()
        }()
        let dearer = try #require(PasswordHash.Cost(logN: 5, r: 8, p: 1))
        for _ in 0..<2 {
            let model = try await Model.open(dataFolder: folder.file("data"), .test(cost: dearer))
            _ = try await model.accounts.signIn("ada")
            await model.close()
            let stored = try await Model.look(folder)
            let hash = try await stored.read { db in try db.value("SELECT password_hash FROM users", as: String.self) }
            #expect(hash?.hasPrefix("$scrypt$ln=5,") == true)
            await stored.close()
        }
    }

    @Test func `in a flood of sign-ups the queue is served and the rest is told to try again`() async throws {
        let folder = TemporaryFolder()
        let cost = try #require(PasswordHash.Cost(logN: 11, r: 8, p: 1))
        let model = try await Model.open(dataFolder: folder.file("data"), .test(cost: cost))
        let outcomes = await withTaskGroup(of: Refusal?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await refusal { try await model.accounts.signUp("user\(number)") }
                }
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        let served = outcomes.count { $0 == nil }
        #expect(served >= 64 && served < 200, "\(served)")
        for case let error? in outcomes {
            guard error.code == .authBusy, let wait = error.retryAfterMilliseconds else {
                Issue.record("\(error)")
                continue
            }
            #expect(250...60_000 ~= wait)
        }
        _ = try await model.accounts.signUp("late")
        await model.close()
    }

    @Test func `guests need no disk, and their token has their identity`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let guest = model.accounts.guest()
        #expect(guest.account.isGuest && guest.account.username == nil && guest.expiresInSeconds == 86_400)
        #expect(model.accounts.guest().account.uid != guest.account.uid)
        #expect(
            await refusal { try await model.people.own(guest.account.uid) } == .userUnknown)
        calendar.advance(seconds: 86_399)
        #expect(try model.accounts.authenticate(accessToken: guest.accessToken) == guest.account)
        calendar.advance(seconds: 1)
        #expect(throws: Refusal.tokenExpired) {
            try model.accounts.authenticate(accessToken: guest.accessToken)
        }
        // The closed model still authenticates guests: nothing about them is on the disk.
        await model.close()
        let other = model.accounts.guest()
        #expect(try model.accounts.authenticate(accessToken: other.accessToken) == other.account)
    }

    @Test func `texts that are not our tokens are refused`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        for text in [
            "", "x", "a.b.c", String(repeating: "A", count: 1 << 20), model.accounts.guest().accessToken + "x",
        ] {
            #expect(throws: Refusal.tokenInvalid) { try model.accounts.authenticate(accessToken: text) }
        }
        await model.close()
    }

    @Test func `the key set is one JSON object with one Ed25519 key`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let keys = model.accounts.publicKeysJSON
        #expect(keys.hasPrefix(#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":""#) && keys.hasSuffix("}]}"))
        #expect(!keys.contains(#""d":"#))
        await model.close()
    }
}
