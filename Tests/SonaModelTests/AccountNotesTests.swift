import SonaDatabase
import SonaWire
import Testing

@testable import SonaModel

/// Changes reach `AccountNotes` in any order. Real races are rare: see `CrossingTests`.
struct AccountNotesTests {
    private let uid: UserID
    private let now: Int64 = 1_000_000

    init() throws { uid = try #require(UserID("ada")) }

    private func user(_ name: String, _ role: AccountRole) -> UserRecord {
        var user = UserRecord(uid, username: Username(name), createdMilliseconds: 1)
        user.role = role
        return user
    }

    private func current(_ notes: AccountNotes, now: Int64) throws(Refusal) -> String {
        let account = try notes.current(Accounts.Account(uid: uid, username: nil, isGuest: false), now: now)
        return "\(account.username?.rawValue ?? "nobody") \(account.role.rawValue)"
    }

    @Test func `if two changes arrive in the wrong order, the later one counts and only it is told`() throws {
        let notes = AccountNotes(changed: [], bans: [], now: now)
        let (first, second) = (notes.nextChangeNumber(), notes.nextChangeNumber())
        var told: [String] = []
        notes.noteChange(user("ada", .user), second, now: now) { told.append("second") }
        notes.noteChange(user("grace", .admin), first, now: now) { told.append("first") }
        #expect(try current(notes, now: now) == "ada user")
        #expect(told == ["second"])
    }

    @Test func `if a ban and its end arrive in the wrong order, the later one counts`() throws {
        for endsLast in [true, false] {
            let notes = AccountNotes(changed: [], bans: [], now: now)
            let (first, second) = (notes.nextChangeNumber(), notes.nextChangeNumber())
            notes.noteBan(uid, until: endsLast ? nil : .max, second) {}
            notes.noteBan(uid, until: endsLast ? .max : nil, first) {}
            #expect(notes.isBanned(uid, now: now) == !endsLast)
            if endsLast {
                #expect(try current(notes, now: now) == "nobody user")
            } else {
                #expect(throws: Refusal.banned(retryAfterMilliseconds: nil)) { try current(notes, now: now) }
            }
        }
    }

    @Test func `a change that arrives after a later removal has no effect`() throws {
        let notes = AccountNotes(changed: [], bans: [], now: now)
        notes.noteChange(user("ada", .admin), notes.nextChangeNumber(), now: now) {}
        let (late, removal) = (notes.nextChangeNumber(), notes.nextChangeNumber())
        notes.noteRemoval(uid, removal, now: now) {}
        #expect(try current(notes, now: now) == "nobody user")
        notes.noteChange(user("grace", .admin), late, now: now) {}
        #expect(try current(notes, now: now) == "nobody user")
        // An account that is made again has its own new name.
        notes.noteChange(user("countess", .user), notes.nextChangeNumber(), now: now) {}
        #expect(try current(notes, now: now) == "countess user")
    }

    @Test func `a removal that arrives after the account was made again has no effect`() throws {
        let notes = AccountNotes(changed: [], bans: [], now: now)
        let (removal, claim) = (notes.nextChangeNumber(), notes.nextChangeNumber())
        notes.noteChange(user("countess", .user), claim, now: now) {}
        notes.noteRemoval(uid, removal, now: now) {}
        #expect(try current(notes, now: now) == "countess user")
    }

    @Test func `changes are remembered for the lifetime of a token, and bans until they end`() throws {
        let ban = BanRecord(uid: uid, untilMilliseconds: now + 5, reason: nil, createdMilliseconds: now)
        let notes = AccountNotes(changed: [user("ada", .admin)], bans: [ban], now: now)
        #expect(throws: Refusal.banned(retryAfterMilliseconds: 1)) { try current(notes, now: now + 4) }
        #expect(try current(notes, now: now + 5) == "ada admin")
        #expect(try current(notes, now: now + 900_000) == "ada admin")
    }
}
