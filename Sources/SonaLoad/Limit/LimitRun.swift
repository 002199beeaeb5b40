package import SonaBase
internal import SonaWire

/// Looks for the limit of a server: many runs in the same rooms.
///
/// Blocks the thread it is called on.
package struct LimitRun {
    private let options: LoadOptions
    /// Rooms and sound; its phases are made here.
    private let scenario: Scenario
    private let search: LimitSearch
    private let criteria: LimitCriteria
    /// Length of each run.
    private let seconds: Double
    private let stop: StopFlag
    private let observer: LoadObserver

    package init(
        _ options: LoadOptions, _ scenario: Scenario, search: LimitSearch, criteria: LimitCriteria, seconds: Double,
        stop: StopFlag, observer: LoadObserver
    ) {
        self.options = options
        self.scenario = scenario
        self.search = search
        self.criteria = criteria
        self.seconds = seconds
        self.stop = stop
        self.observer = observer
    }

    /// - Parameters:
    ///   - tried: Called after each run.
    ///   - handOut: Called with the result before anything is removed, which a server that hangs can hold up.
    /// - Throws: `LoadError` if it did not come to a first run. Afterwards the result says what ended it; what `handOut`
    ///   throws.
    package func perform(
        tried: @escaping (LimitTrial) -> Void, handOut: (LimitResult) throws -> Void
    ) throws {
        // Settings that no run could use are refused before the first.
        _ = try PacketBank(
            frameMilliseconds: scenario.frameMilliseconds, kilobits: scenario.bitrate, seed: scenario.seed)
        if let pid = options.serverPid { _ = try WatchedProcess(pid: pid) }
        let target = try Target(options.server, mayBeRemote: options.mayBeRemote)
        let premises = try Premises(target, ownToken: options.token, stop: stop)
        var made: [ThrowawayAccount] = []
        defer {
            for sentence in premises.clear(alsoRemoving: made) {
                observer.warning(HarnessRecord.Warning(leftBehind: sentence))
            }
        }
        try premises.prepare(scenario.rooms, delivery: scenario.delivery)
        var number: UInt64 = 0
        var failure: LoadError?
        var result = search.run { listeners in
            guard !stop.isSet else { return nil }
            var scenario = scenario
            var phase = Scenario.Phase(name: "steady", seconds: seconds)
            phase.listeners = listeners
            scenario.phases = [phase]
            // Runs at one number are not all drawn alike.
            scenario.seed = (scenario.seed + number) & Scenario.seedMax
            number += 1
            var trial: LimitTrial
            do throws(LoadError) {
                let record = try LoadRun(options, scenario, stop: stop, observer: observer)
                    .perform(on: target, premises, made: &made)
                if record.end == .interrupted { return nil }
                if record.end == .failed { throw LoadError(.unreachable, record.failure ?? "The server is gone.") }
                trial = LimitTrial(record, listeners: listeners, criteria)
                // A server that has ended bears nobody, and at no number again.
                if !trial.isBorne { try premises.checkServer() }
            } catch {
                guard error.code != .interrupted, let turnedAway = LimitTrial(error, listeners: listeners) else {
                    if error.code != .interrupted { failure = error }
                    return nil
                }
                do throws(LoadError) { try premises.checkServer() } catch {
                    failure = error
                    return nil
                }
                trial = turnedAway
            }
            tried(trial)
            return trial
        }
        result.failure = failure
        try handOut(result)
    }
}
