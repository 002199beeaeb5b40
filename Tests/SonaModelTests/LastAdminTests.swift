import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// A server always keeps an administrator who can sign in, and a withdrawn role allows nothing.
struct LastAdminTests {
    private let folder = TemporaryFolder()
    private let calendar = ManualCalendar()

    /// A model with that many administrators.
    private func opened(_ count: Int) async throws -> (Model, [Accounts.Account]) {
        let model = try await Model.opened(folder, calendar)
        let admins = try await model.accounts.signUp(all: (0..<count).map { "admin\($0)" })
        for admin in admins { _ = try await model.accounts.setRole(of: .id(admin.uid), to: .admin, by: nil) }
        return (model, admins)
    }

    private func admins(_ model: Model) async throws -> [AdminUser] {
        try await model.accounts.list(.init(role: .admin, isBanned: false), after: nil, limit: 100)
    }

    /// Goal: administrators who remove each other at once leave one. Way: fifteen times two, and once fifteen in a
    /// ring. A request that comes too late is refused: its role is gone, or its target is the last administrator.
    @Test(arguments: ["demote", "ban"])
    func `administrators who remove each other at once leave exactly one`(way: String) async throws {
        let (model, all) = try await opened(15)
        let accounts = model.accounts
        @Sendable func take(_ other: Accounts.Account, by actor: Accounts.Account) async -> Refusal? {
            await refusal {
                if way == "ban" {
                    try await accounts.ban(.id(other.uid), seconds: nil, reason: nil, by: actor)
                } else {
                    try await accounts.setRole(of: .id(other.uid), to: .user, by: actor)
                }
            }
        }
        let ring = await withTaskGroup(of: Refusal?.self) { group in
            for index in all.indices { group.addTask { await take(all[(index + 1) % 15], by: all[index]) } }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        for case let error? in ring {
            #expect([ErrorCode.authForbidden, .authBanned, .userLastAdmin].contains(error.code))
        }
        #expect(try await admins(model).isEmpty == false)
        for _ in 0..<15 {
            for admin in all.prefix(2) {
                _ = try await accounts.unban(.id(admin.uid), by: nil)
                _ = try await accounts.setRole(of: .id(admin.uid), to: .admin, by: nil)
            }
            for admin in all.dropFirst(2) { _ = try await accounts.setRole(of: .id(admin.uid), to: .user, by: nil) }
            async let one = take(all[1], by: all[0])
            async let two = take(all[0], by: all[1])
            let errors = [await one, await two]
            #expect(errors.filter { $0 == nil }.count == 1, "\(errors)")
            #expect(try await admins(model).count == 1)
        }
        await model.close()
    }

    @Test func `nobody can demote, ban or remove the last administrator`() async throws {
        let (model, all) = try await opened(2)
        let accounts = model.accounts
        let (ada, bob) = (all[0], all[1])
        _ = try await accounts.ban(.id(bob.uid), seconds: 60, reason: nil, by: ada)
        // A banned administrator does not count during the ban.
        let code = try await accounts.export(ada).code
        for actor in [nil, bob] {
            for attempt in 0..<2 {
                let error = await refusal {
                    if attempt == 0 {
                        try await accounts.setRole(of: .id(ada.uid), to: .user, by: actor)
                    } else {
                        try await accounts.ban(.id(ada.uid), seconds: 1, reason: nil, by: actor)
                    }
                }
                #expect(error?.code == (actor == nil ? .userLastAdmin : .authBanned))
            }
        }
        #expect(
            await refusal { try await accounts.remove(ada, code: code) } == .lastAdmin)
        // The code was not used up, and a banned administrator may be demoted.
        calendar.advance(seconds: 60)
        try await accounts.remove(ada, code: code)
        #expect(try await admins(model).map(\.user.uid) == [bob.uid])
        await model.close()
    }

    @Test func `a request is refused if its administrator's role was withdrawn meanwhile`() async throws {
        let (model, all) = try await opened(2)
        let cyd = UserReference.id(try await model.accounts.signUp("cyd").account.uid)
        let old = all[0]
        _ = try await model.accounts.setRole(of: .id(old.uid), to: .user, by: nil)
        let accounts = model.accounts
        let attempts: [(Permission, () async throws -> AdminUser)] = [
            (.usersBan, { try await accounts.ban(cyd, seconds: nil, reason: nil, by: old) }),
            (.usersBan, { try await accounts.unban(cyd, by: old) }),
            (.usersSetRole, { try await accounts.setRole(of: cyd, to: .admin, by: old) }),
        ]
        for (permission, attempt) in attempts {
            #expect(await refusal { try await attempt() } == .forbidden(permission))
        }
        await model.close()
    }

    /// Goal: an owner who has taken their account back keeps it. Way: the request of a thief waits for a thread while
    /// the owner ends every sign-in.
    @Test func `a password is not changed if the sign-in ends while it is hashed`() async throws {
        let model = try await Model.opened(folder, calendar)
        let thief = try await model.accounts.signUp("ada").account
        try await model.accounts.signOutEverywhere(thief)
        let accounts = model.accounts
        #expect(
            await refusal {
                try await accounts.changePassword(thief, to: "another one")
            } == .tokenInvalid)
        #expect(
            await refusal { try await accounts.signOutEverywhere(thief) } == .tokenInvalid)
        _ = try await accounts.signIn("ada")
        await model.close()
    }
}
