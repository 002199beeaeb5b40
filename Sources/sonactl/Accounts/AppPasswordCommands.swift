internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct AppPasswordCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app-passwords", abstract: "Makes, lists and revokes passwords for apps of other makers.",
        discussion: """
            Music apps that speak OpenSubsonic sign in with your username and an app password, never with your account's \
            password. Make one for each app, so that you can revoke one without the others.

              sonactl app-passwords create "Amperfy on my phone"
            """,
        subcommands: [AppPasswordCreateCommand.self, AppPasswordListCommand.self, AppPasswordRevokeCommand.self],
        defaultSubcommand: AppPasswordListCommand.self)
}

struct AppPasswordCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes an app password, which is shown this once.",
        discussion: "Your password is asked for if the last sign-in is more than five minutes ago.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "What it is for, 1 to 64 bytes: the app and the device.") var name: String
    @Flag(help: "Print it as JSON.") var json = false
    @OptionGroup var proof: ProofOptions

    func validate() throws {
        guard Limits.appPasswordNameBytes.contains(name.utf8.count), Console.printable(name) == name else {
            throw ValidationError("A name is one line of 1 to \(Limits.appPasswordNameBytes.upperBound) bytes.")
        }
    }

    func run() async throws {
        let signIn = try global.signIn()
        let made = try await signIn.open(.account).closing { client in
            try await client.callProven(AppPasswordCreate(name: name), signIn, proof)
        }
        if json { return Console.out(json: made) }
        Console.out(made.secret)
        Console.say("Nobody can ask for it again. Revoke it with sonactl app-passwords revoke \(made.appPassword.id).")
    }
}

struct AppPasswordListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists your app passwords, the newest first.",
        discussion: "A line for each: number, name, when it was made, when, from where and by what it was used last.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object: {\"app_passwords\": […]}.") var json = false

    func run() async throws {
        let list = try await global.withClient(.account) { try await $0.call(AppPasswordList()) }
        if json { return Console.out(json: list) }
        var table = Table()
        for password in list.appPasswords {
            table.add(
                "\(password.id)", password.name, UTC.text(milliseconds: password.createdMilliseconds),
                password.usedMilliseconds.map { UTC.text(milliseconds: $0) } ?? "never used",
                password.usedFrom ?? "", password.client ?? "")
        }
        table.show()
    }
}

struct AppPasswordRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Ends app passwords: their apps are signed out at once.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Their numbers, as list shows them.") var numbers: [Int64]

    func run() async throws {
        try await global.withClient(.account) { client in
            for number in numbers { _ = try await client.call(AppPasswordRevoke(id: number)) }
        }
    }
}
