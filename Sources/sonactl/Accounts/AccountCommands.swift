internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct AccountCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Shows all that is stored about the account, or erases it.",
        subcommands: [AccountExportCommand.self, AccountRemoveCommand.self])
}

struct AccountExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes all that the server has stored about the account, as JSON.",
        discussion: "The password is asked for if the last sign-in is more than five minutes ago.")

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp("File to write, for its owner alone. (default: standard output)", valueName: "file"))
    var output: String?
    @OptionGroup var proof: ProofOptions

    func run() async throws {
        let signIn = try global.signIn()
        let result = try await signIn.open(.account).closing { client in
            try await client.callProven(AccountExport(), signIn, proof)
        }
        try PrivateFile.write(json: result.export.encoded(), to: output)
        if let output { Console.say("Written to \(output).") }
    }
}

struct AccountRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Erases the account, its rooms and all it has stored. There is no way back.",
        discussion: """
            Asks for the username first, and for the password if the last sign-in is more than five minutes ago. Use \
            --export, or sonactl account export before, to keep what is there.
            """)

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp("File to write all that is stored to, before it is erased.", valueName: "file"))
    var export: String?
    @Flag(help: "Pass each of your rooms on to the cohost of longest standing; those without one are erased.")
    var passOnRooms = false
    @Flag(help: "Do not ask whether it is meant.") var yes = false
    @OptionGroup var proof: ProofOptions

    func run() async throws {
        let signIn = try global.signIn()
        let user = try await signIn.open(.account).closing { client in
            let user = try await client.call(UserMe()).user
            guard !user.isGuest else {
                throw Failure(77, "A guest has nothing to remove; run sonactl logout.")
            }
            if !yes { try confirm(user, signIn.address) }
            let result = try await client.callProven(AccountExport(), signIn, proof)
            if let export { try PrivateFile.write(json: result.export.encoded(), to: export) }
            let request = AccountRemove(code: result.code, rooms: passOnRooms ? .cohosts : nil)
            _ = try await client.callProven(request, signIn, proof)
            return user
        }
        try await signIn.forget(user: user.uid)
        Console.say("The account \(user.label) is removed.")
    }

    private func confirm(_ user: User, _ address: ServerAddress) throws {
        guard let terminal = Terminal() else {
            throw Failure(64, "There is no terminal to ask whether this is meant; use --yes.")
        }
        let name = user.username?.rawValue ?? "remove"
        let answer = terminal.ask("This erases the account at \(address). Type \"\(name)\" if you mean it: ")
        guard answer == name else { throw Failure(1, "Nothing was removed.") }
    }
}
