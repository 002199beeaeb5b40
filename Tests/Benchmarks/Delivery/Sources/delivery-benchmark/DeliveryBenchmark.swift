import ArgumentParser
import DeliveryLoad
import Foundation

@main
struct DeliveryBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delivery-benchmark",
        abstract: "What a delivery costs: Sona beside a bare server, in one run.",
        discussion: """
            Lines: \(Lines.names.joined(separator: " "))
            Exits with 1 if a count is above its limit, or a packet was lost or doubled.
            """)

    @Option(help: "Of the server to be measured.") var sona: String
    @Option(help: "Of the bare server.") var bare: String
    @Option(help: "Of the SwiftNIO server; its lines are left out without.") var nio: String?
    @Option(help: "The library made of counts.c; its lines are left out without.") var counts: String?
    @Option(help: "How often each line is measured.") var rounds = 4
    @Option(help: "How long a round is.") var seconds = 4.0
    @Flag(help: "Two short rounds: to find mistakes, not for numbers.") var quick = false
    @Flag(help: "Both servers get their packets at once, instead of half a period apart.") var together = false
    @Flag(help: "Pairs under SCHED_RR too, not only delays: for a machine that others use.") var realTime = false
    @Option(help: "Lines whose name begins so; may be repeated.") var only: [String] = []
    @Option(help: "All rounds, for tools.") var json: String?
    @Option(help: "Where both servers run.") var serverCore = 0
    @Option(help: "Printed with the result.") var commit: String?

    func run() throws {
        Descriptors.raise()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("delivery-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let stage = Stage(
            programs: Programs(
                sona: URL(fileURLWithPath: sona), bare: URL(fileURLWithPath: bare),
                nio: nio.map { URL(fileURLWithPath: $0) }, counts: counts.map { URL(fileURLWithPath: $0) }),
            folder: folder, core: serverCore)
        let measure = Measure(
            stage: stage, rounds: quick ? min(2, rounds) : rounds, seconds: quick ? min(1, seconds) : seconds,
            quick: quick, together: together, realTime: realTime)
        let chosen = Lines.all.filter { line in
            only.isEmpty || only.contains { line.name.hasPrefix($0) }
        }
        guard !chosen.isEmpty else { throw ValidationError("No line begins so.") }
        var report = Report(machine: Machine(commit: commit), rounds: measure.rounds, seconds: measure.seconds)
        for line in chosen {
            FileHandle.standardError.write(Data("\(line.name) …\n".utf8))
            do {
                try line.run(measure, &report)
            } catch let skipped as Skipped {
                report.skipped.append("\(line.name): \(skipped.reason)")
            } catch {
                report.broken.append("\(line.name): \(error)")
            }
        }
        print(report.text)
        if let json { try report.json().write(to: URL(fileURLWithPath: json)) }
        if !report.holds { throw ExitCode(1) }
    }
}

/// A line that this server, or this machine, cannot run.
struct Skipped: Error {
    var reason: String
}

/// How everything is measured.
struct Measure {
    var stage: Stage
    var rounds: Int
    var seconds: Double
    var quick: Bool
    var together: Bool
    var realTime: Bool
}
