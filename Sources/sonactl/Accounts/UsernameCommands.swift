internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct UsernameCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "username", abstract: "Checks, chooses and changes a username.",
        subcommands: [UsernameCheckCommand.self, UsernameClaimCommand.self, UsernameChangeCommand.self])
}

struct UsernameCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Says whether a username could be had.",
        discussion: """
            Prints available, taken, reserved or invalid, and ends with 1 unless it is available. Usernames that look \
            alike cannot both be had. Nothing is reserved by asking.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The username.") var name: String
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let name = name.hasPrefix("@") ? String(name.dropFirst()) : name
        let answer = try await global.withClient(.anybody) { try await $0.call(UsernameCheck(username: name)) }
        if json {
            Console.out(json: answer)
        } else {
            Console.out(answer.isAvailable ? "available" : answer.reason?.rawValue ?? "not available")
            if let message = answer.message { Console.say(Console.printable(message)) }
            if !answer.suggestions.isEmpty {
                Console.say("Free at this moment: \(answer.suggestions.map(\.rawValue).joined(separator: ", ")).")
            }
        }
        if !answer.isAvailable { throw Failure(1, "") }
    }
}

struct UsernameClaimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim", abstract: "Chooses the username of an account that has none yet.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The username to have.") var name: String
    @Flag(help: "Print the user as JSON.") var json = false

    func run() async throws {
        let username = try UserArgument.username(name)
        try await global.rename(UsernameClaim(username: username), json: json)
    }
}

struct UsernameChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Changes the username.",
        discussion: "The old one is free from then on: links to it find nobody, or somebody else.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Current username.") var old: String
    @Argument(help: "The username to have.") var new: String
    @Flag(help: "Print the user as JSON.") var json = false

    func run() async throws {
        let request = UsernameChange(
            oldUsername: try UserArgument.username(old), username: try UserArgument.username(new))
        try await global.rename(request, json: json)
    }
}

extension GlobalOptions {
    /// Sends a request that brings a username, and keeps the access token that says it.
    fileprivate func rename<R: WireRequest>(_ request: R, json: Bool) async throws where R.Response == AccessGrant {
        let signIn = try signIn()
        let grant = try await signIn.open(.account).closing { try await $0.call(request) }
        try await signIn.update(grant)
        if json { Console.out(json: grant.user) } else { Console.out(grant.user.label) }
    }
}
