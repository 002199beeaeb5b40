import SonaCrypto
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct AddressBanTests {
    private func with(_ body: (Model, Accounts.Account) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        var options = Model.Options()
        options.passwordCost = .test
        options.quietMilliseconds = 0...0
        let model = try await Model.open(dataFolder: folder.file("data"), options)
        let admin = try await model.accounts.create(
            email: "ada@example.org", password: "correct horse", username: "ada", role: .admin)
        try await body(
            model, Accounts.Account(uid: admin.user.uid, username: admin.user.username, isGuest: false, role: .admin))
        await model.close()
    }

    @Test func `a ban replaces that of the same range, is listed newest first, and is lifted`() async throws {
        try await with { model, admin in
            let first = try await model.addressBans.ban(["10.0.0.0/8"], seconds: 60, reason: "Noise.", by: admin)
            #expect(first.made.map(\.range) == ["10.0.0.0/8"] && first.made[0].by == admin.uid)
            let second = try await model.addressBans.ban(
                ["10.0.0.0/8", "203.0.113.7"], seconds: nil, reason: "", by: nil)
            #expect(second.current.changeNumber > first.current.changeNumber && second.current.bans.count == 2)
            let bans = try await model.addressBans.list()
            #expect(bans.allSatisfy { $0.untilMilliseconds == nil && $0.reason == nil && $0.by == nil })
            #expect(try await model.addressBans.unban("10.0.0.0/8", by: admin).bans.map(\.range) == ["203.0.113.7"])
            #expect(try await model.addressBans.unban("10.0.0.0/8", by: admin).bans.count == 1)
            let lines = try await model.journal.page(before: nil, limit: 10, kind: nil, subject: nil)
            #expect(
                lines.prefix(4).map(\.kind) == [
                    "address_unbanned", "address_banned", "address_banned", "address_banned",
                ])
            #expect(!lines.contains { $0.detail.contains("10.0.0") || $0.detail.contains("203.0") })
        }
    }

    @Test func `who is no administrator any more bans nobody, and a thousand bans are the most`() async throws {
        try await with { model, admin in
            let ranges = (0..<Limits.addressBansMax).map { "10.0.\($0 / 250).\($0 % 250)" }
            _ = try await model.addressBans.ban(ranges, seconds: nil, reason: nil, by: admin)
            await #expect(throws: Refusal.self) {
                _ = try await model.addressBans.ban(["203.0.113.7"], seconds: nil, reason: nil, by: admin)
            }
            #expect(try await model.addressBans.list().count == Limits.addressBansMax)
            _ = try await model.addressBans.ban([ranges[0]], seconds: 60, reason: nil, by: admin)
            _ = try await model.accounts.create(
                email: "bob@example.org", password: "correct horse", username: "bob", role: .admin)
            _ = try await model.accounts.setRole(of: .id(admin.uid), to: .user, by: nil)
            await #expect(throws: Refusal.self) { _ = try await model.addressBans.unban(ranges[0], by: admin) }
        }
    }

    @Test func `a ban outlives the administrator's account, and expired ones are cleared away`() async throws {
        try await with { model, admin in
            _ = try await model.accounts.create(
                email: "bob@example.org", password: "correct horse", username: "bob", role: .admin)
            _ = try await model.addressBans.ban(["203.0.113.7"], seconds: nil, reason: nil, by: admin)
            let signedIn = try await model.accounts.signIn(
                email: "ada@example.org", password: "correct horse", address: nil)
            let code = try await model.accounts.export(signedIn.account).code
            try await model.accounts.remove(signedIn.account, code: code)
            #expect(try await model.addressBans.list().map(\.by) == [nil])
        }
    }
}
