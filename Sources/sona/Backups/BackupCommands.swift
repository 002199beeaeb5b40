import ArgumentParser
import SonaBackup
import SonaBase
import SonaSandbox
import SonaServer
import SonaWire

/// `sona backup`.
struct BackupCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Make backups of the data folder, check them, remove old ones.",
        discussion: """
            PLACE is a folder, or rclone:REMOTE:PATH for what rclone reaches (apt install rclone); without it, the key \
            backup-to. Works beside a running server. The operator's own music folders are not in a backup. \
            deploy/backups.md has the rest.

            Exit codes: 0 ok, 1 something is in the way, 64 usage, 65 a damaged backup or a newer version's, 66 missing, 69 rclone failed, \
            74 disk, 75 another backup is under way, 77 passphrase.
            """,
        subcommands: [BackupCreate.self, BackupList.self, BackupVerify.self, BackupPrune.self])
}

struct BackupCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a backup; a second one costs only what is new.")

    @OptionGroup var options: BackupOptions
    @Argument(help: "The place of the backups.") var place: String?
    @Option(
        help: ArgumentHelp(
            """
            File whose first line encrypts the keys; without it they are left out. (default: the key \
            backup-passphrase-file)
            """,
            valueName: "file"))
    var passphraseFile: String?
    @Option(
        help: ArgumentHelp(
            "Then remove the backups that this rule does not keep, like 7 daily, 4 weekly.", valueName: "rule"))
    var keep: String?
    @Flag(help: "Include renditions, which the server could make again.") var withRenditions = false

    func run() async throws {
        let configuration = try options.configuration([
            "backup-passphrase-file": passphraseFile, "backup-keep": keep,
        ])
        let folder = configuration.dataFolder
        let begun = ContinuousClock.now
        do {
            let outcome = try await make(configuration)
            BackupRecord(
                name: outcome.manifest.name, failure: nil, seconds: outcome.seconds, storedBytes: outcome.storedBytes,
                bytes: outcome.manifest.bytes
            ).write(folder)
            show(outcome)
        } catch let failure as OperatorFailure {
            let seconds = (ContinuousClock.now - begun) / .seconds(1)
            BackupRecord(name: nil, failure: failure.description, seconds: seconds).write(folder)
            throw failure
        }
    }

    private func make(_ configuration: ServerConfiguration) async throws -> BackupCreation.Outcome {
        BackgroundPriority.enter()
        let place = try BackupOptions.place(place, configuration, work: configuration.dataFolder + "/backup-outgoing")
        let passphrase = try BackupOptions.passphrase(configuration)
        do throws(BackupError) {
            let creation = BackupCreation(
                of: configuration.dataFolder, to: place, schema: StorageUpgrade.schema, passphrase: passphrase,
                withRenditions: withRenditions)
            let outcome = try await creation.run()
            if keep != nil, let rule = KeepRule(configuration.backupKeep) {
                _ = try BackupPruning(place).run(rule, isTrial: false, isHeld: true)
            }
            return outcome
        } catch {
            throw OperatorFailure(error)
        }
    }

    private func show(_ outcome: BackupCreation.Outcome) {
        let manifest = outcome.manifest
        if options.json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("name", manifest.name)
                writer.member("bytes", manifest.bytes)
                writer.member("files", manifest.files.count)
                writer.member("stored_bytes", outcome.storedBytes)
                writer.member("stored_objects", outcome.storedCount)
                writer.member("written_bytes", outcome.writtenBytes)
                writer.member("duration_ms", Int64(outcome.seconds * 1_000))
                writer.member("keys", manifest.keys != nil)
                writer.member("missing", manifest.missing)
            }
            ConsoleLine.write(to: 1, String(decoding: writer.bytes, as: UTF8.self))
        } else {
            ConsoleLine.write(
                to: 1,
                "\(manifest.name)  \(BackupOptions.text(bytes: manifest.bytes)) in \(manifest.files.count + 1) files, "
                    + "\(BackupOptions.text(bytes: outcome.storedBytes)) new")
        }
        if manifest.keys == nil {
            ConsoleLine.write(
                to: 2,
                """
                sona: The keys are not in the backup: without --passphrase-file, sign-ins, app passwords and invites are \
                void after a restore.
                """)
        }
        for hash in manifest.missing {
            ConsoleLine.write(to: 2, "sona: The upload \(hash) is missing in the data folder.")
        }
    }
}

