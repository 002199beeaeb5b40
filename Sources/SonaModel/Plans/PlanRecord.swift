internal import SonaDatabase
internal import SonaWire

/// A plan. A limit that is `nil` is that of everybody.
struct PlanRecord: Record, Equatable {
    typealias Key = String

    let name: String
    var limits: PlanLimits

    static let name = Column("name", \Self.name, .primaryKey, .byteCount(Limits.planNameBytes))
    static let storage = Column("storage_bytes", \Self.limits.storageBytes)
    static let uploads = Column("uploads_per_day", \Self.limits.uploadsPerDay)
    static let rooms = Column("rooms", \Self.limits.rooms)
    static let bitRate = Column("bit_rate", \Self.limits.bitRate)

    static let table = Table<Self>("plans", name, storage, uploads, rooms, bitRate)

    func bind(to values: inout Binder) {
        values.next(name)
        values.next(limits.storageBytes)
        values.next(limits.uploadsPerDay)
        values.next(limits.rooms)
        values.next(limits.bitRate)
    }
}

extension PlanRecord {
    init(row: inout Row) throws(DatabaseError) {
        name = try row.next()
        limits = PlanLimits(
            storageBytes: try row.next(), uploadsPerDay: try row.next(), rooms: try row.next(),
            bitRate: try row.next())
    }
}

/// The plan of an account that has one.
struct AccountPlanRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    let plan: String

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let plan = Column("plan", \Self.plan, .references(PlanRecord.self, onDelete: .cascade))

    static let table = Table<Self>(
        "account_plans", uid, plan, rules: [.index("account_plans_by_plan", on: plan.ascending)])

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(plan)
    }
}

extension AccountPlanRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        plan = try row.next()
    }
}

/// Plans and who has them.
struct PlanDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(PlanRecord.self)
        setUp.createTable(AccountPlanRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        case .check: .invalid
        case .foreignKey: .userUnknown
        default: nil
        }
    }
}
