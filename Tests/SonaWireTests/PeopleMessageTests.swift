import SonaWire
import Testing

/// Requests and results of accounts, people and permissions, as programs make them.
@Suite struct PeopleMessageTests {
    @Test func `every request of accounts encodes and decodes to itself`() throws {
        let username = try #require(Username("ada"))
        try roundTrip(AuthSignUp(email: "a@b", password: "12345678", username: username, locale: .polish))
        try roundTrip(AuthExchange(provider: "firebase", token: "t"))
        try roundTrip(AuthReauthenticate(proof: .password("")))
        try roundTrip(AuthReauthenticate(proof: .provider("firebase", token: "t")))
        try roundTrip(AuthSignOutEverywhere())
        try roundTrip(AuthChangePassword(newPassword: "12345678"))
        try roundTrip(AuthRequestRecovery(email: ""))
        try roundTrip(AuthRecover(code: "c", newPassword: "12345678"))
        try roundTrip(AuthRequestConfirmation())
        try roundTrip(AuthConfirmEmail(code: "c"))
        try roundTrip(AuthChangeEmail(email: "a@b"))
        try roundTrip(AccountExport())
        try roundTrip(AccountRemove(code: "c"))
    }

    @Test func `every request of people encodes and decodes to itself`() throws {
        let (user, username) = (try Samples.reference, try #require(Username("ada")))
        try roundTrip(UsernameCheck(username: ""))
        try roundTrip(UsernameClaim(username: username))
        try roundTrip(UsernameChange(oldUsername: username, username: try #require(Username("Ada.L"))))
        try roundTrip(UserGet(user: user))
        try roundTrip(UserSearch(query: "a"))
        try roundTrip(UserSearch(query: "a", limit: 100, cursor: "c"))
        try roundTrip(ProfileUpdate())
        try roundTrip(ProfileUpdate(displayName: "", bio: "", links: [], isPublic: false))
        try roundTrip(ProfileUpdate(links: [Link(url: "https://a"), Link(title: "A", url: "http://b")]))
        try roundTrip(PhotoRemove())
        try roundTrip(SettingsUpdate())
        try roundTrip(
            SettingsUpdate(
                locale: .spanish, theme: .system, shading: false, delivery: .interactive, visibility: .private,
                presence: .nobody))
        try roundTrip(PeopleFollow(user: user))
        try roundTrip(PeopleUnfollow(user: user))
        try roundTrip(PeopleBlock(user: user))
        try roundTrip(PeopleUnblock(user: user))
        try roundTrip(PeopleFollowers())
        try roundTrip(PeopleFollowing(user: user, limit: 1, cursor: "c"))
        try roundTrip(PeopleFriends())
        try roundTrip(PeopleBlocked(limit: 100, cursor: "c"))
        try roundTrip(PeoplePresence())
    }

    @Test func `every request of admins encodes and decodes to itself`() throws {
        let user = try Samples.reference
        try roundTrip(UsersList())
        try roundTrip(UsersList(query: "a", role: .curator, isBanned: false, limit: 1, cursor: "c"))
        try roundTrip(UsersBan(user: user))
        try roundTrip(UsersBan(user: user, seconds: Limits.banSeconds.upperBound, reason: "Noise."))
        try roundTrip(UsersUnban(user: user))
        try roundTrip(UsersSetRole(user: user, role: .admin))
        try roundTrip(JournalList())
        try roundTrip(JournalList(before: 1, limit: 200, kind: "banned", user: user))
        try roundTrip(JournalVerify())
    }

    @Test func `every result of accounts and people encodes and decodes to itself`() throws {
        let user = try Samples.user
        let profile = Profile(displayName: "Ada", links: [Link(url: "https://a")], photo: try Samples.photo)
        let card = UserCard(user: user, displayName: "Ada", photo: try Samples.photo)
        try roundTrip(
            Me(
                user: user, email: "a@b", isEmailConfirmed: true, role: .admin, profile: profile,
                settings: Samples.settings, permissions: AccountRole.admin.permissions.map(\.rawValue).sorted()))
        try roundTrip(UsernameAvailability(isAvailable: true))
        try roundTrip(
            UsernameAvailability(
                isAvailable: false, reason: .reserved, message: "No.", suggestions: [try #require(Username("ada"))]))
        try roundTrip(UserDetails(user: user, profile: nil, relation: nil, followerCount: 0, followingCount: 0))
        try roundTrip(
            UserDetails(
                user: user, profile: profile, relation: Relation(isFollowing: true, isFollowedBy: true),
                followerCount: 1, followingCount: 2))
        try roundTrip(UserPage(users: [card, UserCard(user: user)], nextCursor: "c"))
        try roundTrip(ProfileResult(profile: Profile()))
        try roundTrip(SettingsResult(settings: Samples.settings))
        try roundTrip(RelationResult(relation: Relation(isBlocked: true)))
        try roundTrip(Presences(people: [Presence(user: card, state: .live, room: try Samples.room)]))
        let export = JSON.object([.init(key: "uid", value: .string("x")), .init(key: "rooms", value: .array([]))])
        try roundTrip(AccountExportResult(export: export, code: "c", codeExpiresInSeconds: 3_600))
    }

    @Test func `every result of admins encodes and decodes to itself`() throws {
        let user = try Samples.user
        let ban = Ban(untilMilliseconds: nil, reason: "Noise.")
        let banned = AdminUser(user: user, role: .user, createdMilliseconds: 0, ban: ban)
        try roundTrip(AdminUserPage(users: [banned], nextCursor: nil))
        try roundTrip(AdminUserResult(user: AdminUser(user: user, role: .curator, createdMilliseconds: 5)))
        let detail = JSON.object([.init(key: "from", value: .string("user")), .init(key: "n", value: .integer(1))])
        let line = JournalLine(
            id: 1, atMilliseconds: 2, kind: "role_changed", actor: nil, subject: user.uid.rawValue, detail: detail)
        try roundTrip(JournalPage(entries: [line], nextBefore: 1))
        try roundTrip(JournalVerification(entryCount: 7, isIntact: true))
        try roundTrip(JournalVerification(entryCount: 7, isIntact: false, firstFault: 3, reason: "altered"))
    }

    @Test func `an account has a role, and a guest has none`() throws {
        let user = try Samples.user
        let guest = User(uid: user.uid, username: nil, isGuest: true)
        #expect(Me(user: user, email: nil, profile: Profile()).role == .user)
        #expect(Me(user: guest, email: nil, profile: Profile()).role == nil)
    }

    @Test func `friends are two who follow each other`() {
        #expect(Relation(isFollowing: true, isFollowedBy: true).areFriends)
        #expect(!Relation(isFollowing: true).areFriends)
        #expect(!Relation(isFollowedBy: true).areFriends)
    }

    @Test func `a photo has a path for each size`() throws {
        let photo = try Samples.photo
        let paths = PhotoSize.allCases.map { photo.path($0) }
        #expect(paths == ["/v1/photos/p_1/32", "/v1/photos/p_1/64", "/v1/photos/p_1/full"])
    }

    @Test func `a fault in a link is named by its place`() throws {
        let update = ProfileUpdate(links: [Link(url: "https://a"), Link(url: "javascript:alert(1)")])
        #expect(
            throws: WireError(
                .requestInvalid, "url must be an http or https URL of at most 300 bytes.", field: "data.links[1].url")
        ) {
            try ProfileUpdate(try JSON.parse(update.encoded()))
        }
    }

    private func roundTrip<Message: WireObject & Equatable>(_ message: Message) throws {
        #expect(try Message(try JSON.parse(message.encoded())) == message)
    }
}

extension Samples {
    static var reference: UserReference {
        get throws { try #require(UserReference("@bob")) }
    }

    static var photo: Photo {
        get throws {
            Photo(
                id: try #require(PhotoID("p_1")), color: HexColor(red: 43, green: 108, blue: 176),
                foreground: HexColor(red: 255, green: 255, blue: 255), width: 1, height: 65_535)
        }
    }

    static let settings = Settings(
        locale: .englishUS, theme: .dark, shading: true, delivery: .party, visibility: .public, presence: .friends)
}
