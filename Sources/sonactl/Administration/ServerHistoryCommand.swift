import ArgumentParser
import SonaClient
import SonaWire

/// `sonactl server history`.
struct ServerHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Shows how busy the server was in the last hour.",
        discussion: """
            For administrators. A sample is taken every ten seconds; each line has the newest, the mean and the greatest \
            value. Events and bytes sent are for a second. --json has every sample.
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let history = try await global.asOperator { try await $0.call(ServerHistory()) }
        if json { return Console.out(json: history) }
        guard !history.atMilliseconds.isEmpty else {
            return Console.out("no sample yet: the first comes after \(history.everyMilliseconds / 1_000) s")
        }
        var table = Table()
        for series in history.series { table.add(series.name, Self.words(series, history.everyMilliseconds)) }
        table.show()
    }

    /// The newest, the mean and the greatest value, with their unit.
    static func words(_ series: FigureSeries, _ everyMilliseconds: Int64) -> String {
        let values = series.values
        guard let last = values.last, let greatest = values.max() else { return "none" }
        let mean = Double(values.reduce(0, +)) / Double(values.count)
        return "now \(text(Double(last))), mean \(text(mean)), max \(text(Double(greatest)))"

        func text(_ value: Double) -> String {
            let seconds = Double(everyMilliseconds) / 1_000
            return switch series.unit {
            case "events": rounded(value / seconds) + "/s"
            case "bytes": rounded(value / 1_048_576) + " MiB"
            case "sent_bytes": rounded(value / seconds / 1_024) + " KiB/s"
            case "us": rounded(value / 1_000) + " ms"
            case "permille": rounded(value / 10) + " %"
            default: rounded(value)
            }
        }
        func rounded(_ value: Double) -> String {
            value == value.rounded() ? "\(Int(value))" : "\((value * 10).rounded() / 10)"
        }
    }
}
