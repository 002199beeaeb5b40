internal import Glibc
internal import SonaBackup
internal import SonaBase
internal import SonaEventLoop
internal import SonaModel
internal import SonaSandbox

/// Makes backups by schedule, and tells of every backup of the data folder, whoever made it.
///
/// A backup is a process of its own, `sona backup create`, like one that an operator starts: it has its own lock and its
/// own priority, and its end is read from `backup.json` in the data folder (`BackupRecord`).
final class BackupKeeper: Sendable {
    private let model: Model
    private let live: LiveConfiguration
    private let watch: BackupWatch
    private let log: ServerLog
    private let stop = StopFlag()
    private static let lookEvery = Duration.seconds(2)

    init(_ model: Model, _ live: LiveConfiguration, _ watch: BackupWatch, _ log: ServerLog) {
        self.model = model
        self.live = live
        self.watch = watch
        self.log = log
    }

    /// Returns when the task is cancelled.
    func run() async {
        let start = MonotonicClock.wallMilliseconds()
        if let record = BackupRecord.read(model.dataFolder) { _ = watch.take(record, isFirst: true) }
        while !Task.isCancelled {
            await look()
            let configuration = live.configuration
            watch.schedules(configuration.backupTo != nil)
            if let place = configuration.backupTo, let program = configuration.workerProgram {
                let last = watch.figures.last.map { ($0.endedMilliseconds, $0.isSuccess) }
                if BackupSchedule(configuration).due(last: last, start: start) <= MonotonicClock.wallMilliseconds() {
                    await make(place, program, configuration)
                    await look()
                }
            }
            try? await Task.sleep(for: Self.lookEvery)
        }
    }

    /// Ends a backup that is under way.
    func end() { stop.set() }

    /// Tells of a backup that has ended since the last look.
    private func look() async {
        guard let record = BackupRecord.read(model.dataFolder), watch.take(record, isFirst: false) else { return }
        let entry: JournalEntry
        if let failure = record.failure {
            log.log(.backupFailed, "A backup failed. \(failure)")
            // Without the reason: it may name folders, and lines stay for ever.
            entry = JournalEntry(.backupFailed, user: nil)
        } else {
            let name = record.name ?? ""
            log.log(
                .backupMade,
                "The backup \(name) was made in \(Int(record.seconds.rounded(.up))) s; \(record.storedBytes >> 10) KiB of "
                    + "its \(record.bytes >> 10) KiB were new.")
            entry = JournalEntry(
                .backupMade, user: nil, ["name": .text(name), "bytes": .integer(record.bytes)])
        }
        try? await model.journal.append(entry)
    }

    private func make(_ place: String, _ program: String, _ configuration: ServerConfiguration) async {
        // The command takes everything from here, and nothing from a file that may have changed since.
        var arguments = ["sona", "backup", "create", place, "--config", "/dev/null", "--data", model.dataFolder]
        arguments += ["--keep", configuration.backupKeep]
        if let file = configuration.backupPassphraseFile { arguments += ["--passphrase-file", file] }
        let begun = MonotonicClock.wallMilliseconds()
        let fault = await run(program, arguments)
        guard let fault, (BackupRecord.read(model.dataFolder)?.endedMilliseconds ?? 0) < begun, !stop.isSet else {
            return
        }
        BackupRecord(name: nil, failure: "The program for backups \(fault).", seconds: 0).write(model.dataFolder)
    }

    /// - Returns: How the program failed, as the rest of a sentence.
    private func run(_ program: String, _ arguments: [String]) async -> String? {
        let environment = (try? WholeFile.read("/proc/self/environ"))?.split(separator: 0).map {
            String(decoding: $0, as: UTF8.self)
        }
        return await withCheckedContinuation { continuation in
            let isStarted = WorkerThread.start("backup") { [stop] in
                do throws(ChildProcess.StartError) {
                    let child = try ChildProcess(
                        program, arguments, files: [nil, nil, nil], environment: environment ?? [])
                    while child.waitsForEnd(until: .now + .milliseconds(200)) == false {
                        // It is killed with the last reference; what it had written is removed by the next one.
                        if stop.isSet { return continuation.resume(returning: nil) }
                    }
                    continuation.resume(returning: child.end())
                } catch {
                    continuation.resume(returning: error.description)
                }
            }
            if !isStarted { continuation.resume(returning: "has no thread") }
        }
    }
}
