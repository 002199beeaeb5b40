import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaText
import SonaWire
import Testing

@testable import SonaModel

/// Who may have which name.
struct UsernameTests {
    /// Accounts without a name, as outside issuers make them, by SQL: they are cheap.
    private func nameless(_ count: Int, in folder: TemporaryFolder) async throws -> [Accounts.Account] {
        let beside = try await Model.look(folder)
        let uids = (0..<count).compactMap { UserID("nameless\($0)") }
        try await beside.write { db in
            for uid in uids { try UserDAO.add(UserRecord(uid, username: nil, createdMilliseconds: 1), nil, in: &db) }
        }
        await beside.close()
        return uids.map { Accounts.Account(uid: $0, username: nil, isGuest: false) }
    }

    private func name(_ text: String) throws -> Username { try #require(Username(text)) }

    /// Goal: a name has one owner whoever comes when. Way: 200 accounts claim one name, in four spellings, at once.
    @Test func `of 200 who claim a name at once exactly one has it`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let people = try await nameless(200, in: folder)
        let spellings = ["alice", "ALICE", "aIice", "al1ce"]
        let outcomes = await withTaskGroup(of: Refusal?.self) { group in
            for (number, person) in people.enumerated() {
                group.addTask {
                    await refusal {
                        try await model.accounts.claim(username: spellings[number % 4], person)
                    }
                }
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .usernameTaken } == 199)
        let beside = try await Model.look(folder)
        let named = try await beside.read { db in try db.count(UserRecord.filter(UserRecord.username != nil)) }
        let looks = try await beside.read { db in try db.count(UsernameLookRecord.self) }
        await beside.close()
        #expect(named == 1 && looks == 1)
        #expect(try await model.journal.page(kind: .usernameClaimed).count == 1)
        await model.close()
    }

    @Test func `a name that looks like somebody's is taken`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        _ = try await model.accounts.signUp("William")
        let other = try await nameless(1, in: folder)[0]
        for typed in ["william", "WILLIAM", "wiIliam", "wi11iam", "vvilliam", "wlliiam", "williarn"] {
            let error = await refusal {
                try await model.accounts.claim(username: typed, other)
            }
            #expect(error == .usernameTaken, "\(typed)")
        }
        _ = try await model.accounts.claim(username: "Williams", other)
        await model.close()
    }

    @Test func `the first name is claimed once, and told to old tokens`() async throws {
        let folder = TemporaryFolder()
        let firebase = try #require(FirebaseFixture())
        var model = try await Model.opened(folder, firebase.calendar, firebase: firebase.tokens)
        let grant = try await model.accounts.exchange(provider: "firebase", token: firebase.token(), address: nil)
        let events = Monitor<[AccountEvent]>([])
        model.accounts.onEvent { event in events.withLock { $0.append(event) } }
        let access = try await model.accounts.claim(username: "Ada", grant.account)
        #expect(access.account.username?.rawValue == "Ada" && access.account.family == grant.account.family)
        #expect(events.withLock { $0 } == [.changed(grant.account.uid, username: Username("Ada"), role: .user)])
        let again = await refusal {
            try await model.accounts.claim(username: "Ada2", access.account)
        }
        #expect(again == .usernameAlreadyChosen)
        for _ in 0..<2 {
            #expect(try model.accounts.authenticate(accessToken: grant.accessToken).username?.rawValue == "Ada")
            await model.close()
            model = try await Model.opened(folder, firebase.calendar, firebase: firebase.tokens)
        }
        #expect(try await model.accounts.refresh(grant.refreshToken).account.username?.rawValue == "Ada")
        await model.close()
    }

    @Test func `a name is changed by who says the old one, and the old one is free in fourteen days`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let people = try await model.accounts.signUp(all: ["ada", "bob"])
        func change(_ typed: String, from old: String) async throws -> Refusal? {
            let old = try name(old)
            return await refusal {
                try await model.accounts.change(username: typed, from: old, people[0])
            }
        }
        #expect(try await change("grace", from: "bob") == .usernameMismatch)
        #expect(try await change("grace", from: "adaa") == .usernameMismatch)
        #expect(try await change("bob", from: "ada") == .usernameTaken)
        #expect(try await change("b0b", from: "ada") == .usernameTaken)
        #expect(try await change("admin", from: "ada") == .usernameInvalid(.reserved))
        #expect(try await change("a", from: "ada") == .usernameInvalid(.tooShort(minimum: 3)))
        #expect(try await change("ADA", from: "aDa") == nil)
        #expect(try await change("grace", from: "ada") == nil)
        #expect(try await change("ada2", from: "ada") == .usernameMismatch)
        calendar.advance(milliseconds: HeldNameRecord.heldMilliseconds)
        let again = try await model.accounts.signUp(
            Accounts.SignUp(email: "new@example.org", password: "12345678", username: "Ada"))
        #expect(again.account.uid != people[0].uid)
        #expect(try await change("ada", from: "grace") == .usernameTaken)
        let nobody = try #require(UserID("gone"))
        let gone = await refusal {
            try await model.accounts.claim(
                username: "ghost", Accounts.Account(uid: nobody, username: nil, isGuest: true))
        }
        #expect(gone == .userUnknown)
        await model.close()
    }

    @Test func `what is asked about a name decides nothing and offers what is free`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let ada = try await model.accounts.signUp("ada").account
        func check(_ typed: String, _ account: Accounts.Account? = nil) async throws -> Accounts.Availability {
            try await model.accounts.check(username: typed, for: account, address: nil)
        }
        #expect(try await check("grace") == Accounts.Availability(refusal: nil, suggestions: []))
        #expect(try await check("ADA", ada).refusal == nil)
        for (typed, expected) in [
            ("ada", Refusal.usernameTaken), ("aDa", .usernameTaken), ("sona", .usernameInvalid(.reserved)),
            ("ad.min", .usernameInvalid(.reserved)), ("", .usernameInvalid(.empty)),
            ("ab", .usernameInvalid(.tooShort(minimum: 3))), ("a b c", .usernameInvalid(.invalidCharacter(at: 1))),
            ("%%%", .usernameInvalid(.invalidCharacter(at: 0))),
            (String(repeating: "x", count: 256), .usernameInvalid(.tooLong(maximum: 24))),
        ] {
            let answer = try await check(typed)
            #expect(answer.refusal == expected, "\(typed)")
            #expect(answer.suggestions.count <= 5)
            #expect(Set(answer.suggestions.map(\.key)).count == answer.suggestions.count)
            for suggestion in answer.suggestions {
                #expect(try await check(suggestion.rawValue).refusal == nil, "\(suggestion)")
            }
        }
        #expect(try await check("ada").suggestions.count == 5)
        // A suggestion can be had.
        let free = try #require(try await check("ada").suggestions.first)
        let person = try await nameless(1, in: folder)[0]
        #expect(try await model.accounts.claim(username: free.rawValue, person).account.username == free)
        await model.close()
    }

    @Test func `names are asked for as fast as somebody types, and no faster`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        func check(_ address: String?) async -> Refusal? {
            await refusal {
                try await model.accounts.check(username: "grace", for: nil, address: address)
            }
        }
        for _ in 0..<60 { #expect(await check("192.0.2.1") == nil) }
        calendar.advance(seconds: 20)
        #expect(await check("192.0.2.1") == .rateLimited(retryAfterMilliseconds: 40_000))
        #expect(await check("192.0.2.2") == nil)
        #expect(await check(nil) == nil)
        calendar.advance(seconds: 40)
        #expect(await check("192.0.2.1") == nil)
        await model.close()
    }
}
