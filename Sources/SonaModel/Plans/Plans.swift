internal import SonaBase
package import SonaDatabase
package import SonaWire

/// Plans: what accounts may take of the server. The limits are looked up where something is taken, in its transaction.
///
/// Source: Protocol/spec/plans.md.
package final class Plans: Sendable {
    private let dao: PlanDAO
    private let journal: Journal
    private let clock: WallClock
    /// kb/s of accounts whose plan limits them, for event loops.
    private let bitRates = Monitor<[UserID: Int]>([:])

    init(_ dao: PlanDAO, journal: Journal, clock: WallClock) {
        self.dao = dao
        self.journal = journal
        self.clock = clock
    }

    /// Reads what event loops ask for.
    ///
    /// - Throws: `busy`, `storage`.
    func load() async throws(Refusal) {
        let found = try await dao.read { db in try Self.bitRates(in: &db) }
        bitRates.withLock { $0 = found }
    }

    private static func bitRates(
        in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [UserID: Int] {
        let rows = try db.all(
            "SELECT a.uid, p.bit_rate FROM account_plans a JOIN plans p ON p.name = a.plan WHERE p.bit_rate IS NOT NULL"
        ) { row in (try row.next(UserID.self), try row.next(Int.self)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// kb/s that an account may send as a host; `nil`: no limit of a plan. Any thread; no disk.
    package func bitRate(of uid: UserID) -> Int? { bitRates.withLock { $0[uid] } }

    /// What an account may take, where it takes something.
    package static func limits(
        of uid: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> PlanLimits {
        guard let account = try db.first(AccountPlanRecord.self, key: uid) else { return PlanLimits() }
        return try db.first(PlanRecord.self, key: account.plan)?.limits ?? PlanLimits()
    }

    /// The plan of an account, and how many rooms it has.
    ///
    /// - Throws: `busy`, `storage`.
    package func state(
        of uid: UserID
    ) async throws(Refusal) -> (plan: String?, limits: PlanLimits, rooms: Int) {
        try await dao.read { db in
            let rooms = try db.count(RoomRecord.filter(RoomRecord.owner == uid && RoomRecord.closed == nil))
            return (try db.first(AccountPlanRecord.self, key: uid)?.plan, try Self.limits(of: uid, in: &db), rooms)
        }
    }

    // MARK: Administration

    /// - Throws: `busy`, `storage`.
    package func list() async throws(Refusal) -> [Plan] { try await dao.read { db in try Self.list(in: &db) } }

    private static func list(in db: inout some DatabaseAccess & ~Copyable) throws -> [Plan] {
        let counts = try db.all("SELECT plan, count(*) FROM account_plans GROUP BY plan") { row in
            (try row.next(String.self), try row.next(Int.self))
        }
        let byPlan = Dictionary(uniqueKeysWithValues: counts)
        return try db.all(PlanRecord.self, "ORDER BY name").map { plan in
            Plan(name: plan.name, limits: plan.limits, accountCount: byPlan[plan.name] ?? 0)
        }
    }

    /// Makes a plan, or changes one.
    ///
    /// - Parameter actor: `nil` for the operator, here and below.
    /// - Throws: `planLimitReached`; `forbidden`, `banned`, `tokenInvalid`, `busy`, `storage`.
    package func set(_ name: String, _ limits: PlanLimits, by actor: UserID?) async throws(Refusal) -> [Plan] {
        try await change(by: actor, ["plan": .text(name)]) { db in
            if try !db.exists(PlanRecord.self, key: name) {
                let count: Int = try db.value("SELECT count(*) FROM plans") ?? 0
                guard count < Limits.plansMax else { throw Refusal(.planLimitReached) }
            }
            try db.upsert(PlanRecord(name: name, limits: limits))
            return nil
        }
    }

    /// - Throws: `planNotFound`; `forbidden`, `banned`, `tokenInvalid`, `busy`, `storage`.
    package func remove(_ name: String, by actor: UserID?) async throws(Refusal) -> [Plan] {
        try await change(by: actor, ["plan": .text(name), "removed": .text("yes")]) { db in
            guard try db.delete(PlanRecord.self, key: name) else { throw Refusal(.planNotFound) }
            return nil
        }
    }

    /// Gives an account a plan. What it has taken beyond that stays; it takes nothing more.
    ///
    /// - Throws: `userUnknown`, `planNotFound`; `forbidden`, `banned`, `tokenInvalid`, `busy`, `storage`.
    package func give(_ plan: String?, to user: UserReference, by actor: UserID?) async throws(Refusal) {
        _ = try await change(by: actor, ["plan": .text(plan ?? "")]) { db in
            let uid = try UserDAO.find(user, in: &db).uid
            if let plan {
                guard try db.exists(PlanRecord.self, key: plan) else { throw Refusal(.planNotFound) }
                try db.upsert(AccountPlanRecord(uid: uid, plan: plan))
            } else {
                _ = try db.delete(AccountPlanRecord.self, key: uid)
            }
            return uid
        }
    }

    private func change(
        by actor: UserID?, _ detail: JournalDetail, _ body: @escaping @Sendable (inout WriteAccess) throws -> UserID?
    ) async throws(Refusal) -> [Plan] {
        let (now, journal) = (clock.nowMilliseconds(), journal)
        let (plans, found) = try await dao.write { db in
            try AdminRights.require(.plansManage, of: actor, now: now, in: &db)
            let user = try body(&db)
            try journal.append(JournalEntry(.planChanged, actor: actor, user: user, detail), in: &db)
            return (try Self.list(in: &db), try Self.bitRates(in: &db))
        }
        bitRates.withLock { $0 = found }
        return plans
    }
}
