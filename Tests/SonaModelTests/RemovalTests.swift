import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Export and removal of accounts.
struct RemovalTests {
    /// Ada has a row in every table. Bob follows her.
    private func filled() async throws -> (SignInFixture, ada: Accounts.Grant, bob: Accounts.Grant, RoomID) {
        let fixture = try await SignInFixture(.firebase)
        let (accounts, people) = (fixture.accounts, fixture.model.people)
        var ada = try await accounts.exchange(provider: "firebase", token: fixture.token("ada"), address: nil)
        let access = try await accounts.claim(username: "AdaLovelace", ada.account)
        ada = Accounts.Grant(
            account: try accounts.authenticate(accessToken: access.accessToken), accessToken: access.accessToken,
            expiresInSeconds: 900, refreshToken: ada.refreshToken)
        let bob = try await accounts.signUp("bob")
        let uid = ada.account.uid
        _ = try await people.update(
            ProfileUpdate(
                displayName: "Countess", bio: "Engine\u{1F3B5}\"\\\nx",
                links: [Link(title: "T", url: "https://a.example")],
                isPublic: true), of: uid)
        _ = try await fixture.model.photos.set(PhotoFixture.red, of: uid)
        let room = try await fixture.model.rooms.create(RoomSettings(title: "Analytical"), owner: uid)
        try await fixture.model.rooms.savePlaybacks([
            room.id: RoomStore.StoredPlayback(
                state: .playing, positionMicroseconds: 0, ratePPM: 1, anchorMonotonicMicroseconds: 0, clockID: "c",
                anchorWallMilliseconds: 0, revision: 1, hasAudio: true)
        ])
        _ = try await people.follow(.id(bob.account.uid), uid)
        _ = try await people.follow(.id(uid), bob.account.uid)
        let eve = try await accounts.signUp("eve").account.uid
        _ = try await people.block(.id(eve), uid)
        _ = try await people.block(.id(uid), eve)
        try await accounts.changeEmail(ada.account, to: "countess@example.org", address: nil)
        _ = try await accounts.ban(.id(uid), seconds: 1, reason: "Numbers.", by: nil)
        fixture.calendar.advance(seconds: 2)
        return (fixture, ada, bob, room.id)
    }

    // MARK: The export

