import SonaWire
import Testing

@testable import SonaModel
@testable import SonaServer

/// Who may come, by what the operator has said.
struct ServerProfileTests {
    private func with(
        _ change: (inout ServerConfiguration) -> Void, _ body: (MethodsFixture) async throws -> Void
    ) async throws {
        let fixture = try await MethodsFixture()
        var configuration = fixture.live.configuration
        change(&configuration)
        fixture.live.replace(configuration)
        try await body(fixture)
        await fixture.close()
    }

    private func code(_ body: () async throws -> Void) async -> ErrorCode? {
        do {
            try await body()
            return nil
        } catch { return WireError(error).code }
    }

    private func signUp(_ name: String, acceptsTerms: Bool?) throws -> AuthSignUp {
        AuthSignUp(
            email: "\(name)@example.org", password: "pass-\(name)-word", username: try #require(Username(name)),
            acceptsTerms: acceptsTerms)
    }

    @Test func `nobody signs up where registration is closed, and people sign in`() async throws {
        let fixture = try await MethodsFixture()
        _ = try await fixture.signUp("ada")
        var configuration = fixture.live.configuration
        configuration.registration = .closed
        fixture.live.replace(configuration)
        #expect(
            await code { _ = try await fixture.accounts.signUp(try signUp("bob", acceptsTerms: true), Caller()) }
                == .authRegistrationClosed)
        let back = AuthSignIn(email: "ada@example.org", password: "pass-ada-word")
        #expect(try await fixture.accounts.signIn(back, Caller()).signsIn != nil)
        await fixture.close()
    }

    @Test(arguments: [(nil, false), (false, false), (true, true)] as [(Bool?, Bool)])
    func `terms that are required must be accepted`(accepted: Bool?, isTaken: Bool) async throws {
        try await with {
            $0.profile.requiresTerms = true
        } _: { fixture in
            let code = await code {
                _ = try await fixture.accounts.signUp(try signUp("ada", acceptsTerms: accepted), Caller())
            }
            #expect(code == (isTaken ? nil : .authTermsRequired))
        }
    }

    @Test func `a guest is refused where guests may not come`() async throws {
        try await with {
            $0.profile.takesGuests = false
        } _: { fixture in
            #expect(
                await code { _ = try await fixture.accounts.beGuest(AuthGuest(), Caller()) } == .authAccountRequired)
        }
    }

    @Test func `in maintenance administrators are answered, and others as far as the page says`() throws {
        let user = Accounts.Account(uid: try #require(UserID("user")), username: nil, isGuest: false)
        var admin = user
        admin.role = .admin
        for (type, isLive, isAnswered) in [
            (ServerInfo.type, false, true), (AuthSignIn.type, false, true), (AuthSignUp.type, false, false),
            (RoomCreate.type, false, false), (ChatSend.type, false, false), (RoomJoin.type, true, false),
            (HostStart.type, true, false), (RoomLeave.type, true, true), (HostStop.type, true, true),
        ] {
            for account in [nil, user] {
                let isRefused = (try? Maintenance.check(type, isLive: isLive, account)) == nil
                #expect(isRefused != isAnswered, "\(type)")
            }
            try Maintenance.check(type, isLive: isLive, admin)
        }
    }

    @Test func `what a server says of itself follows from its configuration`() {
        var configuration = ServerConfiguration(dataFolder: "nowhere")
        #expect(configuration.description.profile.title == "Sona" && !configuration.description.profile.sendsMail)
        configuration.registration = .closed
        configuration.profile.title = "Ada's server"
        configuration.mailing.sendmailPath = "/usr/sbin/sendmail"
        configuration.mailing.from = "sona@sona.example"
        let profile = configuration.description.profile
        #expect(profile.registration == .closed && profile.sendsMail && profile.title == "Ada's server")
    }

    @Test func `mails are in the name of the server`() throws {
        let mail = AccountMail(
            to: "ada@example.org", subject: .recovery(code: "code"), username: Username("Sona_fan"), locale: .englishUS)
        let letter = AccountLetter(mail, AccountLinks(publicAddress: nil), server: "Ada's server")
        #expect(letter.subject == "A new password for Ada's server" && letter.text.hasSuffix("\n\nAda's server\n"))
        #expect(letter.text.contains("Sona_fan") && !letter.text.contains("{server}"))
    }
}
