import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Relations between two users, and what they see of each other.
struct PeopleTests {
    @Test func `following has a direction, and friends are two who follow each other`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        #expect(try await fixture.people.follow(fixture.user("bob"), fixture["ada"]) == Relation(isFollowing: true))
        #expect(try await fixture.relation("bob", "ada") == Relation(isFollowedBy: true))
        // A second follow is not an error and changes nothing.
        #expect(try await fixture.people.follow(fixture.user("bob"), fixture["ada"]) == Relation(isFollowing: true))
        let friends = try await fixture.people.follow(.username(try #require(Username("ADA"))), fixture["bob"])
        #expect(friends.areFriends)
        #expect(try await fixture.relation("ada", "bob")?.areFriends == true)
        let details = try await fixture.people.details(of: fixture.user("bob"), for: fixture["ada"])
        #expect(details.followerCount == 1 && details.followingCount == 1)
        #expect(try await fixture.people.unfollow(fixture.user("bob"), fixture["ada"]) == Relation(isFollowedBy: true))
        #expect(try await fixture.people.unfollow(fixture.user("bob"), fixture["ada"]) == Relation(isFollowedBy: true))
        #expect(try await fixture.relation("bob", "ada") == Relation(isFollowing: true))
        await fixture.model.close()
    }

    @Test func `actions on oneself or on an unknown user are refused`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        let people = fixture.people
        let calls: [(UserReference, UserID) async throws(Refusal) -> Relation] = [
            people.follow, people.unfollow, people.block, people.unblock,
        ]
        let nobody = try #require(UserReference("@nobody.here"))
        let guest = fixture.model.accounts.guest().account.uid
        for call in calls {
            for oneself in [fixture.user("ada"), .username(try #require(Username("aDa")))] {
                #expect(
                    await refusal { try await call(oneself, fixture["ada"]) } == .oneself)
            }
            for unknown in [nobody, .id(guest)] {
                #expect(
                    await refusal { try await call(unknown, fixture["ada"]) } == .userUnknown
                )
            }
            #expect(
                await refusal { try await call(fixture.user("ada"), guest) } == .tokenInvalid
            )
        }
        let counts = try await Model.rowCounts(fixture.folder)
        #expect(counts["follows"] == 0 && counts["blocks"] == 0)
        await fixture.model.close()
    }

    @Test func `a block ends following in both directions and prevents it`() async throws {
        let fixture = try await PeopleFixture("ada", "bob", "cyd")
        let people = fixture.people
        try await fixture.befriend("ada", "bob")
        try await fixture.befriend("ada", "cyd")
        #expect(try await people.block(fixture.user("bob"), fixture["ada"]) == Relation(isBlocked: true))
        #expect(try await people.block(fixture.user("bob"), fixture["ada"]) == Relation(isBlocked: true))
        #expect(try await fixture.relation("ada", "cyd")?.areFriends == true)
        func follow(_ followed: String, _ follower: String) async -> Refusal? {
            await refusal {
                try await people.follow(fixture.user(followed), fixture[follower])
            }
        }
        #expect(await follow("bob", "ada") == .userBlocked)
        #expect(await follow("ada", "bob") == .userUnknown)
        #expect(
            await refusal {
                try await people.unfollow(fixture.user("ada"), fixture["bob"])
            } == .userUnknown)
        // A blocked user can block, too, and then stays hidden after the other lifts their block.
        #expect(try await people.block(fixture.user("ada"), fixture["bob"]) == Relation(isBlocked: true))
        #expect(try await people.unblock(fixture.user("bob"), fixture["ada"]) == Relation())
        #expect(await follow("bob", "ada") == .userUnknown)
        #expect(try await people.unblock(fixture.user("ada"), fixture["bob"]) == Relation())
        // Lifting a block does not restore follows.
        #expect(try await fixture.relation("ada", "bob") == Relation())
        #expect(await follow("bob", "ada") == nil)
        #expect(try await !people.hasBlocked(fixture["ada"], fixture["bob"]))
        await fixture.model.close()
    }

    @Test func `a user does not exist for those whom they have blocked`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        try await fixture.show("ada")
        try await fixture.block("ada", "bob")
        for reference in [fixture.user("ada"), .username(try #require(Username("ada")))] {
            let error = await refusal {
                try await fixture.people.details(of: reference, for: fixture["bob"])
            }
            #expect(error == .userUnknown)
        }
        for list in [People.List.followers(of: fixture.user("ada")), .following(of: fixture.user("ada"))] {
            let error = await refusal {
                try await fixture.people.page(list, for: fixture["bob"], after: nil, limit: 10)
            }
            #expect(error == .userUnknown)
        }
        #expect(try await fixture.relation("ada", "bob") == Relation(isBlocked: true))
        #expect(try await fixture.people.hasBlocked(fixture["ada"], fixture["bob"]))
        #expect(try await !fixture.people.hasBlocked(fixture["bob"], fixture["ada"]))
        await fixture.model.close()
    }

    /// Goal: concurrent actions of two users leave a consistent state. Way: following and blocking each other in every
    /// order. In the end nobody follows across a block.
    @Test func `following and blocking at once never leave a follow across a block`() async throws {
        for _ in 0..<20 {
            let fixture = try await PeopleFixture("ada", "bob")
            let (people, ada, bob) = (fixture.people, fixture["ada"], fixture["bob"])
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await people.follow(.id(bob), ada) }
                group.addTask { _ = try? await people.block(.id(ada), bob) }
                group.addTask { _ = try? await people.follow(.id(ada), bob) }
            }
            let counts = try await Model.rowCounts(fixture.folder)
            #expect(counts["blocks"] == 1 && counts["follows"] == 0)
            await fixture.model.close()
        }
    }

    @Test func `a private profile is shown only to friends and its owner`() async throws {
        let fixture = try await PeopleFixture("ada", "bob", "cyd")
        let update = ProfileUpdate(displayName: "Ada", bio: "B", links: [Link(url: "https://a.example")])
        let profile = try await fixture.people.update(update, of: fixture["ada"])
        func shown(to asker: String?) async throws -> Profile? {
            try await fixture.people.details(of: fixture.user("ada"), for: asker.map { fixture[$0] }).profile
        }
        #expect(try await shown(to: "ada") == profile)
        #expect(try await shown(to: "bob") == nil)
        #expect(try await shown(to: nil) == nil)
        try await fixture.follow("bob", "ada")
        #expect(try await shown(to: "bob") == nil)
        try await fixture.follow("ada", "bob")
        #expect(try await shown(to: "bob") == profile)
        #expect(try await shown(to: "cyd") == nil)
        try await fixture.show("ada")
        for asker in ["ada", "bob", "cyd", nil] { #expect(try await shown(to: asker)?.displayName == "Ada") }
        await fixture.model.close()
    }

    @Test func `an update changes only the given fields of profile and settings`() async throws {
        let fixture = try await PeopleFixture("ada")
        let (people, ada) = (fixture.people, fixture["ada"])
        let links = [Link(title: "Site", url: "https://a.example"), Link(url: "http://b.example")]
        _ = try await people.update(
            ProfileUpdate(displayName: "Ada", bio: "Löwe", links: links, isPublic: true), of: ada)
        #expect(
            try await people.update(ProfileUpdate(), of: ada)
                == Profile(displayName: "Ada", bio: "Löwe", isPublic: true, links: links))
        #expect(
            try await people.update(ProfileUpdate(displayName: "", bio: "", links: []), of: ada)
                == Profile(isPublic: true))
        let settings = try await people.update(
            SettingsUpdate(locale: .polish, theme: .dark, shading: true, presence: .friends), of: ada)
        #expect(settings.locale == .polish && settings.theme == .dark && settings.shading)
        #expect(settings.delivery == .party && settings.visibility == .public)
        #expect(try await people.update(SettingsUpdate(), of: ada) == settings)
        #expect(try await people.own(ada).settings == settings)
        let lines = try await people.update(ProfileUpdate(displayName: " Ada ", bio: "one\r\ntwo\n"), of: ada)
        #expect(lines.displayName == "Ada" && lines.bio == "one\ntwo")
        #expect(
            await refusal {
                try await people.update(ProfileUpdate(bio: "a\u{202E}b"), of: ada)
            } == .bioInvalid)
        #expect(try await people.own(ada).profile.bio == "one\ntwo")
        let guest = fixture.model.accounts.guest().account.uid
        #expect(
            await refusal { try await people.update(ProfileUpdate(bio: "x"), of: guest) }
                == .userUnknown)
        #expect(
            await refusal { try await people.update(SettingsUpdate(), of: guest) }
                == .userUnknown)
        await fixture.model.close()
    }

    /// The other users are added by SQL, because 5 000 sign-ups would take minutes.
    @Test func `a user can follow and block 5 000 others, and not one more`() async throws {
        let fixture = try await PeopleFixture("ada", "bob", "cyd")
        let ada = fixture["ada"]
        for table in ["follows", "blocks"] as [SQL] {
            try await Model.execute(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
                INSERT OR IGNORE INTO users (uid, created_ms) SELECT 'many' || i, 1 FROM n
                """,
                """
                INSERT INTO \(table) SELECT \(ada), uid, 1 FROM users WHERE uid LIKE 'many%'
                """, in: fixture.folder)
        }
        #expect(try await fixture.people.follow(fixture.user("bob"), ada).isFollowing)
        #expect(
            await refusal { try await fixture.people.follow(fixture.user("cyd"), ada) }
                == .peopleLimitReached)
        // An existing follow or block needs no further place.
        #expect(try await fixture.people.follow(fixture.user("bob"), ada).isFollowing)
        #expect(try await fixture.people.block(fixture.user("bob"), ada).isBlocked)
        #expect(
            await refusal { try await fixture.people.block(fixture.user("cyd"), ada) }
                == .peopleLimitReached)
        #expect(try await fixture.people.block(fixture.user("bob"), ada).isBlocked)
        // The block has ended a follow, which frees a place.
        #expect(try await fixture.people.follow(fixture.user("cyd"), ada).isFollowing)
        #expect(try await fixture.people.followed(by: ada).count == 5_000)
        await fixture.model.close()
    }
}
