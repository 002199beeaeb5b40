internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Signup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes an account and signs in.",
        discussion: """
            If a guest is kept on this machine (sonactl login --guest), the guest becomes the account, under the same \
            identifier.
            """)

    @OptionGroup var global: GlobalOptions
    @Option(help: "E-mail address of the account.") var email: String
    @Option(help: "Name others see: 3 to 24 letters, digits, dots, hyphens and underscores.") var username: String
    @Option(help: "Longer name for the profile.") var displayName: String?
    @Option(help: "Language of mail, and of players.") var locale: LocaleCode?
    @Flag(help: "Accept the terms of the server (sonactl server names the page).") var acceptTerms = false
    @OptionGroup var application: ApplicationOptions
    @OptionGroup var passwords: PasswordOptions
    @Flag(help: "Print the user as JSON.") var json = false

    func run() async throws {
        let request = AuthSignUp(
            email: email, password: try passwords.read(isNew: true), username: try UserArgument.username(username),
            displayName: displayName, locale: locale, acceptsTerms: acceptTerms ? true : nil,
            invite: application.invite, introduction: application.introduction)
        let signIn = try global.signIn()
        let client = try await signIn.newcomer()
        let guest = client.welcome.user
        let grant = try await client.closing { try await $0.call(request, timeout: .seconds(30)) }
        try await signIn.begin(grant, json: json)
        if !json, grant.user.uid == guest?.uid { Console.say("The guest of before is this account now.") }
    }
}

/// What servers ask for that do not take everybody.
struct ApplicationOptions: ParsableArguments {
    @Option(help: "The code of an invite, where the server asks for one.") var invite: String?
    @Option(help: "What the administrators who approve accounts should know: at most 1000 bytes.")
    var introduction: String?

    func validate() throws {
        if let invite, !Limits.registrationCodeBytes.contains(invite.utf8.count) {
            throw ValidationError("--invite takes a code.")
        }
        if let introduction, !Limits.introductionBytes.contains(introduction.utf8.count) {
            throw ValidationError("--introduction takes at most \(Limits.introductionBytes.upperBound) bytes.")
        }
    }
}

extension SignIn {
    /// Keeps a grant, and shows whose it is.
    func begin(_ grant: Grant, json: Bool) async throws {
        try await keep(grant)
        show(grant.user, json: json)
    }

    func show(_ user: User, json: Bool) {
        if json { return Console.out(json: user) }
        Console.out(user.username?.rawValue ?? user.uid.rawValue)
        Console.say("Signed in at \(address)\(user.isGuest ? " as a guest" : "").")
        if user.isNameless { Console.say(User.howToChooseName) }
    }
}

extension User {
    /// Whether it is an account that has to choose a username before others meet it.
    var isNameless: Bool { username == nil && !isGuest }

    static let howToChooseName = "You have no username yet; choose one: sonactl username claim NAME."
}

extension Client {
    /// Runs `body` and closes the connection, however that goes.
    func closing<Result>(_ body: (Client) async throws -> Result) async throws -> Result {
        do {
            let result = try await body(self)
            await close()
            return result
        } catch {
            await close()
            throw error
        }
    }
}
