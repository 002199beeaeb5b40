internal import SonaBase
internal import SonaWire

/// Recent changes that valid access tokens do not show yet: new names, new roles and bans.
///
/// Every authentication asks this, in memory. The stored truth is in the database. Changes are kept for the lifetime of
/// an access token, bans until they end.
final class AccountNotes: Sendable {
    private struct Change {
        /// `nil` if the account was removed. Somebody who gets its identifier later is a new user.
        var now: (username: Username?, role: AccountRole)?
        var untilMilliseconds: Int64
        var changeNumber: Int64
    }

    private struct Ban {
        /// `.max`: permanent. `nil`: the ban was lifted.
        var untilMilliseconds: Int64?
        var changeNumber: Int64
    }

    private struct State {
        var changes: [UserID: Change] = [:]
        var bans: [UserID: Ban] = [:]
        var changeNumber: Int64 = 0
    }

    private let state = Monitor(State())

    /// - Parameters:
    /// Users whose name or role changed within the lifetime of an access token.
    init(changed: [UserRecord], bans: [BanRecord], now: Int64) {
        for user in changed { noteChange(user, nextChangeNumber(), now: now) {} }
        for ban in bans { noteBan(ban.uid, until: ban.untilMilliseconds ?? .max, nextChangeNumber()) {} }
    }

    /// Returns the number of a change; call it inside the change's transaction. There is one writer, so a later change
    /// has a larger number. After the commits two changes may arrive here in either order.
    func nextChangeNumber() -> Int64 {
        state.withLock { state in
            state.changeNumber += 1
            return state.changeNumber
        }
    }

    /// Notes the new name and role of a user, after the commit.
    ///
    /// Called at once, in the order of the changes. Not called if a later change is known already.
    func noteChange(_ user: UserRecord, _ changeNumber: Int64, now: Int64, tell: () -> Void) {
        let until = Accounts.revokedUntil(now)
        state.withLock { state in
            state.changes = state.changes.filter { $0.value.untilMilliseconds > now }
            if let known = state.changes[user.uid], known.changeNumber > changeNumber { return }
            state.changes[user.uid] = Change(
                now: (user.username, user.role), untilMilliseconds: until, changeNumber: changeNumber)
            tell()
        }
    }

    /// Notes the removal of an account, after the commit. `tell` is called in any case.
    func noteRemoval(_ uid: UserID, _ changeNumber: Int64, now: Int64, tell: () -> Void) {
        state.withLock { state in
            // A new user may have the identifier already. The old connections have to be told in any case.
            defer { tell() }
            if let known = state.changes[uid], known.changeNumber > changeNumber { return }
            state.changes[uid] = Change(
                now: nil, untilMilliseconds: Accounts.revokedUntil(now), changeNumber: changeNumber)
        }
    }

    /// Notes a ban or its end, after the commit.
    ///
    /// - Parameters:
    ///   - until: Milliseconds since 1970. `.max`: permanent. `nil`: the ban has ended.
    ///   - tell: As in `noteChange`.
    func noteBan(_ uid: UserID, until: Int64?, _ changeNumber: Int64, tell: () -> Void) {
        state.withLock { state in
            if let known = state.bans[uid], known.changeNumber > changeNumber { return }
            state.bans[uid] = Ban(untilMilliseconds: until, changeNumber: changeNumber)
            tell()
        }
    }

    /// Whether a user is banned at `now`, milliseconds since 1970.
    func isBanned(_ uid: UserID, now: Int64) -> Bool {
        state.withLock { ($0.bans[uid]?.untilMilliseconds ?? .min) > now }
    }

    /// All users who are banned at `now`.
    func banned(now: Int64) -> Set<UserID> {
        state.withLock { state in
            Set(state.bans.lazy.filter { ($0.value.untilMilliseconds ?? .min) > now }.map(\.key))
        }
    }

    /// Returns `account` with its current name and role.
    ///
    /// - Throws: `banned`.
    func current(_ account: Accounts.Account, now: Int64) throws(Refusal) -> Accounts.Account {
        let (change, ban) = state.withLock { ($0.changes[account.uid], $0.bans[account.uid]?.untilMilliseconds) }
        if let ban, ban > now { throw .banned(retryAfterMilliseconds: ban == .max ? nil : ban - now) }
        guard let change = change?.now else { return account }
        var account = account
        account.username = change.username
        account.role = change.role
        return account
    }
}
