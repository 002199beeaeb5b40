import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Lists of people, search, and presence.
struct PeopleListTests {
    // MARK: Lists

    @Test func `each list has its own people, newest first`() async throws {
        let fixture = try await PeopleFixture("ada", "bob", "cyd", "dan", "eve")
        for name in ["bob", "cyd", "dan"] { try await fixture.follow("ada", name) }
        for name in ["cyd", "bob", "eve"] { try await fixture.follow(name, "ada") }
        try await fixture.block("ada", "dan")
        for limit in [1, 2, 100] {
            #expect(try await fixture.names(.following(of: nil), for: "ada", limit: limit) == ["cyd", "bob"])
            #expect(try await fixture.names(.followers(of: nil), for: "ada", limit: limit) == ["eve", "bob", "cyd"])
            #expect(try await fixture.names(.friends, for: "ada", limit: limit) == ["cyd", "bob"])
            #expect(try await fixture.names(.blocked, for: "ada", limit: limit) == ["dan"])
            #expect(try await fixture.names(.blocked, for: "dan", limit: limit) == [])
        }
        await fixture.model.close()
    }

    @Test func `another user's lists are visible if their profile is public, or to friends`() async throws {
        let fixture = try await PeopleFixture("ada", "bob", "cyd", "dan")
        try await fixture.follow("cyd", "ada")
        func page(_ asker: String) async -> Refusal? {
            await refusal {
                try await fixture.people.page(
                    .followers(of: fixture.user("ada")), for: fixture[asker], after: nil, limit: 10)
            }
        }
        #expect(await page("bob") == .userPrivate)
        #expect(await page("ada") == nil)
        // Following alone does not make them visible.
        #expect(await page("cyd") == .userPrivate)
        try await fixture.befriend("ada", "bob")
        #expect(await page("bob") == nil)
        try await fixture.show("ada")
        #expect(await page("dan") == nil)
        let nobody = try #require(UserReference("@nobody.here"))
        #expect(
            await refusal {
                try await fixture.people.page(.following(of: nobody), for: fixture["bob"], after: nil, limit: 10)
            } == .userUnknown)
        await fixture.model.close()
    }

    @Test func `users with a block between them do not see each other in lists`() async throws {
        let fixture = try await PeopleFixture("hester", "ada", "bob", "cyd")
        try await fixture.show("hester")
        for name in ["ada", "bob", "cyd"] { try await fixture.befriend(name, "hester") }
        try await fixture.block("bob", "ada")
        let host = fixture.user("hester")
        for list in [People.List.followers(of: host), .following(of: host)] {
            #expect(try await Set(fixture.names(list, for: "ada")) == ["ada", "cyd"])
            #expect(try await Set(fixture.names(list, for: "bob")) == ["bob", "cyd"])
            #expect(try await Set(fixture.names(list, for: "hester")) == ["ada", "bob", "cyd"])
        }
        await fixture.model.close()
    }

    /// Goal: pages contain everybody who stays in the list exactly once. Way: between any two pages one user is added
    /// and one removed.
    @Test func `pages stay consistent while the list changes`() async throws {
        let fixture = try await PeopleFixture("ada")
        let (early, late) = ((1...30).map { "early\($0)" }, (1...30).map { "late\($0)" })
        // All in one millisecond, so that the identifier decides the order.
        try await fixture.add(early, followers: "ada")
        fixture.calendar.advance(seconds: 1)
        var seen: [String] = []
        var gone: Set<String> = []
        var cursor: PageCursor?
        var round = 0
        repeat {
            let page = try await fixture.people.page(.followers(of: nil), for: fixture["ada"], after: cursor, limit: 4)
            seen += page.users.map { fixture.name(of: $0.user.uid) }
            cursor = page.nextCursor.flatMap(PageCursor.init)
            try await fixture.add([late[round]], followers: "ada")
            if let leaving = early.first(where: { !seen.contains($0) && !gone.contains($0) }) {
                gone.insert(leaving)
                _ = try await fixture.people.unfollow(fixture.user("ada"), fixture[leaving])
            }
            round += 1
        } while cursor != nil && round < 30
        #expect(Set(seen).count == seen.count)
        #expect(Set(seen) == Set(early).subtracting(gone))
        await fixture.model.close()
    }

    @Test func `only texts in the form of a cursor are accepted`() throws {
        let uid = try #require(UserID("a.b.c"))
        for sortKey in [0, 1, -5, Int64.max, .min] {
            let cursor = PageCursor(sortKey: sortKey, uid: uid)
            #expect(PageCursor(cursor.text) == cursor)
        }
        for text in ["", ".", "5", "5.", ".a", "x.a", "5 .a", "99999999999999999999.a", "5.a b", "\0"] {
            #expect(PageCursor(text) == nil, "\(text)")
        }
    }

    @Test func `the card of a private profile shows only the username`() async throws {
        let fixture = try await PeopleFixture("ada", "bob", "cyd")
        for name in ["bob", "cyd"] {
            _ = try await fixture.people.update(ProfileUpdate(displayName: "Shown \(name)"), of: fixture[name])
            _ = try await fixture.model.photos.set(PhotoFixture.red, of: fixture[name])
            try await fixture.follow(name, "ada")
        }
        try await fixture.show("cyd", displayName: "Shown cyd")
        let cards = try await fixture.people.page(.followers(of: nil), for: fixture["ada"], after: nil, limit: 9).users
        #expect(cards.map(\.displayName) == ["Shown cyd", nil])
        #expect(cards.map { $0.photo != nil } == [true, false])
        await fixture.model.close()
    }

    // MARK: Searching

    @Test func `public profiles are found by the beginnings of words, folded; others by their exact name`() async throws
    {
        let fixture = try await PeopleFixture("asker", "grace", "graham", "hidden", "lukasz")
        try await fixture.show("grace", displayName: "Murray Höpper")
        try await fixture.show("graham", displayName: "Bell")
        try await fixture.show("lukasz", displayName: "Łukasz Ćwik")
        _ = try await fixture.people.update(ProfileUpdate(displayName: "Murray Secret"), of: fixture["hidden"])
        func found(_ query: String) async throws -> Set<String> {
            let names = try await fixture.found(query, by: "asker")
            #expect(Set(names).count == names.count)
            return Set(names)
        }
        #expect(try await found("gra") == ["grace", "graham"])
        #expect(try await found("GRACE") == ["grace"])
        #expect(try await found("hopper") == ["grace"])
        #expect(try await found("murray HÖP") == ["grace"])
        #expect(try await found("lukasz cw") == ["lukasz"])
        #expect(try await found("opper") == [])
        #expect(try await found("secret") == [])
        #expect(try await found("hid") == [])
        #expect(try await found("hidden") == ["hidden"])
        #expect(try await found("@HIDDEN") == ["hidden"])
        #expect(try await found("@gra") == ["grace", "graham"])
        for odd in ["", "%", "\"", "*", "' OR 1=1", "grace\0", "NEAR(", "a AND", String(repeating: "a ", count: 50)] {
            _ = try await found(odd)
        }
        await fixture.model.close()
    }

    @Test func `the directory follows a profile and its name at once`() async throws {
        let fixture = try await PeopleFixture("asker", "grace")
        func found(_ query: String) async throws -> [String] { try await fixture.found(query, by: "asker") }
        #expect(try await found("grac") == [])
        try await fixture.show("grace", displayName: "Rear Admiral")
        #expect(try await found("grac") == ["grace"])
        let account = Accounts.Account(uid: fixture["grace"], username: Username("grace"), isGuest: false)
        _ = try await fixture.model.accounts.change(username: "hopper", from: try #require(Username("grace")), account)
        #expect(try await found("grac") == [])
        #expect(try await found("hopp") == ["grace"])
        _ = try await fixture.people.update(ProfileUpdate(displayName: ""), of: fixture["grace"])
        #expect(try await found("admiral") == [])
        _ = try await fixture.people.update(ProfileUpdate(isPublic: false), of: fixture["grace"])
        #expect(try await found("hopp") == [])
        #expect(try await Model.rowCounts(fixture.folder)["directory"] == 0)
        await fixture.model.close()
    }

    @Test func `a block hides both users from each other's searches`() async throws {
        let fixture = try await PeopleFixture("ada", "grace")
        try await fixture.show("ada")
        try await fixture.show("grace")
        try await fixture.block("grace", "ada")
        #expect(try await fixture.found("gra", by: "ada") == [])
        #expect(try await fixture.found("grace", by: "ada") == [])
        #expect(try await fixture.found("ada", by: "grace") == [])
        #expect(try await fixture.found("grace", by: "grace") == ["grace"])
        await fixture.model.close()
    }

    /// Goal: pages of a search miss nobody. Way: every match, with and without a user whose name is exactly the query,
    /// public and not, for pages of every size.
    @Test(arguments: [1, 2, 3, 7, 20, 100])
    func `pages of a search contain every match once`(_ limit: Int) async throws {
        let fixture = try await PeopleFixture("asker", "mary")
        let others = (1...20).map { "mary\($0)" }
        try await fixture.add(others)
        for isPublic in [false, true] {
            _ = try await fixture.people.update(ProfileUpdate(isPublic: isPublic), of: fixture["mary"])
            let names = try await fixture.found("mary", by: "asker", limit: limit)
            #expect(names.first == "mary")
            #expect(names.count == 21 && Set(names) == Set(others + ["mary"]))
        }
        await fixture.model.close()
    }

    // MARK: Presence

    @Test func `a user's room is visible only to those whom their setting allows`() async throws {
        let fixture = try await PeopleFixture("ada", "open", "mutual", "closed", "stranger")
        for (name, policy) in [
            ("open", PresencePolicy.followers), ("mutual", .friends), ("closed", .nobody), ("stranger", .followers),
        ] { try await fixture.consent(name, policy) }
        for name in ["open", "mutual", "closed"] { try await fixture.follow("ada", name) }
        let (all, guest) = (fixture.uids.values.sorted { $0.rawValue < $1.rawValue }, fixture.model.accounts.guest())
        func visible() async throws -> Set<String> {
            let cards = try await fixture.people.visible(all + [guest.account.uid], to: fixture["ada"])
            return Set(cards.map { fixture.name(of: $0.user.uid) })
        }
        #expect(try await visible() == ["open"])
        try await fixture.follow("mutual", "ada")
        try await fixture.follow("closed", "ada")
        #expect(try await visible() == ["open", "mutual"])
        try await fixture.block("open", "ada")
        #expect(try await visible() == ["mutual"])
        _ = try await fixture.people.unfollow(fixture.user("ada"), fixture["mutual"])
        #expect(try await visible() == [])
        #expect(try await fixture.people.visible([], to: fixture["ada"]).isEmpty)
        await fixture.model.close()
    }
}
