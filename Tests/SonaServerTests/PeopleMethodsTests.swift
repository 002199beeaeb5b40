import SonaBase
import SonaModel
import SonaWire
import Testing

@testable import SonaServer

struct PeopleMethodsTests {
    @Test func `two people who follow each other are friends`() async throws {
        let fixture = try await MethodsFixture()
        let (ada, bob) = (try await fixture.signUp("ada"), try await fixture.signUp("bob"))
        let first = try await fixture.people.follow(PeopleFollow(user: .id(bob.uid)), ada)
        let second = try await fixture.people.follow(PeopleFollow(user: .id(ada.uid)), bob)
        #expect(first.relation.isFollowing && !first.relation.isFollowedBy)
        #expect(second.relation.isFollowing && second.relation.isFollowedBy)
        let friends = try await fixture.people.friends(PeopleFriends(limit: 10, cursor: nil), ada)
        #expect(friends.users.map(\.user.uid) == [bob.uid])
        await fixture.close()
    }

    @Test func `blocking and unblocking change which rooms the two see`() async throws {
        let fixture = try await MethodsFixture()
        let (ada, bob) = (try await fixture.signUp("ada"), try await fixture.signUp("bob"))
        _ = try await fixture.people.block(PeopleBlock(user: .id(bob.uid)), ada)
        _ = try await fixture.people.unblock(PeopleUnblock(user: .id(bob.uid)), ada)
        #expect(fixture.circles.withLock { $0 } == [[ada.uid, bob.uid], [ada.uid, bob.uid]])
        await fixture.close()
    }

    @Test func `a block of oneself and a cursor that is invalid are refused`() async throws {
        let fixture = try await MethodsFixture()
        let ada = try await fixture.signUp("ada")
        let oneself = PeopleBlock(user: .id(ada.uid))
        #expect(await fixture.refusal { try await fixture.people.block(oneself, ada) } == .requestInvalid)
        #expect(fixture.circles.withLock { $0 }.isEmpty)
        let page = PeopleFriends(limit: 10, cursor: "not a cursor")
        #expect(await fixture.refusal { try await fixture.people.friends(page, ada) } == .requestInvalid)
        let search = UserSearch(query: "ada", limit: 10, cursor: "-1")
        #expect(await fixture.refusal { try await fixture.people.search(search, ada) } == .requestInvalid)
        await fixture.close()
    }

    @Test func `users see their own profile, and others the public part of it`() async throws {
        let fixture = try await MethodsFixture()
        let (ada, bob) = (try await fixture.signUp("ada"), try await fixture.signUp("bob"))
        let me = try await fixture.people.me(UserMe(), ada)
        #expect(me.email == "ada@example.org" && me.role == .user && me.permissions.contains("people.follow"))
        let seen = try await fixture.people.details(UserGet(user: .id(ada.uid)), bob)
        #expect(seen.user.uid == ada.uid)
        await fixture.close()
    }

    @Test func `the operator administers without an account, and an unknown user is refused`() async throws {
        let fixture = try await MethodsFixture()
        let ada = try await fixture.signUp("ada")
        let banned = try await fixture.administration.ban(
            UsersBan(user: .id(ada.uid), seconds: nil, reason: nil), nil)
        #expect(banned.user.user.uid == ada.uid && banned.user.ban != nil)
        let nobody = UsersUnban(user: .id(try #require(UserID("nobody-at-all"))))
        #expect(await fixture.refusal { try await fixture.administration.unban(nobody, nil) } == .userNotFound)
        await fixture.close()
    }
}
