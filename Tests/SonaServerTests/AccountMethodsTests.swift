import SonaModel
import SonaWire
import Testing

@testable import SonaServer

struct AccountMethodsTests {
    @Test func `a connection belongs to the account that signed up or in, and to nobody after signing out`()
        async throws
    {
        let fixture = try await MethodsFixture()
        let ada = try await fixture.signUp("ada")
        let signIn = AuthSignIn(email: "ada@example.org", password: "pass-ada-word")
        let outcome = try await fixture.accounts.signIn(signIn, Caller())
        #expect(outcome.signsIn?.uid == ada.uid && outcome.response.user.uid == ada.uid)

        let refreshToken = outcome.response.refreshToken
        let out = try await fixture.accounts.signOut(AuthSignOut(refreshToken: refreshToken), Caller())
        #expect(out.signsOut && out.signsIn == nil && !out.ends)
        let refresh = AuthRefresh(refreshToken: refreshToken)
        #expect(await fixture.refusal { try await fixture.accounts.refresh(refresh, Caller()) } == .authRefreshInvalid)
        await fixture.close()
    }

    @Test func `a wrong password and a taken name are refused with their codes`() async throws {
        let fixture = try await MethodsFixture()
        _ = try await fixture.signUp("ada")
        let signIn = AuthSignIn(email: "ada@example.org", password: "another password")
        #expect(
            await fixture.refusal { try await fixture.accounts.signIn(signIn, Caller()) } == .authCredentialsInvalid)
        #expect(await fixture.refusal { try await fixture.signUp("ADA") } == .usernameTaken)
        let available = try await fixture.accounts.checkUsername(UsernameCheck(username: "ada"), Caller())
        #expect(!available.isAvailable && available.reason == .taken && !available.suggestions.isEmpty)
        await fixture.close()
    }

    @Test func `a guest who signs up keeps their identifier`() async throws {
        let fixture = try await MethodsFixture()
        let guest = try await fixture.accounts.beGuest(AuthGuest(), Caller())
        let caller = Caller(account: guest.signsIn)
        let request = AuthSignUp(
            email: "ada@example.org", password: "pass-ada-word", username: try #require(Username("ada")))
        let outcome = try await fixture.accounts.signUp(request, caller)
        #expect(outcome.signsIn?.uid == guest.signsIn?.uid && outcome.signsIn?.isGuest == false)
        await fixture.close()
    }

    @Test func `an account is removed with the code of its export, and its connection ends`() async throws {
        let fixture = try await MethodsFixture()
        let ada = try await fixture.signUp("ada")
        let export = try await fixture.accounts.export(AccountExport(), ada)
        let outcome = try await fixture.accounts.remove(AccountRemove(code: export.code), ada)
        #expect(outcome.signsOut && outcome.ends)
        let signIn = AuthSignIn(email: "ada@example.org", password: "pass-ada-word")
        #expect(
            await fixture.refusal { try await fixture.accounts.signIn(signIn, Caller()) } == .authCredentialsInvalid)
        await fixture.close()
    }
}
