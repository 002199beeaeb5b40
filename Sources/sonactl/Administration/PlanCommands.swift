internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct PlanCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plans", abstract: "Says what accounts may take of the server. For administrators, but for show.",
        discussion: """
              sonactl plans set band --storage-mib 10240 --uploads-per-day 50 --rooms 20
              sonactl plans give @ada band
            """,
        subcommands: [
            PlanShow.self, PlanListCommand.self, PlanSet.self, PlanRemove.self, PlanGive.self, PlanTake.self,
        ])
}

struct PlanShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows your own plan, and what of it is taken.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func run() async throws {
        let state = try await global.withClient(.account) { try await $0.call(PlanGet()) }
        if json { return Console.out(json: state) }
        var table = Table()
        table.add("plan", state.plan ?? "that of everybody")
        table.add("storage", ByteText.of(state.storage.used), state.storage.max.map { "of \(ByteText.of($0))" } ?? "")
        table.add("uploads today", "\(state.uploads.used)", state.uploads.max.map { "of \($0)" } ?? "")
        table.add("rooms", "\(state.rooms.used)", state.rooms.max.map { "of \($0)" } ?? "")
        if let rate = state.bitRate { table.add("bit rate", "\(rate) kb/s") }
        table.show()
    }
}

struct PlanListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the plans of the server, and how many accounts have each.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func run() async throws {
        let found = try await global.asOperator { try await $0.call(PlansList()) }
        found.show(json: json)
    }
}

struct PlanSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Makes a plan, or changes one.",
        discussion: "A limit that is not named is that of everybody.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Its name, at most 32 bytes.") var name: String
    @Option(help: ArgumentHelp("MiB of uploads.", valueName: "mib")) var storageMib: Int64?
    @Option(help: ArgumentHelp("Uploads within 24 hours.", valueName: "n")) var uploadsPerDay: Int?
    @Option(help: ArgumentHelp("Rooms that are not closed.", valueName: "n")) var rooms: Int?
    @Option(help: ArgumentHelp("kb/s that a host may send.", valueName: "kb/s")) var bitRate: Int?
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func validate() throws {
        guard Limits.planNameBytes.contains(name.utf8.count) else {
            throw ValidationError("The name of a plan has 1 to \(Limits.planNameBytes.upperBound) bytes.")
        }
        if let storageMib, !(0...1 << 33).contains(storageMib) {
            throw ValidationError("--storage-mib takes 0 to \(1 << 33).")
        }
    }

    func run() async throws {
        let limits = PlanLimits(
            storageBytes: storageMib.map { $0 << 20 }, uploadsPerDay: uploadsPerDay, rooms: rooms, bitRate: bitRate)
        let found = try await global.asOperator { try await $0.call(PlansSet(name: name, limits: limits)) }
        found.show(json: json)
    }
}

struct PlanRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a plan. Accounts that had it have the limits of everybody.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Its name.") var name: String

    func run() async throws {
        let found = try await global.asOperator { try await $0.call(PlansRemove(name: name)) }
        found.show(json: false)
    }
}

struct PlanGive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "give", abstract: "Gives an account a plan.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Argument(help: "The name of a plan.") var plan: String

    func run() async throws {
        let request = UsersSetPlan(user: try user.reference(), plan: plan)
        _ = try await global.asOperator { try await $0.call(request) }
        Console.say("Given.")
    }
}

struct PlanTake: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "Takes an account's plan away: it has the limits of everybody.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument

    func run() async throws {
        let request = UsersSetPlan(user: try user.reference(), plan: nil)
        _ = try await global.asOperator { try await $0.call(request) }
        Console.say("Taken away.")
    }
}

extension PlanListResult {
    fileprivate func show(json: Bool) {
        if json { return Console.out(json: self) }
        var table = Table()
        for plan in plans {
            table.add(
                plan.name, plan.limits.storageBytes.map { ByteText.of($0) } ?? "-",
                plan.limits.uploadsPerDay.map { "\($0) uploads a day" } ?? "-",
                plan.limits.rooms.map { "\($0) rooms" } ?? "-", plan.limits.bitRate.map { "\($0) kb/s" } ?? "-",
                plan.accountCount == 1 ? "1 account" : "\(plan.accountCount) accounts")
        }
        table.show()
    }
}
