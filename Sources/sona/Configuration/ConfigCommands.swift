import ArgumentParser
import SonaBase
import SonaConfiguration
import SonaServer
import SonaWire

/// `sona config`: what the server is told, and by whom.
struct ConfigCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check, show and document the configuration.",
        discussion: """
            Every key can be a flag (--public-url), a variable (SONA_PUBLIC_URL) and a line of the file \
            (public-url = https://…). Flags stand above variables, these above systemd's credentials, these above the \
            file.
            """,
        subcommands: [ConfigCheck.self, ConfigShow.self, ConfigDoc.self])
}

struct ConfigCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Says whether a server would start with this configuration.",
        discussion: "Prints every fault to standard error and ends with 78 if there is one, with 0 if there is none.")

    @OptionGroup var flags: ServerFlags

    func run() async throws {
        let resolved = ServerConfiguration.resolve(try flags.sources())
        for warning in resolved.warnings { ConsoleLine.write(to: 2, "sona: \(warning)") }
        var configuration = try resolved.usable()
        try Serve.readFiles(&configuration)
        ConsoleLine.write(to: 1, "The configuration is valid.")
    }
}

struct ConfigShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints every key with its value and where it came from.",
        discussion: "Secrets are not shown. Keys without a value are left out, but not with --json.")

    @OptionGroup var flags: ServerFlags
    @Flag(help: "Print JSON, one object to a line.") var json = false

    func run() async throws {
        let resolved = ServerConfiguration.resolve(try flags.sources())
        let lines = ServerConfiguration.keys.shown(resolved)
        let width = lines.map { $0.key.count + $0.values.joined(separator: " ").count + 3 }.max() ?? 0
        for line in lines {
            if json {
                ConsoleLine.write(to: 1, Self.json(line))
            } else if !line.values.isEmpty {
                let text = "\(line.key) = \(line.values.joined(separator: " "))"
                let gap = String(repeating: " ", count: max(0, min(width, 60) - text.count))
                ConsoleLine.write(to: 1, "\(text)\(gap)  # \(line.origin)")
            }
        }
        _ = try resolved.usable()
    }

    private static func json(_ line: ConfigurationTable<ServerConfiguration>.Shown) -> String {
        let members = [
            JSON.Member(key: "key", value: .string(line.key)),
            JSON.Member(key: "values", value: .array(line.values.map { .string($0) })),
            JSON.Member(key: "origin", value: .string("\(line.origin)")),
        ]
        return String(decoding: JSON.object(members).encoded(), as: UTF8.self)
    }
}

struct ConfigDoc: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doc", abstract: "Prints a file of all keys, each with its default as a comment.",
        discussion: "deploy/sona.conf is this file.")

    func run() {
        let heading = [
            "The configuration of a Sona server: every key, with its default.", "",
            "Written by `sona config doc`. Each key is also a flag (--public-url) and a variable of the environment",
            "(SONA_PUBLIC_URL). Flags stand above variables, these above systemd's credentials, these above this file.",
            "A key that takes several values may stand in several lines. `sona config check` says whether a file is right,",
            "`sona config show` what a server would go by. SIGHUP has a running server read the file again.",
        ]
        let text = ServerConfiguration.keys.document(heading: heading, defaults: .standard)
        ConsoleLine.write(to: 1, String(text.dropLast()))
    }
}
