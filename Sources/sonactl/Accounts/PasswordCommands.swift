internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct PasswordCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Changes a password, or replaces one that was forgotten.",
        subcommands: [
            PasswordChangeCommand.self, PasswordRequestRecoveryCommand.self, PasswordRecoverCommand.self,
        ])
}

struct PasswordChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Changes the password, and signs out everywhere else.",
        discussion: """
            The current password is asked for if the last sign-in is more than five minutes ago; it can be given with \
            --password-file or SONA_PASSWORD.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var newPassword: NewPasswordOptions
    @OptionGroup var proof: ProofOptions

    func run() async throws {
        let signIn = try global.signIn()
        let isKept = try await signIn.open(.account).closing { client in
            let request = AuthChangePassword(newPassword: try newPassword.read())
            let grant = try await client.callProven(request, signIn, proof)
            return try await signIn.update(grant)
        }
        Console.say("The password is changed.\(isKept ? "" : " Run sonactl login to sign in with it.")")
    }
}

struct PasswordRequestRecoveryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request-recovery",
        abstract: "Has a code sent to the address of an account whose password was forgotten.",
        discussion: "The answer is the same whether there is such an account or not.")

    @OptionGroup var global: GlobalOptions
    @Option(help: "E-mail address of the account.") var email: String

    func run() async throws {
        try await global.signIn().anonymous().closing {
            _ = try await $0.call(AuthRequestRecovery(email: email))
        }
        Console.say(
            "If an account has this address, a code is on its way to it. Then run sonactl password recover CODE.")
    }
}

struct PasswordRecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Sets a new password with a code from the mail, and signs in.",
        discussion: "Every other sign-in of the account ends. The code is good once, for an hour.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The code from the mail.") var code: String
    @OptionGroup var newPassword: NewPasswordOptions
    @Flag(help: "Print the user as JSON.") var json = false

    func run() async throws {
        let signIn = try global.signIn()
        let request = AuthRecover(code: code, newPassword: try newPassword.read())
        let grant = try await signIn.anonymous().closing { try await $0.call(request, timeout: .seconds(30)) }
        try await signIn.begin(grant, json: json)
    }
}
