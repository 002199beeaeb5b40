internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct EmailCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "email", abstract: "Confirms and changes the e-mail address of the account.",
        subcommands: [EmailConfirmCommand.self, EmailRequestConfirmationCommand.self, EmailChangeCommand.self])
}

struct EmailConfirmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Confirms an address with a code from the mail sent to it.",
        discussion: "Works without signing in. The code is valid once, for a day.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The code from the mail.") var code: String

    func run() async throws {
        try await global.signIn().anonymous().closing { _ = try await $0.call(AuthConfirmEmail(code: code)) }
        Console.say("The address is confirmed.")
    }
}

struct EmailRequestConfirmationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request-confirmation", abstract: "Has another code sent to the address of the account.",
        discussion: "Nothing is sent to an address that is confirmed already.")

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.withClient(.account) { _ = try await $0.call(AuthRequestConfirmation()) }
        Console.say("A code is on its way, unless the address is confirmed. Then run sonactl email confirm CODE.")
    }
}

struct EmailChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Has a code sent to a new address, which replaces the old one once it is confirmed.",
        discussion: "The password is asked for if the last sign-in is more than five minutes ago.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The new address.") var email: String
    @OptionGroup var proof: ProofOptions

    func run() async throws {
        let signIn = try global.signIn()
        try await signIn.open(.account).closing { client in
            _ = try await client.callProven(AuthChangeEmail(email: email), signIn, proof)
        }
        Console.say("A code is on its way to the new address. Then run sonactl email confirm CODE.")
    }
}
