internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// `plan.get`, `plans.*` and `users.set_plan`.
struct PlanMethods: MethodArea {
    let plans: Plans
    let library: Library

    static func area(of methods: Methods) -> PlanMethods { methods.plans }

    static var methods: [Method] {
        [signedIn(get), signedIn(list), signedIn(set), signedIn(remove), signedIn(give)]
    }

    func get(_ request: PlanGet, _ asker: Asker) async throws -> PlanState {
        let (plan, limits, rooms) = try await plans.state(of: asker.uid)
        let usage = try await library.uploads.usage(of: asker.uid, managesAll: false)
        let today = try await library.uploads.countOfToday(asker.uid)
        return PlanState(
            plan: plan, storage: PlanQuota(used: usage.usedBytes + usage.comingBytes, max: usage.quotaBytes),
            uploads: PlanQuota(used: Int64(today), max: limits.uploadsPerDay.map { Int64($0) }),
            rooms: PlanQuota(used: Int64(rooms), max: Int64(limits.rooms ?? Limits.roomsPerUserMax)),
            bitRate: limits.bitRate)
    }

    /// - Parameter asker: `nil` for the operator, here and below.
    func list(_ request: PlansList, _ asker: Asker?) async throws -> PlanListResult {
        PlanListResult(plans: try await plans.list())
    }

    func set(_ request: PlansSet, _ asker: Asker?) async throws -> PlanListResult {
        PlanListResult(plans: try await plans.set(request.name, request.limits, by: asker?.uid))
    }

    func remove(_ request: PlansRemove, _ asker: Asker?) async throws -> PlanListResult {
        PlanListResult(plans: try await plans.remove(request.name, by: asker?.uid))
    }

    func give(_ request: UsersSetPlan, _ asker: Asker?) async throws -> Empty {
        try await plans.give(request.plan, to: request.user, by: asker?.uid)
        return Empty()
    }
}
