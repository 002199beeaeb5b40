import ArgumentParser
import Glibc
import SonaBackup
import SonaBase
import SonaConfiguration
import SonaServer

/// Options shared by the commands of backups: the data folder, and the place of the backups.
struct BackupOptions: ParsableArguments {
    @OptionGroup var file: ConfigurationFileOption

    @Option(help: ArgumentHelp("The server's data folder. (default: as `sona serve` has it)", valueName: "folder"))
    var data: String?

    @Flag(help: "Print JSON, one object to a line.") var json = false

    /// - Throws: `OperatorFailure`.
    func configuration(_ flags: [String: String?] = [:]) throws(OperatorFailure) -> ServerConfiguration {
        let all = ["data": data, "backup-to": nil, "backup-keep": nil, "backup-passphrase-file": nil]
        return try ServerConfiguration.resolve(file, flags: all.merging(flags) { $1 })
    }

    /// A place by the argument, or by the key `backup-to`.
    ///
    /// - Throws: `OperatorFailure`.
    static func place(
        _ argument: String?, _ configuration: ServerConfiguration, work: String
    ) throws(OperatorFailure) -> any BackupPlace {
        guard let place = argument ?? configuration.backupTo else {
            throw OperatorFailure(64, "Name the place of the backups: a folder, or rclone:REMOTE:PATH.")
        }
        do throws(BackupError) { return try BackupAddress.open(place, workFolder: work) } catch {
            throw OperatorFailure(error)
        }
    }

    /// A folder for temporary files of this process; whoever uses it removes it.
    static func temporary() -> String { "\(Environment["TMPDIR"] ?? "/var/tmp")/sona-backup-\(getpid())" }

    /// - Throws: `OperatorFailure`.
    static func passphrase(
        _ configuration: ServerConfiguration
    ) throws(OperatorFailure) -> BackupPassphrase? {
        guard let file = configuration.backupPassphraseFile else { return nil }
        do throws(BackupError) { return try BackupPassphrase(file: file) } catch { throw OperatorFailure(error) }
    }

    static func text(bytes: Int64) -> String {
        if bytes < 10 << 10 { return "\(bytes) B" }
        return bytes < 10 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }
}

extension OperatorFailure {
    init(_ error: BackupError) {
        let code: Int32 =
            switch error.kind {
            case .damaged, .newer: 65
            case .missing: 66
            case .exists: 1
            case .busy: 75
            case .full, .io: 74
            case .passphrase: 77
            case .usage: 64
            case .remote: 69
            }
        self.init(code, error.description)
    }
}
