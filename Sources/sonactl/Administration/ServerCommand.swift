import ArgumentParser
import SonaClient
import SonaWire

struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "Shows what the server says of itself, and how busy it was.",
        subcommands: [ServerInfoCommand.self, ServerHistoryCommand.self], defaultSubcommand: ServerInfoCommand.self)
}

struct ServerInfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Shows what the server says of itself.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let server = try await global.asOperator(.anybody) { try await $0.call(ServerInfo()) }
        if json { return Console.out(json: server) }
        var table = Table()
        table.add("title", server.profile.title)
        if let banner = server.profile.banner { table.add("banner", banner) }
        if server.profile.isInMaintenance { table.add("maintenance", "administrators only") }
        table.add("program", server.name)
        table.add("version", server.version)
        table.add("policy", server.policyURL ?? "none")
        if let contact = server.profile.contact { table.add("contact", contact) }
        table.add("accounts", server.profile.registration.words)
        table.add("guests", server.profile.takesGuests ? "may come" : "may not come")
        table.add("terms", server.profile.requiresTerms ? "must be accepted" : "need not be accepted")
        table.add("mail", server.profile.sendsMail ? "is sent" : "is not sent")
        table.add("features", server.features.joined(separator: ", "))
        table.show()
    }
}

extension Registration {
    fileprivate var words: String {
        switch self {
        case .open: "anybody may sign up"
        case .invite: "whoever has an invite may sign up"
        case .approval: "anybody may sign up, and an administrator approves"
        case .closed: "nobody may sign up"
        case .other(let word): word
        }
    }
}
