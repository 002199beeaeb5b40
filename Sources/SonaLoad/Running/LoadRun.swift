package import SonaBase
package import SonaClient

/// The options of a run beside its scenario.
package struct LoadOptions: Sendable {
    package var server = ServerAddress.standard
    /// The token of the account that owns the rooms; nil: throw-away accounts.
    package var token: String?
    package var mayBeRemote = false
    package var serverPid: Int32?

    package init() {}
}

/// The observer of a run in progress. Called on the run's thread.
package struct LoadObserver {
    /// The present stage, in words: "200 of 4000 listeners are in".
    package var stage: (String) -> Void
    /// A second is over; the planned length of the measurement, seconds.
    package var second: (IntervalRecord, Double) -> Void
    /// Once each.
    package var warning: (HarnessRecord.Warning) -> Void

    package init(
        stage: @escaping (String) -> Void = { _ in }, second: @escaping (IntervalRecord, Double) -> Void = { _, _ in },
        warning: @escaping (HarnessRecord.Warning) -> Void = { _ in }
    ) {
        self.stage = stage
        self.second = second
        self.warning = warning
    }
}

/// One run: from the first connection to the record of what happened.
///
/// Blocks the thread it is called on, which should be its own.
package struct LoadRun {
    private let options: LoadOptions
    private let scenario: Scenario
    private let stop: StopFlag
    private let observer: LoadObserver

    package init(_ options: LoadOptions, _ scenario: Scenario, stop: StopFlag, observer: LoadObserver = LoadObserver())
    {
        self.options = options
        self.scenario = scenario
        self.stop = stop
        self.observer = observer
    }

    /// Makes accounts and rooms, runs, and removes them again, whatever happens.
    ///
    /// - Parameter handOut: Called with the record before anything is removed, which a server that hangs can hold up.
    /// - Returns: The same record, and in its warnings what could not be removed.
    /// - Throws: `LoadError` if it never came to measuring, afterwards the record says how it ended; what `handOut` throws.
    package func perform(handOut: (RunRecord) throws -> Void = { _ in }) throws -> RunRecord {
        let target = try Target(options.server, mayBeRemote: options.mayBeRemote)
        let premises = try Premises(target, ownToken: options.token, stop: stop)
        var made: [ThrowawayAccount] = []
        let outcome = Result {
            let record = try perform(on: target, premises, made: &made)
            try handOut(record)
            return record
        }
        observer.stage("removing rooms and accounts")
        let left = premises.clear(alsoRemoving: made).map(HarnessRecord.Warning.init(leftBehind:))
        for warning in left { observer.warning(warning) }
        var record = try outcome.get()
        record.harness.warnings += left
        return record
    }

    /// The same in rooms that somebody else makes and removes; so are the accounts that sign-ups made.
    package func perform(
        on target: Target, _ premises: Premises, made: inout [ThrowawayAccount]
    ) throws(LoadError) -> RunRecord {
        try scenario.check()
        let server: WatchedProcess? = if let pid = options.serverPid { try WatchedProcess(pid: pid) } else { nil }
        let bank = try PacketBank(
            frameMilliseconds: scenario.frameMilliseconds, kilobits: scenario.bitrate, seed: scenario.seed)
        let plan = LoadPlan(scenario, packets: bank.packets.count)
        try checkDescriptors(plan)
        observer.stage("making \(scenario.rooms) room\(scenario.rooms == 1 ? "" : "s")")
        try premises.prepare(scenario.rooms, delivery: scenario.delivery)
        let rooms = premises.rooms.prefix(scenario.rooms)
        let residentBefore = server?.residentBytes
        guard rooms.count == scenario.rooms else { throw Self.interrupted }
        let engine = try Engine(
            target: target, scenario: scenario, plan: plan, bank: bank, rooms: Array(rooms), stop: stop)
        defer {
            engine.closeAll()
            made += engine.accounts
        }
        observer.stage("hosts take their seats")
        try engine.openHosts()
        var told = -1
        var toldAt: UInt64 = 0
        try engine.joinBefore { present, all in
            let now = LoadClock.now
            guard present != told, all > 0, present == all || now >= toldAt + 1_000_000_000 else { return }
            (told, toldAt) = (present, now)
            observer.stage("\(present) of \(all) listeners are in")
        }
        guard !stop.isSet else { throw Self.interrupted }
        let recorder = Recorder(engine, scenario, options, server: server, bank: bank, observer: observer)
        recorder.residentBefore = residentBefore
        engine.begin()
        recorder.begin()
        engine.run { recorder.second() }
        recorder.endMeasurement()
        engine.drain()
        engine.settle()
        return recorder.finish(isInterrupted: stop.isSet)
    }

    /// Ctrl-C before there was anything to measure.
    private static var interrupted: LoadError { LoadError(.interrupted, "Ended before anything was measured.") }

    /// Checks for the greatest number of clients present at once by the plan, with a reserve for leavers that still
    /// wait and for signing up.
    private func checkDescriptors(_ plan: LoadPlan) throws(LoadError) {
        let wanted = plan.listenersMax + plan.hosts.count + 64
        let granted = Surroundings.raiseDescriptors()
        guard granted >= wanted else {
            throw LoadError(
                .machine,
                "\(plan.listenersMax) listeners need as many open files, and this system grants \(granted): raise it "
                    + "with ulimit -n \(wanted) first.")
        }
    }
}

extension HarnessRecord.Warning {
    init(leftBehind sentence: String) {
        self.init(code: "harness.left_behind", message: "Something is left on the server: \(sentence)")
    }
}

extension LoadPlan {
    /// The greatest number of listeners that are to be there at once.
    var listenersMax: Int {
        var now = joinedBefore
        var most = now
        for event in events {
            switch event.action {
            case .join: now += 1
            case .leave: now -= 1
            default: continue
            }
            most = max(most, now)
        }
        return most
    }
}
