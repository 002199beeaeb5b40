// Both have the structures of time.h, and which module they count to depends on the build.
internal import CLoad
internal import Glibc
internal import SonaBase
internal import SonaClient
internal import SonaWire

/// Makes the record of a run from the counts of its engine.
final class Recorder {
    private let engine: Engine
    private let scenario: Scenario
    private let server: WatchedProcess?
    private let observer: LoadObserver
    private let bank: PacketBank
    /// The resources that the harness has used so far.
    private let meter: () -> HarnessMeter
    private var record: RunRecord

    private var start: Reading
    private var last: Reading
    private var end: Reading?
    private var lastTally = Tally()
    private var lastBytes = 0
    private var lastErrors = 0
    private var deliveriesAtEnd = 0
    private var residentMax = 0
    var residentBefore: Int?

    /// Processor times at a moment.
    private struct Reading {
        var harness: HarnessMeter
        var server: WatchedProcess.ProcessorTime?

        func serverShare(since earlier: Reading) -> Double? {
            guard let server, let used = earlier.server.flatMap(server.since), harness.at > earlier.harness.at else {
                return nil
            }
            return Double(used) / Double(harness.at - earlier.harness.at)
        }
    }

    init(
        _ engine: Engine, _ scenario: Scenario, _ options: LoadOptions, server: WatchedProcess?, bank: PacketBank,
        observer: LoadObserver, meter: @escaping () -> HarnessMeter = { .now }
    ) {
        self.engine = engine
        self.meter = meter
        start = Reading(harness: meter(), server: nil)
        last = start
        self.scenario = scenario
        self.server = server
        self.observer = observer
        self.bank = bank
        var asked = ScenarioRecord(
            server: options.server.description, rooms: scenario.rooms, hosts: scenario.rooms,
            listeners: scenario.phases.compactMap(\.listeners).max() ?? 0, seconds: Double(engine.plan.length) / 1e9,
            frameMilliseconds: scenario.frameMilliseconds)
        asked.bitrate = scenario.bitrate
        asked.delivery = scenario.delivery.rawValue
        asked.plan = scenario.recordValue
        if scenario.name != "flags" { asked.title = scenario.name }
        let environment = RunEnvironment(
            versions: .init(harness: LoadVersion.text, server: engine.serverProgram), machine: Surroundings.machine,
            limits: Surroundings.limits(server: server))
        record = RunRecord(
            startedAt: UTC.now, seed: scenario.seed, environment: environment, scenario: asked)
    }

    private var now: Reading { Reading(harness: meter(), server: server?.processorTime) }

    /// The measurement begins.
    func begin() {
        start = now
        last = start
        lastErrors = engine.errors.values.reduce(0, +)
    }

    // MARK: Each second

    func second() {
        let now = self.now
        let interval = take(now)
        record.intervals.append(interval)
        last = now
        if let share = interval.harnessCPU { warnIfBusy(share, at: interval.at) }
        observer.second(interval, Double(engine.plan.length) / 1e9)
    }

    /// The interval since the last one.
    private func take(_ now: Reading) -> IntervalRecord {
        let tally = engine.tally(.ordinary)
        let errors = engine.errors.values.reduce(0, +)
        let elapsed = Double(now.harness.at - engine.began) / 1e9
        var interval = IntervalRecord(
            at: elapsed, seconds: Double(now.harness.at - last.harness.at) / 1e9, delays: engine.delays.pointee)
        interval.phase = phaseName(elapsed)
        interval.listeners = engine.present
        interval.received = tally.received - lastTally.received
        // A late packet is subtracted from the packets lost before, so these may be negative.
        interval.lost = tally.lost - lastTally.lost
        interval.skipped = tally.skipped - lastTally.skipped
        interval.duplicates = tally.duplicates - lastTally.duplicates
        interval.bytesReceived = engine.counted.bytesReceived - lastBytes
        interval.errors = errors - lastErrors
        interval.harnessCPU = now.harness.share(since: last.harness)
        interval.serverCPU = now.serverShare(since: last)
        interval.serverResidentBytes = server?.residentBytes
        residentMax = max(residentMax, interval.serverResidentBytes ?? 0)
        (lastTally, lastBytes, lastErrors) = (tally, engine.counted.bytesReceived, errors)
        record.delays.merge(engine.delays.pointee)
        engine.delays.pointee.reset()
        return interval
    }

    private func phaseName(_ elapsed: Double) -> String? {
        guard engine.plan.stretches.count > 1 else { return nil }
        let at = UInt64(max(0, elapsed - 0.001) * 1e9)
        return (engine.plan.stretches.first { at < $0.end } ?? engine.plan.stretches.last)?.name
    }

    private func warnIfBusy(_ share: Double, at seconds: Double) {
        guard share > HarnessMeter.shareMax else { return }
        warn(
            "harness.busy",
            "The harness used \(Self.percent(share)) of a core after \(Int(seconds.rounded())) s: delays may be its own, "
                + "not the server's. Use fewer listeners, or several machines.")
    }

