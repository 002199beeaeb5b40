internal import ArgumentParser
internal import Glibc
internal import SonaLoad

struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a page of a run's JSON, or of two runs laid over each other.",
        discussion: """
            Without --output the run is summed up on standard output. With --fail-if it is judged anew, by these \
            conditions alone. Either file may be -, standard input.

              sonaload report after.json before.json --output compared.html
              sonaload report run.json --fail-if 'delay.p99>20ms'
            """)

    @Argument(help: ArgumentHelp("A file that sonaload --json wrote.", valueName: "run.json"))
    var file: String

    @Argument(help: ArgumentHelp("Another run, to compare it with.", valueName: "other.json"))
    var other: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Where the page is written; - is standard output.", valueName: "file.html"))
    var output: String?

    @Option(
        name: .customLong("fail-if"), parsing: .singleValue,
        help: ArgumentHelp("Exit code 1 if this holds. May be given several times.", valueName: "condition"))
    var failIf: [String] = []

    func validate() throws {
        if file == "-", other == "-" { throw ValidationError("Only one of the two can come from standard input.") }
        if other != nil, output == nil { throw ValidationError("Two runs are compared on a page: --output FILE.html.") }
    }

    func run() throws {
        let thresholds = try failIf.map { text in
            do { return try Threshold(parsing: text) } catch let error as ThresholdError {
                throw Failure(64, error.description)
            }
        }
        var record = try Self.read(file)
        let other = try other.map(Self.read)
        if !thresholds.isEmpty { record.thresholds = thresholds.map { $0.judge(record) } }
        if let output {
            try FileArgument.write(Array(HTMLReport(record, comparedTo: other).html.utf8), to: output)
        } else {
            Console.out(RunSummary(record, style: TerminalStyle(descriptor: STDOUT_FILENO)).text)
        }
        guard !thresholds.isEmpty else { return }
        let missed = record.thresholds.filter { !$0.isPassed }
        if !missed.isEmpty { throw Failure(1, "Missed: " + missed.map(\.expression).joined(separator: ", ")) }
    }

    private static func read(_ path: String) throws -> RunRecord {
        do { return try RunRecord(json: FileArgument.read(path)) } catch let error as RunRecordError {
            throw Failure(65, "\(Console.printable(path)): \(Console.printable(error.description))")
        }
    }
}
