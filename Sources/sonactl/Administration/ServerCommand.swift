import ArgumentParser
import SonaClient
import SonaWire

struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "Shows name, version, policy page and features of the server.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let server = try await global.withClient(.anybody) { try await $0.call(ServerInfo()) }
        if json { return Console.out(json: server) }
        var table = Table()
        table.add("name", server.name)
        table.add("version", server.version)
        table.add("policy", server.policyURL ?? "none")
        table.add("features", server.features.joined(separator: ", "))
        table.show()
    }
}
