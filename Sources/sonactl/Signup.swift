internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Signup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Makes an account and signs in.")

    @OptionGroup var global: GlobalOptions
    @Option(help: "E-mail address of the account.") var email: String
    @Option(help: "Name others see: 3 to 24 letters, digits, dots, hyphens and underscores.") var username: String
    @Option(help: "Longer name for the profile.") var displayName: String?
    @OptionGroup var passwords: PasswordOptions
    @Flag(help: "Print the user as JSON.") var json = false

    func run() async throws {
        guard let username = Username(username) else {
            throw Failure(64, ErrorCode.usernameInvalid.meaning)
        }
        let signIn = try global.signIn()
        let request = AuthSignUp(
            email: email, password: try passwords.read(isNew: true), username: username, displayName: displayName)
        try await signIn.begin(json: json) { client throws(ClientError) in try await client.call(request) }
    }
}

struct Login: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Signs in and keeps the sign-in for later commands.")

    @OptionGroup var global: GlobalOptions
    @Option(help: "E-mail address of the account.") var email: String
    @OptionGroup var passwords: PasswordOptions
    @Flag(help: "Print the user as JSON.") var json = false

    func run() async throws {
        let signIn = try global.signIn()
        let request = AuthSignIn(email: email, password: try passwords.read(isNew: false))
        try await signIn.begin(json: json) { client throws(ClientError) in try await client.call(request) }
    }
}

extension SignIn {
    /// Obtains a grant on an anonymous connection, keeps it, and shows whose it is.
    fileprivate func begin(
        json: Bool, _ obtain: (Client) async throws(ClientError) -> Grant
    ) async throws {
        let client = try await anonymous()
        let grant: Grant
        do {
            grant = try await obtain(client)
            await client.close()
        } catch {
            await client.close()
            throw error
        }
        try keep(grant)
        if json {
            Console.out(json: grant.user)
        } else {
            Console.out(grant.user.username?.rawValue ?? grant.user.uid.rawValue)
            Console.say("Signed in at \(address).")
        }
    }
}
