import ArgumentParser
import SonaBackup
import SonaBase
import SonaServer
import SonaWire

/// `sona restore`.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a data folder of a backup.",
        discussion: """
            Everything is checked on the way; a damaged backup and one of a newer version change nothing. The folder takes its \
            name at the very end. One that is there already is replaced only with --force, and kept under another name. Stop \
            the server first.
            """)

    @OptionGroup var file: ConfigurationFileOption
    @Argument(help: "The place of the backups: a folder, or rclone:REMOTE:PATH.") var place: String
    @Option(help: ArgumentHelp("The data folder to make.", valueName: "folder")) var data: String
    @Option(help: "A backup. (default: the newest)") var name: String?
    @Option(
        help: ArgumentHelp(
            "File whose first line decrypts the keys. (default: the key backup-passphrase-file)", valueName: "file"))
    var passphraseFile: String?
    @Flag(help: "Restore without the keys that are in the backup.") var withoutKeys = false
    @Flag(help: "Replace a data folder that is there; it is kept under another name.") var force = false
    @Flag(help: "Print JSON, one object.") var json = false

    func run() async throws {
        let configuration = try ServerConfiguration.resolve(
            file, flags: ["data": data, "backup-to": nil, "backup-passphrase-file": passphraseFile])
        let place = try BackupOptions.place(place, configuration, work: BackupOptions.temporary())
        let outcome: BackupRestoration.Outcome
        do {
            outcome = try await BackupRestoration(
                from: place, to: data, schema: StorageUpgrade.schema,
                passphrase: withoutKeys ? nil : try BackupOptions.passphrase(configuration), force: force,
                withoutKeys: withoutKeys
            ).run(name)
        } catch let error as BackupError {
            throw OperatorFailure(error)
        }
        show(outcome)
    }

    private func show(_ outcome: BackupRestoration.Outcome) {
        if json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("name", outcome.manifest.name)
                writer.member("data", data)
                writer.member("keys", outcome.hasKeys)
                writer.member("kept", orNull: outcome.kept)
                writer.member("bytes", outcome.manifest.bytes)
            }
            ConsoleLine.write(to: 1, String(decoding: writer.bytes, as: UTF8.self))
        } else {
            ConsoleLine.write(to: 1, "\(data) is the backup \(outcome.manifest.name) now.")
            if let kept = outcome.kept { ConsoleLine.write(to: 1, "The folder before is kept as \(kept).") }
        }
        if !outcome.hasKeys {
            ConsoleLine.write(
                to: 2,
                """
                sona: The keys were not restored: start once with `sona serve --new-keys`. Everybody has to sign in again; app \
                passwords, invites, links to scrobbling and the journal's seals from before are void.
                """)
        }
        if !outcome.manifest.missing.isEmpty {
            ConsoleLine.write(
                to: 2, "sona: \(outcome.manifest.missing.count) uploads were missing when the backup was made.")
        }
    }
}
