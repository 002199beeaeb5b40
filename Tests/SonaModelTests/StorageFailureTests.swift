import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// A failure in the middle of an operation leaves nothing behind.
struct StorageFailureTests {
    /// Makes a trigger that refuses every write to a table.
    private static func stop(_ event: SQL, in folder: TemporaryFolder) async throws {
        try await Model.execute(
            """
            CREATE TRIGGER stop BEFORE \(event)
            BEGIN SELECT RAISE(ABORT, 'ada@example.org pass-ada-word'); END
            """, in: folder)
    }

    private static func goOn(in folder: TemporaryFolder) async throws {
        try await Model.execute("DROP TRIGGER stop", in: folder)
    }

    @Test(arguments: ["profiles", "settings", "username_looks", "refresh_tokens", "revoked_families", "journal"])
    func `a sign-up that fails at one of its rows leaves none, and its guest is kept`(_ table: String) async throws {
        let folder = TemporaryFolder()
        let mail = Mailbox()
        let model = try await Model.opened(folder, mail: mail)
        let guest = model.accounts.guest()
        let before = try await Model.rowCounts(folder)
        try await Self.stop("INSERT ON \(try SQL.identifier(table))", in: folder)
        let error = await refusal {
            try await model.accounts.signUp(.named("ada", guest: guest.account))
        }
        #expect(error?.code == .serverStorageFailed)
        #expect(error.map { !"\($0)".contains("ada@example.org") && !"\($0)".contains("pass-ada") } == true)
        #expect(try await Model.rowCounts(folder) == before)
        #expect(mail.all.isEmpty)
        #expect(try model.accounts.authenticate(accessToken: guest.accessToken) == guest.account)
        try await Self.goOn(in: folder)
        let grant = try await model.accounts.signUp(.named("ada", guest: guest.account))
        #expect(grant.account.uid == guest.account.uid)
        #expect(try await model.journal.verify().firstFault == nil)
        await model.close()
    }

    @Test(arguments: ["identities", "profiles", "refresh_tokens", "journal"])
    func `a first exchange that fails leaves no account`(_ table: String) async throws {
        let fixture = try await SignInFixture(.firebase)
        let before = try await Model.rowCounts(fixture.folder)
        try await Self.stop("INSERT ON \(try SQL.identifier(table))", in: fixture.folder)
        let error = await refusal { try await fixture.prove() }
        #expect(error?.code == .serverStorageFailed)
        #expect(try await Model.rowCounts(fixture.folder) == before)
        try await Self.goOn(in: fixture.folder)
        _ = try await fixture.prove()
        await fixture.model.close()
    }

    @Test func `a failed removal removes nothing and ends no session`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let grant = try await model.accounts.signUp("ada")
        let code = try await model.accounts.export(grant.account).code
        let events = Monitor<[AccountEvent]>([])
        model.accounts.onEvent { event in events.withLock { $0.append(event) } }
        let before = try await Model.rowCounts(folder)
        try await Self.stop("INSERT ON journal", in: folder)
        #expect(
            await refusal { try await model.accounts.remove(grant.account, code: code) }?.code
                == .serverStorageFailed)
        #expect(try await Model.rowCounts(folder) == before)
        #expect(events.withLock { $0 } == [])
        #expect(try model.accounts.authenticate(accessToken: grant.accessToken) == grant.account)
        try await Self.goOn(in: folder)
        try await model.accounts.remove(grant.account, code: code)
        await model.close()
    }

    @Test func `a change of password, role, ban or name that can't be written has no effect`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let (ada, bob) = (try await model.accounts.signUp("ada"), try await model.accounts.signUp("bob"))
        _ = try await model.accounts.setRole(of: .id(ada.account.uid), to: .admin, by: nil)
        let before = try await Model.rowCounts(folder)
        try await Self.stop("INSERT ON journal", in: folder)
        let (accounts, reference) = (model.accounts, UserReference.id(bob.account.uid))
        let errors = [
            await refusal {
                try await accounts.changePassword(bob.account, to: "new-password")
            },
            await refusal {
                try await accounts.setRole(of: reference, to: .admin, by: ada.account)
            },
            await refusal {
                try await accounts.ban(reference, seconds: nil, reason: nil, by: ada.account)
            },
            await refusal {
                try await accounts.change(username: "robert", from: Self.name("bob"), bob.account)
            },
            await refusal { try await accounts.signOutEverywhere(bob.account) },
        ]
        #expect(errors.allSatisfy { $0?.code == .serverStorageFailed })
        #expect(try await Model.rowCounts(folder) == before)
        #expect(try accounts.authenticate(accessToken: bob.accessToken) == bob.account)
        try await Self.goOn(in: folder)
        #expect(try await accounts.refresh(bob.refreshToken).account == bob.account)
        #expect(try await accounts.signIn("bob").account == bob.account)
        await model.close()
    }

    private static func name(_ text: String) throws(Refusal) -> Username {
        guard let name = Username(text) else { throw .usernameTaken }
        return name
    }

    @Test func `a sign-in gets the correct refusal even if its failure can't be journaled`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        _ = try await model.accounts.signUp("ada", address: "192.0.2.1")
        try await Self.stop("INSERT ON journal", in: folder)
        for _ in 0..<20 {
            let error = await refusal {
                try await model.accounts.signIn(email: "ada@example.org", password: "wrong one", address: "192.0.2.1")
            }
            #expect(error == .credentialsInvalid)
        }
        let closed = await refusal {
            try await model.accounts.signIn("ada", address: "192.0.2.1")
        }
        #expect(closed?.code == .authRateLimited)
        await model.close()
    }
}