    private func warn(_ code: String, _ message: String) {
        guard !record.harness.warnings.contains(where: { $0.code == code }) else { return }
        let warning = HarnessRecord.Warning(code: code, message: message)
        record.harness.warnings.append(warning)
        observer.warning(warning)
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    // MARK: The end

    /// Called when the measurement is over; packets under way may still come.
    func endMeasurement() {
        let now = self.now
        if now.harness.at - last.harness.at > 50_000_000 {
            let interval = take(now)
            record.intervals.append(interval)
            observer.second(interval, Double(engine.plan.length) / 1e9)
        }
        last = now
        end = now
        deliveriesAtEnd = LoadPlan.Reader.allCases.reduce(0) { $0 + engine.tally($1).received }
        record.seconds = Double(now.harness.at - start.harness.at) / 1e9
    }

    /// All clients are settled.
    func finish(isInterrupted: Bool) -> RunRecord {
        let trailing = take(now)
        if trailing.received > 0 || trailing.lost != 0 || trailing.duplicates > 0 { record.intervals.append(trailing) }
        record.end = isInterrupted ? .interrupted : .completed
        // Hosts keep their connections to the very end.
        if !isInterrupted && (server?.isGone == true || !engine.isAnyHostIn) {
            record.end = .failed
            record.failure = "The server was gone at the end of the run: no host had a connection to it any more."
        }
        fillTotals()
        fillProcesses(end ?? last)
        warnAtEnd()
        record.details = details
        return record
    }

    private func fillTotals() {
        let tally = engine.tally(.ordinary)
        let counts = engine.counted
        var totals = Totals()
        totals.expected = tally.expected
        totals.received = tally.received
        totals.lost = tally.lost
        totals.duplicates = tally.duplicates
        totals.outOfOrder = tally.outOfOrder
        totals.skipped = tally.skipped
        totals.delay = Distribution(record.delays, in: .milliseconds)
        totals.join = Distribution(engine.times.joins, in: .milliseconds)
        totals.syncError = Distribution(engine.times.syncErrors, in: .microseconds)
        totals.listenersMax = engine.presentMax
        totals.joins = counts.joins
        totals.listenersMissing = engine.missingListeners
        totals.reconnects = counts.reconnects
        totals.bytesReceived = counts.bytesReceived
        totals.bytesSent = counts.bytesSent
        totals.errors = engine.errors
        record.totals = totals
        if engine.times.joins.count > 0 { record.joins = engine.times.joins }
        record.environment.versions.server = engine.serverProgram
    }

    private func fillProcesses(_ end: Reading) {
        let seconds = Double(end.harness.processor - start.harness.processor) / 1e9
        record.harness.cpuSeconds = seconds
        record.harness.cpu = end.harness.share(since: start.harness)
        record.harness.residentBytes = ProcFile.value("VmRSS", in: "/proc/self/status")
            .flatMap { Int($0.prefix { $0.isNumber }) }.map { $0 * 1024 }
        record.harness.lag = Distribution(engine.times.lag, in: .milliseconds)
        record.harness.sendLateness = Distribution(engine.times.sendLateness, in: .milliseconds)
        if deliveriesAtEnd > 0 { record.harness.microsecondsPerDelivery = seconds * 1e6 / Double(deliveriesAtEnd) }
        guard let server, let before = start.server, let used = end.server?.since(before) else { return }
        let serverSeconds = Double(used) / 1e9
        var own = ServerRecord(cpuSeconds: serverSeconds, residentBytes: max(residentMax, server.residentBytes ?? 0))
        own.pid = Int(server.pid)
        own.cpu = end.serverShare(since: start)
        if deliveriesAtEnd > 0 { own.microsecondsPerDelivery = serverSeconds * 1e6 / Double(deliveriesAtEnd) }
        own.residentBytesBefore = residentBefore
        record.server = own
    }

    private func warnAtEnd() {
        // A run of less than a second has had no second to warn of.
        if let share = record.harness.cpu { warnIfBusy(share, at: record.seconds) }
        if let lateness = record.harness.sendLateness, lateness.p99 > HarnessMeter.latenessMax * 1000 {
            warn(
                "harness.late",
                "One in a hundred packets of the hosts left \(Int(lateness.p99.rounded())) ms late or more, which the harness "
                    + "or this machine did, not the server; the delays have it in them.")
        }
        if let end, let share = end.harness.waitShare(since: start.harness), share > HarnessMeter.waitMax {
            warn(
                "harness.waiting",
                "The harness spent \(Self.percent(share)) of the time waiting for a core: whatever else runs on this machine, "
                    + "the server too, takes them. Delays have that in them.")
        }
        if let missing = record.totals.listenersMissing, missing > 0, let wanted = record.totals.listenersWanted {
            warn(
                "listeners.missing",
                "\(missing) of \(wanted) listeners never got in: what they would have heard is neither expected nor lost."
            )
        }
        if engine.givenUp > 0 {
            warn("connections.given_up", "\(engine.givenUp) connections were given up after six attempts to get in.")
        }
        if let server, server.isGone {
            warn("server.gone", "The process of --server-pid has ended during the run.")
        }
        if let silence = Silence(longestIn: record.intervals) {
            warn(
                "server.silent",
                "Nothing at all came from \(Int(silence.from.rounded())) s to \(Int(silence.to.rounded())) s: the server stood "
                    + "still, or the way to it. What was due then is late by as much, or lost.")
        }
        for reader in LoadPlan.Reader.allCases where !engine.tally(reader).isBalanced {
            warn(
                "harness.unbalanced",
                "What came and what was expected do not add up (\(engine.tally(reader))): that is a fault of sonaload.")
        }
    }

    private var details: [String: RecordValue] {
        RunDetails(engine, scenario, bank: bank, waitShare: end.flatMap { $0.harness.waitShare(since: start.harness) })
            .values
    }
}

extension UTC {
    /// RFC 3339, to the second.
    fileprivate static var now: String { text(milliseconds: Int64(time(nil)) * 1000) }
}
