import SonaBase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// What the operator does with accounts of others: signing out, exporting, deleting.
struct OperatorOnAccountsTests {
    @Test func `an account that is signed out has no sign-in any more, and keeps its password`() async throws {
        let fixture = try await SignInFixture(.local)
        let accounts = fixture.accounts
        let ada = try await accounts.signUp("annabel")
        try await accounts.signOutEverywhere(.id(ada.account.uid))
        #expect(throws: Refusal.tokenInvalid) { try accounts.authenticate(accessToken: ada.accessToken) }
        await #expect(throws: Refusal.self) { try await accounts.refresh(ada.refreshToken, address: nil) }
        let line = try await fixture.model.journal.page(limit: 1).first
        #expect(line?.kind == "sign_out_everywhere" && line?.actor == nil && line?.subject == ada.account.uid.rawValue)
        let nobody = try #require(UserID(String(repeating: "n", count: 28)))
        await #expect(throws: Refusal.userUnknown) { try await accounts.signOutEverywhere(.id(nobody)) }
    }

    @Test func `the operator's export is the owner's own, without a proof`() async throws {
        let fixture = try await SignInFixture(.local)
        let ada = try await fixture.accounts.signUp("annabel")
        let data = try await fixture.accounts.export(.id(ada.account.uid))
        let own = try await fixture.accounts.export(ada.account).data
        #expect(data["uid"]?.string == ada.account.uid.rawValue && data["email"]?.string == own["email"]?.string)
        #expect(data["email"]?.string != nil)
        let lines = try await fixture.model.journal.page(limit: 10).filter { $0.kind == "account_exported" }
        #expect(lines.last?.actor == nil)
    }

    @Test func `the operator deletes an account, a banned one as well, but not the last administrator's`() async throws
    {
        let fixture = try await SignInFixture(.local)
        let accounts = fixture.accounts
        let ada = try await accounts.signUp("annabel")
        let room = try await fixture.model.rooms.create(RoomSettings(title: "Harbour"), owner: ada.account.uid)
        _ = try await accounts.ban(.id(ada.account.uid), seconds: nil, reason: nil, by: nil)
        try await accounts.remove(.id(ada.account.uid), rooms: .erase)
        await #expect(throws: Refusal.userUnknown) { try await accounts.summary(of: .id(ada.account.uid)) }
        await #expect(throws: Refusal.self) { try await fixture.model.rooms.delete(room.id) }
        #expect(throws: Refusal.self) { try accounts.authenticate(accessToken: ada.accessToken) }
        let line = try await fixture.model.journal.page(limit: 1).first
        #expect(line?.kind == "account_removed" && line?.actor == nil)

        let chief = try await accounts.signUp("chief")
        _ = try await accounts.setRole(of: .id(chief.account.uid), to: .admin, by: nil)
        await #expect(throws: Refusal.lastAdmin) { try await accounts.remove(.id(chief.account.uid), rooms: .erase) }
    }
}