struct BackupList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Shows the backups, oldest first.")

    @OptionGroup var options: BackupOptions
    @Argument(help: "The place of the backups.") var place: String?

    func run() async throws {
        let place = try BackupOptions.place(
            place, try options.configuration(), work: BackupOptions.temporary())
        do throws(BackupError) {
            try place.beginReading()
            for name in try place.names() {
                do throws(BackupError) { show(try place.backup(name)) } catch {
                    guard error.kind == .damaged || error.kind == .newer else { throw error }
                    ConsoleLine.write(to: 2, "sona: \(error)")
                }
            }
        } catch {
            throw OperatorFailure(error)
        }
    }

    private func show(_ manifest: BackupManifest) {
        guard options.json else {
            ConsoleLine.write(
                to: 1,
                "\(manifest.name)  \(BackupOptions.text(bytes: manifest.bytes)) in \(manifest.files.count + 1) files  "
                    + "Sona \(manifest.program)" + (manifest.keys == nil ? "  without keys" : ""))
            return
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("name", manifest.name)
            writer.member("created_ms", manifest.createdMilliseconds)
            writer.member("bytes", manifest.bytes)
            writer.member("files", manifest.files.count)
            writer.member("program", manifest.program)
            writer.member("schema", manifest.schemaVersion)
            writer.member("keys", manifest.keys != nil)
            writer.member("renditions", manifest.hasRenditions)
        }
        ConsoleLine.write(to: 1, String(decoding: writer.bytes, as: UTF8.self))
    }
}

struct BackupVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Reads a backup and says whether it is whole.",
        discussion: "Every byte is read, and the database's pages and references are checked. 65 if something is wrong."
    )

    @OptionGroup var options: BackupOptions
    @Argument(help: "The place of the backups.") var place: String?
    @Option(help: "A backup. (default: the newest)") var name: String?
    @Flag(help: "Every backup of the place.") var all = false
    @Flag(help: "Only whether everything is there, by its size.") var quick = false

    func run() async throws {
        BackgroundPriority.enter()
        let work = BackupOptions.temporary()
        let place = try BackupOptions.place(place, try options.configuration(), work: work)
        var areWhole = true
        do throws(BackupError) {
            try place.beginReading()
            var names = try place.names()
            if !all { names = [try chosen(of: names, place)] }
            for name in names {
                let found = try BackupVerification(place, workFolder: work).verify(name, isQuick: quick)
                show(found)
                if !found.faults.isEmpty { areWhole = false }
            }
        } catch {
            throw OperatorFailure(error)
        }
        if !areWhole { throw ExitCode(65) }
    }

    private func chosen(of names: [String], _ place: any BackupPlace) throws(BackupError) -> String {
        guard let name = name ?? names.last else {
            throw BackupError(.missing, "There is no backup in \(place.title).")
        }
        return name
    }

    private func show(_ found: BackupVerification.Finding) {
        if options.json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("name", found.name)
                writer.member("whole", found.faults.isEmpty)
                writer.member("faults", found.faults)
                writer.member("notes", found.notes)
                writer.member("bytes", found.bytes)
            }
            ConsoleLine.write(to: 1, String(decoding: writer.bytes, as: UTF8.self))
            return
        }
        let notes = found.notes.isEmpty ? "" : " (\(found.notes.joined(separator: "; ")))"
        ConsoleLine.write(to: 1, "\(found.name)  \(found.faults.isEmpty ? "whole" : "DAMAGED")\(notes)")
        for fault in found.faults { ConsoleLine.write(to: 2, "sona: \(fault)") }
    }
}

struct BackupPrune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Removes old backups, and what no other backup needs.",
        discussion: """
            The rule is one or several of: 10 last, 7 daily, 4 weekly, 6 monthly. Of each of so many days, weeks and months \
            the newest backup stays; the newest of all always does.
            """)

    @OptionGroup var options: BackupOptions
    @Argument(help: "The place of the backups.") var place: String?
    @Option(help: ArgumentHelp("What stays. (default: the key backup-keep)", valueName: "rule")) var keep: String?
    @Flag(help: "Remove nothing; only tell.") var dryRun = false

    func run() async throws {
        let configuration = try options.configuration(["backup-keep": keep])
        let place = try BackupOptions.place(place, configuration, work: configuration.dataFolder + "/backup-outgoing")
        guard let rule = KeepRule(configuration.backupKeep) else { throw OperatorFailure(64, "That is no rule.") }
        do throws(BackupError) {
            let outcome = try BackupPruning(place).run(rule, isTrial: dryRun)
            if options.json {
                var writer = JSONWriter()
                writer.object { writer in
                    writer.member("removed", outcome.removed)
                    writer.member("kept", outcome.kept)
                    writer.member("objects", outcome.objects)
                    writer.member("bytes", outcome.bytes)
                }
                ConsoleLine.write(to: 1, String(decoding: writer.bytes, as: UTF8.self))
            } else {
                for name in outcome.removed { ConsoleLine.write(to: 1, "\(dryRun ? "would go" : "removed")  \(name)") }
                let bytes = BackupOptions.text(bytes: outcome.bytes)
                ConsoleLine.write(
                    to: 1, "\(outcome.kept.count) stay; \(bytes) \(dryRun ? "would be" : "are") free again")
            }
        } catch {
            throw OperatorFailure(error)
        }
    }
}
