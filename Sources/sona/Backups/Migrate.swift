import ArgumentParser
import SonaBase
import SonaServer
import SonaWire

/// `sona migrate`.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the tables of the data folder up to date, or try how that goes.",
        discussion: """
            A server does the same when it starts. The database from before is kept beside it, as sona.sqlite.schema-N; the \
            last two are. --dry-run works on a copy, which is removed, also beside a running server.
            """)

    @OptionGroup var options: BackupOptions
    @Flag(help: "Say what would be done, and try it on a copy.") var dryRun = false

    func run() async throws {
        let configuration = try options.configuration()
        let upgrade = StorageUpgrade(dataFolder: configuration.dataFolder)
        do {
            guard let plan = try upgrade.plan() else {
                throw OperatorFailure(66, "There is no database in the data folder \(configuration.dataFolder).")
            }
            var trial: StorageUpgrade.Trial?
            if dryRun, !plan.pending.isEmpty { trial = try await upgrade.rehearse() }
            if !dryRun, !plan.pending.isEmpty {
                try await upgrade.apply { ConsoleLine.write(to: 2, "sona: \($0)") }
            }
            show(plan, trial)
        } catch let error as ServerError {
            throw OperatorFailure(error.exitCode, error.sentence)
        }
    }

    private func show(_ plan: StorageUpgrade.Plan, _ trial: StorageUpgrade.Trial?) {
        if options.json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("applied", plan.applied)
                writer.member("pending", plan.pending)
                writer.member("bytes", plan.bytes)
                writer.member("dry_run", dryRun)
                writer.member("trial_ms", orNull: trial.map { Int64($0.seconds * 1_000) })
                writer.member("trial_bytes", orNull: trial?.bytes)
            }
            ConsoleLine.write(to: 1, String(decoding: writer.bytes, as: UTF8.self))
            return
        }
        if plan.pending.isEmpty {
            ConsoleLine.write(to: 1, "The tables are up to date: \(plan.applied) migrations.")
            return
        }
        for name in plan.pending { ConsoleLine.write(to: 1, "\(dryRun ? "would apply" : "applied")  \(name)") }
        guard let trial else { return }
        let milliseconds = Int64(trial.seconds * 1_000)
        ConsoleLine.write(
            to: 1,
            "On a copy it took \(milliseconds) ms; \(BackupOptions.text(bytes: plan.bytes)) became "
                + "\(BackupOptions.text(bytes: trial.bytes)).")
    }
}
