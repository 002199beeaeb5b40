internal import ArgumentParser
internal import FoundationEssentials
internal import SonaLoad
internal import SonaWire

struct Limit: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Raises the number of listeners until something gives way, and says the number and what it was.",
        discussion: """
            Doubles the listeners until packets are late or lost, joining takes too long, or listeners are turned away; then \
            bisects, and repeats around the number found: how far the repetitions lie apart is how sure it is. Where the \
            harness itself gives way first, it says so, and that the server bears at least so many. Exit code 1 if no \
            number was borne, or none was found.
            """)

    @OptionGroup var serverOptions: ServerOptions
    @OptionGroup var sound: SoundOptions

    @Option(help: "The number to begin with.")
    var from = 100

    @Option(help: "The greatest number to try.")
    var to = 20_000

    @Option(help: ArgumentHelp("How long each run measures.", valueName: "seconds"))
    var seconds = 8.0

    @Option(
        name: .customLong("delay-p99"),
        help: ArgumentHelp(
            "One packet in a hundred may take longer. A busy server gathers packets for up to 120 ms, on purpose.",
            valueName: "ms"))
    var delayP99 = LimitCriteria().delayP99

    @Option(help: ArgumentHelp("So much may be lost.", valueName: "percent"))
    var loss = LimitCriteria().loss * 100

    @Option(
        name: .customLong("join-p99"),
        help: ArgumentHelp("One join in a hundred may take longer, to the first packet.", valueName: "ms"))
    var joinP99 = LimitCriteria().joinP99

    @Option(help: ArgumentHelp("How near to each other two numbers are the same.", valueName: "percent"))
    var tolerance = 5.0

    @Option(help: "How often the number is looked for again.")
    var repetitions = 3

    @Option(help: ArgumentHelp("Writes the number and every run as JSON; - is standard output.", valueName: "file"))
    var json: String?

    func validate() throws {
        guard 1...Scenario.listenersMax ~= from, from...Scenario.listenersMax ~= to else {
            throw ValidationError(
                "--from and --to are numbers of listeners, 1 to \(Scenario.listenersMax), the lesser first.")
        }
        guard delayP99 > 0, joinP99 > 0, 0...100 ~= loss, 0.1...50 ~= tolerance, 1...20 ~= repetitions else {
            throw ValidationError(
                "--delay-p99 and --join-p99 are above 0, --loss is 0 to 100, --tolerance 0.1 to 50, --repetitions 1 to 20."
            )
        }
    }

    func run() throws {
        let options = try serverOptions.options()
        var scenario = try sound.scenario()
        var first = Scenario.Phase(name: "steady", seconds: seconds)
        first.listeners = to
        scenario.phases = [first]
        try scenario.check()
        if let json { try FileArgument.checkWritable(json) }
        var search = LimitSearch()
        search.from = from
        search.to = to
        search.tolerance = tolerance / 100
        search.repetitions = repetitions
        var criteria = LimitCriteria()
        criteria.delayP99 = delayP99
        criteria.loss = loss / 100
        criteria.joinP99 = joinP99
        let display = LiveDisplay()
        defer { display.finish() }
        display.note(Run.headline(options, scenario))
        if delayP99 < 150 {
            display.note(
                "note: a server whose loop is busy gathers packets for up to 120 ms by design, and a party room always for "
                    + "up to 60: with --delay-p99 \(Int(delayP99.rounded())) that may be what is found.")
        }
        let observer = LoadObserver(
            second: { interval, total in display.show(interval, totalSeconds: total, elapsed: interval.at) },
            warning: { warning in
                // A warning about one run was judged with that run.
                if warning.code == "harness.left_behind" {
                    display.note("warning: \(warning.message) (\(warning.code))", isWarning: true)
                }
            })
        var found: Int?
        try LimitRun(
            options, scenario, search: search, criteria: criteria, seconds: seconds, stop: Interruption.stop,
            observer: observer
        ).perform(
            tried: { display.note($0.line) },
            handOut: { result in
                found = result.listeners
                try write(result, display)
            })
        if let code = Interruption.exitCode { throw Failure(code, "") }
        // The output has told the reason already.
        if found == nil { throw Failure(1, "") }
    }

    private func write(_ result: LimitResult, _ display: LiveDisplay) throws {
        display.finish()
        if let json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            try FileArgument.write(Array(try encoder.encode(result.recordValue)) + [10], to: json)
        }
        if json == "-" { Console.say(result.text) } else { Console.out(result.text) }
        if let failure = result.failure { throw failure }
    }
}
