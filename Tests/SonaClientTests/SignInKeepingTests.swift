import SonaClient
import SonaWire
import Testing

/// The stored credentials of a sign-in after its tokens are replaced.
@Suite struct SignInKeepingTests {
    private let workshop: Workshop
    private let signIn: SignIn

    init() throws {
        workshop = try Workshop()
        signIn = SignIn(
            address: .standard, program: Program(name: "test", version: "1"), token: nil,
            store: CredentialStore(folder: workshop.file("sona")))
    }

    private func user(_ uid: String, _ name: String?, isGuest: Bool = false) throws -> User {
        User(uid: try #require(UserID(uid)), username: name.flatMap(Username.init), isGuest: isGuest)
    }

    private func grant(_ uid: String, _ token: String) throws -> Grant {
        Grant(user: try user(uid, "ada"), accessToken: token, expiresInSeconds: 60, refreshToken: "refresh-\(token)")
    }

    @Test func `an access token of the same user replaces the stored one, and the refresh token stays`() async throws {
        try await signIn.keep(try grant("u1", "one"))
        try await signIn.update(
            AccessGrant(user: try user("u1", "ada-lovelace"), accessToken: "two", expiresInSeconds: 60))
        let kept = try #require(try signIn.kept())
        #expect(kept.accessToken == "two")
        #expect(kept.refreshToken == "refresh-one")
        #expect(kept.user.username == Username("ada-lovelace"))
    }

    @Test func `tokens of another user change nothing`() async throws {
        try await signIn.keep(try grant("u1", "one"))
        let before = try signIn.kept()
        try await signIn.update(AccessGrant(user: try user("u2", "bob"), accessToken: "two", expiresInSeconds: 60))
        #expect(try await signIn.update(try grant("u2", "three")) == false)
        #expect(try signIn.kept() == before)
        #expect(try await signIn.update(try grant("u1", "four")) == true)
        #expect(try signIn.kept()?.refreshToken == "refresh-four")
    }

    @Test func `where nobody is kept, an update keeps nobody`() async throws {
        #expect(try await signIn.update(try grant("u1", "one")) == false)
        #expect(try signIn.kept() == nil)
    }

    @Test func `a guest is kept until a user signs in`() async throws {
        try await signIn.keep(
            guest: AccessGrant(user: try user("g1", nil, isGuest: true), accessToken: "one", expiresInSeconds: 60))
        #expect(try signIn.kept()?.user.isGuest == true)
        #expect(try signIn.kept()?.refreshToken == nil)
        try await signIn.keep(try grant("g1", "two"))
        #expect(try signIn.kept()?.user.isGuest == false)
        #expect(try signIn.kept()?.refreshToken == "refresh-two")
    }

    @Test func `forgetting is of everybody, or of one user alone`() async throws {
        try await signIn.keep(try grant("u1", "one"))
        #expect(try await signIn.forget(user: UserID("u2")) == nil)
        #expect(try signIn.kept() != nil)
        #expect(try await signIn.forget(user: UserID("u1"))?.refreshToken == "refresh-one")
        #expect(try signIn.kept() == nil)
        #expect(try await signIn.forget() == nil)
    }

    @Test func `a damaged file is forgotten like any other`() async throws {
        try await signIn.keep(try grant("u1", "one"))
        try workshop.write(Array("{".utf8), to: "sona/127.0.0.1_8337.json")
        #expect(throws: ClientError.self) { try signIn.kept() }
        #expect(try await signIn.forget() == nil)
        #expect(try signIn.kept() == nil)
    }

    @Test func `without a store nothing is kept and nothing fails`() async throws {
        var homeless = signIn
        homeless.store = nil
        try await homeless.keep(try grant("u1", "one"))
        #expect(try homeless.kept() == nil)
        #expect(try await homeless.forget() == nil)
    }

    @Test func `without a sign-in, or with an expired guest, the error says what to do`() async throws {
        let nobody = await #expect(throws: ClientError.self) { _ = try await signIn.open(.account) }
        #expect(nobody?.code == .authRequired)
        #expect(nobody?.description.contains("sonactl login") == true)
        try await signIn.keep(
            guest: AccessGrant(user: try user("g1", nil, isGuest: true), accessToken: "one", expiresInSeconds: 1))
        let guest = await #expect(throws: ClientError.self) { _ = try await signIn.open(.account) }
        #expect(guest?.code == .authRequired)
        #expect(guest?.description.contains("guest") == true)
    }
}
