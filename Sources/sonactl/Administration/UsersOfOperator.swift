internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct UsersSignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: "Ends every sign-in of an account. For the operator.",
        discussion: "The password stays. App passwords stay, too; see sonactl app-passwords.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument

    func run() async throws {
        _ = try await global.ofOperatorAlone(OperatorSignOut(user: try user.reference()))
        Console.say("Signed out everywhere.")
    }
}

struct UsersExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes all that is stored about an account, as JSON. For the operator.",
        discussion: "As sonactl account export writes it for its owner. The journal has a line about it.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Option(
        help: ArgumentHelp("File to write, for its owner alone. (default: standard output)", valueName: "file"),
        completion: .file())
    var output: String?

    func run() async throws {
        let result = try await global.ofOperatorAlone(OperatorExport(user: try user.reference()))
        try PrivateFile.write(json: result.export.encoded(), to: output)
        if let output, output != "-" { Console.say("Written to \(output).") }
    }
}

struct UsersDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Erases an account, its rooms and all it has stored. For the operator. There is no way back.",
        discussion: "sonactl users export before keeps what is there. The last administrator can't be deleted.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Flag(help: "Pass each of their rooms on to the cohost of longest standing; those without one are erased.")
    var passOnRooms = false
    @Flag(help: "Do not ask whether it is meant.") var yes = false

    func run() async throws {
        let reference = try user.reference()
        // Without the socket there is nothing to ask about.
        if !yes, try global.operatorSocket() != nil { try confirm(reference.text) }
        _ = try await global.ofOperatorAlone(OperatorRemove(user: reference, rooms: passOnRooms ? .cohosts : nil))
        Console.say("The account \(Console.printable(reference.text)) is deleted.")
    }

    private func confirm(_ name: String) throws {
        guard let terminal = Terminal() else {
            throw Failure(64, "There is no terminal to ask whether this is meant; use --yes.")
        }
        let answer = terminal.ask("This erases the account for good. Type \"\(name)\" if you mean it: ")
        guard answer == name else { throw Failure(1, "Nothing was deleted.") }
    }
}
