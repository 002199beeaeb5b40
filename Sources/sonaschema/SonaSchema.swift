import ArgumentParser
import Foundation

/// Writes the machine-readable half of `Protocol/` from the declarations in SonaWire and the pages in `spec/`.
@main
struct SonaSchema: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sonaschema",
        abstract: "Write Protocol/schema/*.json and Protocol/asyncapi.yaml from what SonaWire declares.",
        discussion: """
            Every file it writes says so in its first lines. Prose, vectors, schema/frames.json and schema/vectors.json \
            are written by hand and only read.
            """)

    @Argument(help: "The folder Protocol.")
    var folder = "Protocol"

    @Flag(help: "Write nothing; exit with 1 if a file would change.")
    var check = false

    func run() throws {
        let protocolFolder = try ProtocolFolder(URL(fileURLWithPath: folder, isDirectory: true))
        let stale = try protocolFolder.staleFiles()
        if check {
            for path in stale { print("\(path) is not what SonaWire declares: run sonaschema.") }
            if !stale.isEmpty { throw ExitCode(1) }
            return
        }
        try protocolFolder.write()
        print(stale.isEmpty ? "Nothing has changed." : stale.map { "Wrote \($0)." }.joined(separator: "\n"))
    }
}
