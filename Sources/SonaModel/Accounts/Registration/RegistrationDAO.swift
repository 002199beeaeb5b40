internal import SonaCrypto
internal import SonaDatabase
internal import SonaWire

/// Invites to make an account, and accounts that wait for approval.
struct RegistrationDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(RegistrationInviteRecord.self)
        setUp.createTable(WaitingAccountRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        if case .check = error.kind { .invalid } else { nil }
    }

    /// 20 letters and digits carry 119 bits.
    static let codeCharacters = 20

    /// The invite with this code, if it is good at `now`.
    ///
    /// - Throws: `inviteInvalid`, `inviteRevoked`, `inviteExpired`, `inviteUsedUp`.
    static func goodInvite(
        _ code: String, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> RegistrationInviteRecord {
        let found = try db.first(RegistrationInviteRecord.filter(RegistrationInviteRecord.code == code))
        guard let invite = found else { throw Refusal.inviteInvalid }
        if invite.revokedMilliseconds != nil { throw Refusal.inviteRevoked }
        guard invite.expiresMilliseconds > now else { throw Refusal.inviteExpired }
        if let max = invite.maxUses, invite.uses >= max { throw Refusal.inviteUsedUp }
        return invite
    }

    /// Counts one more account that was made with the invite.
    ///
    /// - Returns: The invite's number.
    /// - Throws: As `goodInvite`.
    static func use(_ code: String, now: Int64, in db: inout WriteAccess) throws -> Int64 {
        let invite = try goodInvite(code, now: now, in: &db)
        var used = invite
        used.uses += 1
        try db.updateChanges(used, from: invite)
        return invite.id
    }

    /// Makes a new account wait for approval.
    ///
    /// - Throws: `tooMany` if too many wait.
    static func wait(_ uid: UserID, _ introduction: String?, now: Int64, in db: inout WriteAccess) throws {
        guard try waitingCount(in: &db) < Limits.registrationWaitingMax else {
            throw Refusal.tooMany(retryAfterMilliseconds: 3_600_000)
        }
        try db.insert(WaitingAccountRecord(uid: uid, sinceMilliseconds: now, introduction: introduction))
    }

    static func waitingCount(in db: inout some DatabaseAccess & ~Copyable) throws -> Int {
        try db.value("SELECT count(*) FROM waiting_accounts WHERE rejected_ms IS NULL") ?? 0
    }

    /// Refuses an account that waits for approval, or was rejected.
    ///
    /// - Throws: `approvalPending`, `rejected`.
    static func refuseIfWaiting(_ uid: UserID, in db: inout some DatabaseAccess & ~Copyable) throws {
        guard let waiting = try db.first(WaitingAccountRecord.self, key: uid) else { return }
        guard waiting.rejectedMilliseconds != nil else { throw Refusal.approvalPending }
        throw Refusal(.authRejected, waiting.reason)
    }

    /// The invites that an account has made, for its export.
    static func invites(
        by uid: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [RegistrationInviteRecord] {
        try db.all(RegistrationInviteRecord.filter(RegistrationInviteRecord.by == uid))
    }
}
