internal import ArgumentParser
internal import Glibc
internal import SonaClient
internal import SonaLoad
internal import SonaWire

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs one load test. What is meant where no command is named.")

    @OptionGroup var serverOptions: ServerOptions
    @OptionGroup var sound: SoundOptions
    @OptionGroup var storm: StormOptions

    @Option(
        help: ArgumentHelp(
            "What is to happen, as JSON (README, \"Scenario files\"); - reads standard input. In place of the options of rooms, sound and listeners.",
            valueName: "file"))
    var scenario: String?

    @Option(help: ArgumentHelp("Writes everything that was measured as JSON; - is standard output.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Writes a page with curves, which needs nothing else.", valueName: "file.html"))
    var report: String?

    @Option(help: ArgumentHelp("JSON of another run, drawn into the report's curves.", valueName: "file"))
    var compare: String?

    @Option(
        name: .customLong("fail-if"), parsing: .singleValue,
        help: ArgumentHelp(
            "Exit code 1 if this holds: delay.p99>50ms, lost>0, lost%>0.1, listeners_missing>0. May be given several times.",
            valueName: "condition"))
    var failIf: [String] = []

    func validate() throws {
        if json == "-", report == "-" {
            throw ValidationError("Only one of --json and --report can go to standard output.")
        }
    }

    func run() throws {
        let thresholds = try failIf.map { text in
            do { return try Threshold(parsing: text) } catch let error as ThresholdError {
                throw Failure(64, error.description)
            }
        }
        let options = try serverOptions.options()
        let plan = try plannedScenario()
        for path in [json, report].compactMap({ $0 }) { try FileArgument.checkWritable(path) }
        let other = try compare.map { path in
            do { return try RunRecord(json: FileArgument.read(path)) } catch let error as RunRecordError {
                throw Failure(65, "\(Console.printable(path)): \(Console.printable(error.description))")
            }
        }
        let display = LiveDisplay()
        defer { display.finish() }
        display.note(Self.headline(options, plan))
        let observer = LoadObserver(
            stage: { display.note($0) },
            second: { interval, total in display.show(interval, totalSeconds: total, elapsed: interval.at) },
            warning: { display.note("warning: \($0.message) (\($0.code))", isWarning: true) })
        var faults: [String] = []
        var handedOut: RunRecord?
        // The results are printed before rooms and accounts are removed: a server that hangs would hold the removal up.
        var record = try LoadRun(options, plan, stop: Interruption.stop, observer: observer).perform { measured in
            var record = measured
            record.thresholds = thresholds.map { $0.judge(record) }
            display.finish()
            faults += tell(record)
            faults += write(record, other) { _ in true }
            handedOut = record
        }
        record.thresholds = handedOut?.thresholds ?? []
        display.finish()
        // The clean-up may have had something to add.
        if record != handedOut { faults += write(record, other) { $0 != "-" } }
        try judge(record, faults)
    }

    /// The summary. Data that goes to standard output stands there alone.
    ///
    /// - Returns: A sentence about each thing that went wrong.
    private func tell(_ record: RunRecord) -> [String] {
        let isTaken = json == "-" || report == "-"
        let style = TerminalStyle(descriptor: isTaken ? STDERR_FILENO : STDOUT_FILENO)
        let summary = RunSummary(record, style: style).text
        if isTaken {
            Console.say(summary)
        } else if !Console.isWritten(summary) {
            return ["standard output: \(String(cString: strerror(errno)))."]
        }
        return []
    }

    /// Writes each of the files that can be written.
    ///
    /// - Returns: A sentence about each thing that went wrong.
    private func write(_ record: RunRecord, _ other: RunRecord?, where isWanted: (String) -> Bool) -> [String] {
        var faults: [String] = []
        func attempt(_ path: String?, _ bytes: () throws -> [UInt8]) {
            guard let path, isWanted(path) else { return }
            do { try FileArgument.write(bytes(), to: path) } catch let failure as Failure {
                faults.append(failure.message)
            } catch {
                faults.append("\(Console.printable(path)): \(Console.printable("\(error)"))")
            }
        }
        attempt(json) { try record.json() }
        attempt(report) { Array(HTMLReport(record, comparedTo: other).html.utf8) }
        return faults
    }

    /// How the program ends.
    private func judge(_ record: RunRecord, _ faults: [String]) throws {
        if !faults.isEmpty { throw Failure(74, faults.joined(separator: "\nsonaload: ")) }
        // The summary has said why.
        if record.end == .failed { throw Failure(69, "") }
        if let code = Interruption.exitCode { throw Failure(code, "") }
        if record.thresholds.contains(where: { !$0.isPassed }) { throw Failure(1, "") }
    }

    private func plannedScenario() throws -> Scenario {
        var scenario = try sound.scenario()
        if let file = self.scenario {
            scenario = try Scenario(file: FileArgument.read(file))
            if sound.seed != nil { scenario.seed = try sound.chosenSeed() }
        } else {
            scenario.phases = try storm.phases()
            try scenario.check()
        }
        return scenario
    }

    static func headline(_ options: LoadOptions, _ scenario: Scenario) -> String {
        let listeners = scenario.phases.compactMap(\.listeners).max() ?? 0
        return "\(options.server): \(scenario.rooms) host\(scenario.rooms == 1 ? "" : "s"), up to \(listeners) "
            + "listener\(listeners == 1 ? "" : "s"), \(scenario.bitrate) kbit/s, \(scenario.delivery.rawValue), seed \(scenario.seed)"
    }
}
