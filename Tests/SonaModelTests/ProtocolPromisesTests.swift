import SonaDatabase
import SonaTestSupport
import SonaText
import SonaWire
import Testing

@testable import SonaModel

/// What the protocol says of accounts, held against what they do.
struct ProtocolPromisesTests {
    @Test func `every refusal has a code of the protocol's`() {
        let storage = DatabaseError(kind: .full)
        let accounts: [Refusal] = [
            .emailInvalid, .emailTaken, .emailRequired, .passwordUnusable, .usernameInvalid(.reserved), .usernameTaken,
            .usernameMismatch, .usernameAlreadyChosen, .displayNameInvalid, .bioInvalid, .credentialsInvalid,
            .refreshInvalid, .tokenInvalid, .tokenExpired, .codeInvalid, .reauthenticationRequired,
            .banned(retryAfterMilliseconds: nil), .providerUnknown, .providerUnavailable, .userUnknown, .oneself,
            .userPrivate, .userBlocked, .peopleLimitReached, .rateLimited(retryAfterMilliseconds: 1),
            .hashingBusy(retryAfterMilliseconds: 1), .storage(storage),
        ]
        let rooms: [Refusal] = [
            .limitReached, .ownerUnknown, .roomUnknown, .invalid, .busy(retryAfterMilliseconds: 1), .storage(storage),
        ]
        for code in accounts.map(\.code) + rooms.map(\.code) {
            #expect(ErrorCode.known.contains(code), "\(code)")
        }
        #expect(Set(accounts.map(\.code)).count == accounts.count - 2)
    }

    @Test func `times are those of the protocol`() {
        #expect(Accounts.proofSeconds == Int64(Limits.proofSecondsMax))
        for (purpose, seconds) in [
            (AccountCode.Purpose.recovery, Limits.recoveryCodeSeconds),
            (.confirmation, Limits.confirmationCodeSeconds), (.removal, Limits.removalCodeSeconds),
        ] { #expect(purpose.lifetimeSeconds == seconds) }
        #expect(Photos.bytesMax == Limits.photoUploadBytesMax)
    }

    @Test func `what is given out can be handed back`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        let grant = try await fixture.model.accounts.signIn("ada")
        #expect(Limits.tokenBytes.contains(grant.accessToken.utf8.count))
        #expect(Limits.refreshTokenBytes.contains(grant.refreshToken.utf8.count))
        let code = try await fixture.model.accounts.export(grant.account).code
        #expect(Limits.codeBytes.contains(code.utf8.count))
        let longest = try #require(UserID(String(repeating: "u", count: Limits.userIDBytes.upperBound)))
        #expect(Limits.cursorBytes.contains(PageCursor(sortKey: .min, uid: longest).text.utf8.count))
        let photo = try #require(try await fixture.model.photos.set(PhotoFixture.red, of: grant.account.uid).photo)
        #expect(PhotoID(photo.id.rawValue) == photo.id)
        #expect(UserReference(grant.account.uid.rawValue) == .id(grant.account.uid))
        await fixture.model.close()
    }

    /// The longest claims that can be: a token that is too long would be refused by ourselves.
    @Test func `the longest identifier and name fit into a token`() async throws {
        let firebase = try #require(FirebaseFixture())
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder, firebase.calendar, firebase: firebase.tokens)
        let subject = String(repeating: "\\\"", count: 64)
        let token = firebase.token(firebase.claims(["sub": "\"\(String(repeating: #"\\\""#, count: 64))\""]))
        let grant = try await model.accounts.exchange(provider: "firebase", token: token, address: nil)
        #expect(grant.account.uid.rawValue == subject)
        let named = try await model.accounts.claim(username: String(repeating: "n", count: 24), grant.account)
        _ = try await model.accounts.setRole(of: .id(grant.account.uid), to: .curator, by: nil)
        for token in [grant.accessToken, named.accessToken] {
            #expect(try model.accounts.authenticate(accessToken: token).uid == grant.account.uid)
        }
        await model.close()
    }
}
