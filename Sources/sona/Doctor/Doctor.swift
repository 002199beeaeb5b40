import ArgumentParser
import Glibc
import SonaBase
import SonaConfiguration
import SonaServer
import SonaWire

/// `sona doctor`.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Looks at what a server needs from its machine, and says what to do.",
        discussion: """
            Versions, clock, certificate, limits, disk, backups, music folders, and the way from outside. Each line says \
            ok, warn or fail, what was seen, and what to do. Takes the settings as sona serve does; a server that runs is \
            asked at its socket. Nothing is changed. Run it as root or as the server's user: others can't see everything.

            Exit codes: 0 all is well, 1 something to look at, 2 something that does not work.
            """)

    @OptionGroup var flags: ServerFlags
    @Option(help: ArgumentHelp("The systemd unit of the server, or a path to its file.", valueName: "unit"))
    var unit = "sona.service"
    @Flag(help: "Print one JSON object: {\"verdict\": …, \"findings\": […]}.") var json = false

    func run() async throws {
        let resolved = ServerConfiguration.resolve(try flags.sources())
        var findings = resolved.faults.map {
            Finding.fail("settings", $0.description, "Correct the key; sona config check names every fault.")
        }
        findings += resolved.warnings.map { Finding.warn("settings", $0, "See deploy/configuration.md.") }
        if findings.isEmpty { findings.append(.ok("settings", "Every key can be used.")) }
        let configuration = resolved.target
        let unit = UnitFile.find(unit)
        let user = ServerUser(dataFolder: configuration.dataFolder, unit: unit)
        let running = RunningServer(dataFolder: configuration.dataFolder)

        findings += MachineDoctor(configuration: configuration, user: user, running: running, unit: unit).findings()
        findings += MusicDoctor(configuration.musicFolders, user: user, unit: unit).findings()
        let backups = ServerConfiguration.keys.shown(resolved).first { $0.key == "backup-to" }
        if let backups { findings += BackupDoctor(places: backups.values).findings() }
        findings += AddressDoctor(configuration: configuration).findings()
        let worst = show(findings)
        if worst != .ok { throw ExitCode(worst.exitCode) }
    }

    private func show(_ findings: [Finding]) -> Finding.Verdict {
        let worst = findings.map(\.verdict).max() ?? .ok
        if json {
            let object = JSON.object([
                JSON.Member(key: "verdict", value: .string(worst.rawValue)),
                JSON.Member(key: "findings", value: .array(findings.map(\.json))),
            ])
            ConsoleLine.write(to: 1, String(decoding: object.encoded(), as: UTF8.self))
        } else {
            for finding in findings { ConsoleLine.write(to: 1, finding.text) }
        }
        return worst
    }
}
