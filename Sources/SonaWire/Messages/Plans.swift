extension Catalogue {
    /// What accounts may take of the server.
    ///
    /// Source: Protocol/spec/plans.md.
    static let plans = Area(
        "plans",
        requests: [PlanGet.self, PlansList.self, PlansSet.self, PlansRemove.self, UsersSetPlan.self])
}

extension Limits {
    /// The feature that announces plans.
    public static let plansFeature = "plans"
    /// Bytes of the name of a plan.
    public static let planNameBytes = 1...32
    /// Plans of a server.
    public static let plansMax = 100
    static let planUploads: ClosedRange<Int64> = 0...100_000
    static let planRooms: ClosedRange<Int64> = 0...1_000
    /// kb/s.
    static let planBitRate: ClosedRange<Int64> = 6...10_000
}

// MARK: - Objects

/// The limits of a plan. `nil`: as for everybody.
///
/// Source: Protocol/spec/plans.md, "Plan".
public struct PlanLimits: Sendable, Hashable {
    /// Bytes of uploads.
    public var storageBytes: Int64?
    /// Uploads within 24 hours.
    public var uploadsPerDay: Int?
    /// Rooms that are not closed.
    public var rooms: Int?
    /// kb/s that a host may send, on average over ten seconds.
    public var bitRate: Int?

    public init(storageBytes: Int64? = nil, uploadsPerDay: Int? = nil, rooms: Int? = nil, bitRate: Int? = nil) {
        self.storageBytes = storageBytes
        self.uploadsPerDay = uploadsPerDay
        self.rooms = rooms
        self.bitRate = bitRate
    }
}

/// A plan, by which some accounts may take more of the server than others, or less.
///
/// Source: Protocol/spec/plans.md, "Plan".
public struct Plan: DeclaredObject, Hashable {
    public var name: String
    public var limits: PlanLimits
    /// Accounts that have it.
    public var accountCount: Int

    public init(name: String, limits: PlanLimits, accountCount: Int) {
        self.name = name
        self.limits = limits
        self.accountCount = accountCount
    }

    public static let declaration = Declaration(
        Member("name", \Self.name, .line(bytes: Limits.planNameBytes)),
        Member(nullable: "storage_bytes", \Self.limits.storageBytes, .count),
        Member(nullable: "uploads_per_day", \Self.limits.uploadsPerDay, .integer(Limits.planUploads)),
        Member(nullable: "rooms", \Self.limits.rooms, .integer(Limits.planRooms)),
        Member(nullable: "bit_rate", \Self.limits.bitRate, .integer(Limits.planBitRate)),
        Member("accounts", \Self.accountCount, .count)
    ) { name, storage, uploads, rooms, bitRate, accounts in
        Plan(
            name: name,
            limits: PlanLimits(storageBytes: storage, uploadsPerDay: uploads, rooms: rooms, bitRate: bitRate),
            accountCount: accounts)
    }
}

/// How much of something an account has taken, and may take.
public struct PlanQuota: DeclaredObject, Hashable {
    public var used: Int64
    /// `nil`: no limit.
    public var max: Int64?

    public init(used: Int64, max: Int64?) {
        self.used = used
        self.max = max
    }

    public static let declaration = Declaration(
        Member("used", \Self.used, .count), Member(nullable: "max", \Self.max, .count), make: Self.init)
}

/// The plan of an account, with what it has taken. The answer to `plan.get`.
///
/// Source: Protocol/spec/plans.md, "plan.get".
public struct PlanState: DeclaredObject, Equatable {
    /// `nil`: that of everybody.
    public var plan: String?
    /// Bytes.
    public var storage: PlanQuota
    /// Within the last 24 hours.
    public var uploads: PlanQuota
    public var rooms: PlanQuota
    /// kb/s; `nil`: no limit of a plan.
    public var bitRate: Int?

    public init(plan: String?, storage: PlanQuota, uploads: PlanQuota, rooms: PlanQuota, bitRate: Int?) {
        self.plan = plan
        self.storage = storage
        self.uploads = uploads
        self.rooms = rooms
        self.bitRate = bitRate
    }

    public static let declaration = Declaration(
        Member(nullable: "plan", \Self.plan, .line(bytes: Limits.planNameBytes)),
        Member("storage", \Self.storage, .object),
        Member("uploads", \Self.uploads, .object),
        Member("rooms", \Self.rooms, .object),
        Member(nullable: "bit_rate", \Self.bitRate, .integer(Limits.planBitRate)),
        make: Self.init)
}

// MARK: - Requests

/// `plan.get`: one's own plan, and what of it is taken.
///
/// Source: Protocol/spec/plans.md, "plan.get".
public struct PlanGet: FieldlessRequest {
    public typealias Response = PlanState
    public static let type = "plan.get"
    public static let permission: Permission? = .accountManage

    public init() {}
}

/// `plans.list`: the plans of the server, by name.
///
/// Source: Protocol/spec/plans.md, "plans.list".
public struct PlansList: FieldlessRequest {
    public typealias Response = PlanListResult
    public static let type = "plans.list"
    public static let permission: Permission? = .plansManage

    public init() {}
}

/// The plans of a server.
public struct PlanListResult: DeclaredObject, Equatable {
    public var plans: [Plan]

    public init(plans: [Plan]) { self.plans = plans }

    public static let declaration = Declaration(
        Member("plans", \Self.plans, .objects(count: 0...Limits.plansMax)), make: Self.init)
}

/// `plans.set`: makes a plan, or changes all limits of one.
///
/// Source: Protocol/spec/plans.md, "plans.set".
public struct PlansSet: DeclaredRequest {
    public typealias Response = PlanListResult
    public static let type = "plans.set"
    public static let permission: Permission? = .plansManage

    public var name: String
    public var limits: PlanLimits

    public init(name: String, limits: PlanLimits) {
        self.name = name
        self.limits = limits
    }

    public static let declaration = Declaration(
        Member("name", \Self.name, .line(bytes: Limits.planNameBytes)),
        Member(optional: "storage_bytes", \Self.limits.storageBytes, .count),
        Member(optional: "uploads_per_day", \Self.limits.uploadsPerDay, .integer(Limits.planUploads)),
        Member(optional: "rooms", \Self.limits.rooms, .integer(Limits.planRooms)),
        Member(optional: "bit_rate", \Self.limits.bitRate, .integer(Limits.planBitRate))
    ) { name, storage, uploads, rooms, bitRate in
        PlansSet(
            name: name,
            limits: PlanLimits(storageBytes: storage, uploadsPerDay: uploads, rooms: rooms, bitRate: bitRate))
    }
}

/// `plans.remove`: removes a plan. Accounts that had it may take what everybody may.
///
/// Source: Protocol/spec/plans.md, "plans.remove".
public struct PlansRemove: DeclaredRequest {
    public typealias Response = PlanListResult
    public static let type = "plans.remove"
    public static let permission: Permission? = .plansManage

    public var name: String

    public init(name: String) { self.name = name }

    public static let declaration = Declaration(
        Member("name", \Self.name, .line(bytes: Limits.planNameBytes)), make: Self.init)
}

/// `users.set_plan`: gives an account a plan, or takes it away.
///
/// Source: Protocol/spec/plans.md, "users.set_plan".
public struct UsersSetPlan: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "users.set_plan"
    public static let permission: Permission? = .plansManage

    public var user: UserReference
    /// `nil`: that of everybody.
    public var plan: String?

    public init(user: UserReference, plan: String?) {
        self.user = user
        self.plan = plan
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .userReference),
        Member(optional: "plan", \Self.plan, .line(bytes: Limits.planNameBytes)),
        make: Self.init)
}
