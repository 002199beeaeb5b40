internal import SonaBase
internal import SonaWire

/// What access tokens that are still good do not know yet: names and roles that changed since, and who is banned.
///
/// Asked without a disk at every authentication. What is stored is the users' table; this is bounded by the life of an
/// access token, but for bans.
final class AccountNotes: Sendable {
    private struct Change {
        /// `nil` for an account that was removed: whoever gets its identifier again begins anew.
        var now: (username: Username?, role: AccountRole)?
        var untilMilliseconds: Int64
        var changeNumber: Int64
    }

    private struct Ban {
        /// `.max` for good, `nil` for one that was lifted.
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
    ///   - changed: Users whose name or role changed within the life of an access token.
    init(changed: [UserRecord], bans: [BanRecord], now: Int64) {
        for user in changed { noteChange(user, nextChangeNumber(), now: now) {} }
        for ban in bans { noteBan(ban.uid, until: ban.untilMilliseconds ?? .max, nextChangeNumber()) {} }
    }

    /// A number for a change, taken within its transaction: there is one writer, so the later change has the larger one.
    /// Who wrote first may be the last to come here.
    func nextChangeNumber() -> Int64 {
        state.withLock { state in
            state.changeNumber += 1
            return state.changeNumber
        }
    }

    /// Notes a name and a role that were committed.
    ///
    /// - Parameter tell: Called at once, and in the order of the changes; not if a later one is known already.
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

    /// Notes that an account was removed.
    func noteRemoval(_ uid: UserID, _ changeNumber: Int64, now: Int64, tell: () -> Void) {
        state.withLock { state in
            // Somebody may have come back under the same identifier already; the connections are told all the same.
            defer { tell() }
            if let known = state.changes[uid], known.changeNumber > changeNumber { return }
            state.changes[uid] = Change(
                now: nil, untilMilliseconds: Accounts.revokedUntil(now), changeNumber: changeNumber)
        }
    }

    /// Notes a ban that was committed, or its end.
    ///
    /// - Parameters:
    ///   - until: `.max` for good, `nil` for its end.
    ///   - tell: As in `noteChange`.
    func noteBan(_ uid: UserID, until: Int64?, _ changeNumber: Int64, tell: () -> Void) {
        state.withLock { state in
            if let known = state.bans[uid], known.changeNumber > changeNumber { return }
            state.bans[uid] = Ban(untilMilliseconds: until, changeNumber: changeNumber)
            tell()
        }
    }

    func isBanned(_ uid: UserID, now: Int64) -> Bool {
        state.withLock { ($0.bans[uid]?.untilMilliseconds ?? .min) > now }
    }

    /// `account` as it is now.
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