    @Test func `the export contains everything stored about an account except secrets`() async throws {
        let (fixture, ada, bob, room) = try await filled()
        let (data, code) = try await fixture.accounts.export(ada.account)
        #expect(data["uid"]?.string == ada.account.uid.rawValue && data["username"]?.string == "AdaLovelace")
        #expect(data["email"]?.string == "ada@firebase.example" && data["email_confirmed"]?.bool == true)
        #expect(data["has_password"]?.bool == false && data["role"]?.string == "user")
        let profile = try #require(data["profile"])
        #expect(profile["display_name"]?.string == "Countess")
        #expect(profile["bio"]?.string == "Engine\u{1F3B5}\"\\\nx")
        #expect(profile["photo"]?["id"]?.string != nil && profile["links"]?.array?.count == 1)
        #expect(data["settings"]?["presence"]?.string == "nobody")
        #expect(data["identities"]?.array?.first?["name"]?.string == "firebase:\(SignInFixture.subjects["ada"] ?? "")")
        #expect(data["rooms"]?.array?.map { $0["id"]?.string } == [room.rawValue])
        #expect(data["following"]?.array?.map { $0["uid"]?.string } == [bob.account.uid.rawValue])
        #expect(data["followers"]?.integer == 1 && data["blocked"]?.array?.count == 1)
        #expect(data["sign_ins"]?.array?.count == 1)
        let kinds = try #require(data["journal"]?.array?.compactMap { $0["kind"]?.string })
        #expect(Set(kinds).isSuperset(of: ["sign_in", "username_claimed", "banned", "account_exported"]))
        let text = "\(data)"
        #expect(text.contains("Countess"))
        for secret in [code, ada.refreshToken, ada.accessToken, "scrypt"] { #expect(!text.contains(secret)) }
        await fixture.model.close()
    }

    @Test func `a very large export is complete`() async throws {
        let fixture = try await PeopleFixture("ada")
        let ada = fixture["ada"]
        try await Model.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO users (uid, created_ms) SELECT 'many' || i, 1 FROM n
            """, "INSERT INTO follows SELECT \(ada), uid, 1 FROM users WHERE uid LIKE 'many%'",
            "INSERT INTO blocks SELECT \(ada), uid, 1 FROM users WHERE uid LIKE 'many%'",
            "UPDATE profiles SET bio = \("NUL \0 and " + String(repeating: "\u{1}", count: 1_900))",
            in: fixture.folder)
        let account = Accounts.Account(
            uid: ada, username: nil, isGuest: false,
            authenticatedAt: fixture.calendar.clock.nowMilliseconds() / 1_000)
        let data = try await fixture.model.accounts.export(account).data
        #expect(data["following"]?.array?.count == 5_000 && data["blocked"]?.array?.count == 5_000)
        #expect(data["profile"]?["bio"]?.string?.hasPrefix("NUL \0 and") == true)
        await fixture.model.close()
    }

    // MARK: The removal

    @Test func `a removal needs a code from an export of the same account`() async throws {
        let (fixture, ada, bob, _) = try await filled()
        let accounts = fixture.accounts
        func remove(_ account: Accounts.Account, _ code: String) async -> Refusal? {
            await refusal { try await accounts.remove(account, code: code) }
        }
        let bobs = try await accounts.export(bob.account).code
        let codes = [try await accounts.export(ada.account).code, try await accounts.export(ada.account).code]
        for wrong in ["", "x", bobs, String(codes[0].dropLast()) + "!"] {
            #expect(await remove(ada.account, wrong) == .codeInvalid)
        }
        // The failed attempt with another account's code has not used it up.
        #expect(await remove(bob.account, codes[0]) == .codeInvalid)
        #expect(await remove(bob.account, bobs) == nil)
        #expect(await remove(bob.account, bobs) == .codeInvalid)
        fixture.calendar.advance(seconds: 3_600)
        let proved = try await accounts.reauthenticate(
            ada.account, provider: "firebase", token: fixture.token("ada"), address: nil
        ).account
        #expect(await remove(proved, codes[0]) == .codeInvalid)
        #expect(await remove(proved, try await accounts.export(proved).code) == nil)
        await fixture.model.close()
    }

    /// Goal: a removed account is erased everywhere except in the journal. Way: search every column of every table,
    /// those of the search index too, for the account's data.
    @Test func `after a removal only the journal still contains the account's identifier`() async throws {
        let (fixture, ada, bob, room) = try await filled()
        let uid = ada.account.uid
        let traces = [
            uid.rawValue, "adalovelace", "ada@firebase", "countess", "analytical", room.rawValue, "engine", "numbers",
        ]
        #expect(try await tables(with: traces, in: fixture.folder).count > 8)
        let code = try await fixture.accounts.export(ada.account).code
        let events = Monitor<[AccountEvent]>([])
        fixture.accounts.onEvent { event in events.withLock { $0.append(event) } }
        try await fixture.accounts.remove(ada.account, code: code)
        let told = events.withLock { $0 }
        #expect(told.contains(.roomsRemoved([room])) && told.contains(.expelled(uid)))
        let (named, all) = (
            try await tables(with: Array(traces.dropFirst()), in: fixture.folder),
            try await tables(with: traces, in: fixture.folder)
        )
        #expect(named == [])
        #expect(all == ["journal"])
        // Nobody else's data is gone.
        #expect(try await fixture.model.people.own(bob.account.uid).email == "bob@example.org")
        let line = try #require(try await fixture.lines(.accountRemoved).first)
        #expect(line.subject == uid.rawValue && line.detail == #"{"rooms":1}"#)
        await fixture.model.close()
    }

    /// Returns the names of tables that contain one of the texts in any column of any type.
    private func tables(with traces: [String], in folder: TemporaryFolder) async throws -> Set<String> {
        let beside = try await Model.look(folder)
        let found = try await beside.read { db in
            let names = try db.values("SELECT name FROM sqlite_schema WHERE type = 'table'", as: String.self)
            var found: Set<String> = []
            for name in names {
                let columns = try db.values("SELECT name FROM pragma_table_xinfo(\(name))", as: String.self)
                for column in columns {
                    let cell = "CAST(\(try SQL.identifier(column)) AS TEXT)" as SQL
                    for trace in traces {
                        let count: Int? = try db.value(
                            """
                            SELECT count(*) FROM \(try SQL.identifier(name))
                            WHERE instr(lower(\(cell)), lower(\(trace))) > 0
                            """)
                        if (count ?? 0) > 0 { found.insert(name) }
                    }
                }
            }
            return found
        }
        await beside.close()
        return found
    }

    /// Deleted rows can stay in free pages of the file until something overwrites them.
    @Test func `after a removal the closed file contains nothing of the account`() async throws {
        let (fixture, ada, _, _) = try await filled()
        let code = try await fixture.accounts.export(ada.account).code
        try await fixture.accounts.remove(ada.account, code: code)
        await fixture.model.close()
        let bytes = try #require(TemporaryFolder.bytes(ofFile: fixture.folder.file("data/sona.sqlite")))
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let left = ["adalovelace", "ada@firebase", "countess", "analytical", "numbers."].filter(text.contains)
        #expect(left == [])
    }

    @Test func `the tokens of a removed account are refused, also after a restart`() async throws {
        let (fixture, ada, bob, _) = try await filled()
        let other = try await fixture.prove()
        try await fixture.accounts.remove(ada.account, code: try await fixture.accounts.export(ada.account).code)
        for _ in 0..<2 {
            for token in [ada.accessToken, other.accessToken] {
                #expect(throws: Refusal.tokenInvalid) { try fixture.accounts.authenticate(accessToken: token) }
            }
            for token in [ada.refreshToken, try #require(other.refreshToken)] {
                #expect(
                    await refusal { try await fixture.accounts.refresh(token) }
                        == .refreshInvalid)
            }
            #expect(try fixture.accounts.authenticate(accessToken: bob.accessToken) == bob.account)
            try await fixture.reopen()
        }
        // Name and address are free again, and a new sign-up makes a new account.
        let name = Accounts.SignUp(email: "ada@firebase.example", password: "12345678", username: "AdaLovelace")
        _ = try await fixture.accounts.signUp(name)
        let again = try await fixture.prove().account
        #expect(again.username == nil)
        #expect(try await fixture.model.people.own(again.uid).profile.bio == nil)
        await fixture.model.close()
    }

    @Test func `of two concurrent removals of an account one succeeds`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let account = try await model.accounts.signUp("ada").account
        let code = try await model.accounts.export(account).code
        let outcomes = await withTaskGroup(of: Refusal?.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    await refusal { try await model.accounts.remove(account, code: code) }
                }
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .codeInvalid } == 9)
        #expect(try await model.journal.page(kind: .accountRemoved).count == 1)
        await model.close()
    }
}
