import Glibc
import SonaTestSupport

/// Scenarios of database tests that need a separate process: kills, a failing disk, limits.
///
/// The first argument is the scenario. Findings are lines that begin with `FAIL`; the last line of a scenario that ends
/// by itself is `done` and what was done.
@main
struct DatabaseCrashProgram {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let scenario = arguments.first else { exit(64) }
        let rest = Array(arguments.dropFirst())
        do {
            try await run(scenario, rest)
        } catch {
            Output.fail("\(scenario): \(error)")
            exit(1)
        }
    }

    private static func run(_ scenario: String, _ arguments: [String]) async throws {
        func number(_ place: Int) -> UInt64 { arguments.indices.contains(place) ? UInt64(arguments[place]) ?? 0 : 0 }
        switch scenario {
        case "crash":
            guard arguments.count == 6, let load = CrashScenario.Load(rawValue: arguments[1]) else { exit(64) }
            let said = TemporaryFolder.bytes(ofFile: arguments[4]) ?? []
            try await CrashScenario(
                path: arguments[0], load: load, run: Int(number(2)), seed: number(3),
                said: String(decoding: said, as: UTF8.self), seqMin: Int64(number(5))
            ).run()
        case "faults":
            guard let work = arguments.first.flatMap(FaultScenario.Work.init) else { exit(64) }
            try await FaultScenario(work: work, seed: number(1), trialsMax: Int(number(2))).run()
        case "opening-faults":
            guard let file = arguments.first.flatMap(OpeningFaultScenario.Start.init) else { exit(64) }
            try await OpeningFaultScenario(start: file, seed: number(1), trialsMax: Int(number(2))).run()
        case "power-cuts":
            guard let way = arguments.first.flatMap(PowerCutScenario.Way.init) else { exit(64) }
            try await PowerCutScenario(way: way, seed: number(1), generations: Int(number(2))).run()
        case "file-size": try await LimitScenario.fileSize(arguments[0])
        case "full-disk": try await LimitScenario.fullDisk(arguments[0])
        case "check": try await LimitScenario.check(arguments[0])
        case "create": try await LimitScenario.create(arguments[0])
        case "read-only": try await LimitScenario.readOnly(arguments[0])
        case "hold": try await LimitScenario.hold(arguments[0])
        case "damage": try await DamageScenario(seed: number(0), rounds: Int(number(1))).run()
        case "threads": try await ThreadScenario(seconds: Int(number(0)), seed: number(1)).run()
        default:
            exit(64)
        }
    }
}
