internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Login: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Signs in and keeps the sign-in for later commands.",
        discussion: """
            With --email and a password, with --provider and the token of an outside issuer, or with --guest, who needs \
            neither: what a guest is, signup makes an account of.
            """)

    @OptionGroup var global: GlobalOptions
    @Option(help: "E-mail address of the account.") var email: String?
    @OptionGroup var passwords: PasswordOptions
    @OptionGroup var issuer: IssuerOptions
    @OptionGroup var application: ApplicationOptions
    @Flag(help: "Become a guest, and stay the same one for as long as the server allows.") var guest = false
    @Flag(help: "Print the user as JSON.") var json = false

    func validate() throws {
        guard [email != nil, issuer.provider != nil, guest].filter({ $0 }).count == 1 else {
            throw ValidationError("Use one of --email, --provider with --token-file, and --guest.")
        }
    }

    func run() async throws {
        let signIn = try global.signIn()
        if guest { return try await becomeGuest(signIn) }
        let grant: Grant
        if let email {
            grant = try await obtain(AuthSignIn(email: email, password: try passwords.read(isNew: false)), signIn)
        } else if let (provider, token) = try issuer.read() {
            grant = try await obtain(
                AuthExchange(
                    provider: provider, token: token, invite: application.invite,
                    introduction: application.introduction), signIn)
        } else {
            throw Failure(64, "Use one of --email, --provider with --token-file, and --guest.")
        }
        try await signIn.begin(grant, json: json)
    }

    private func obtain<R: WireRequest>(_ request: R, _ signIn: SignIn) async throws -> R.Response {
        try await signIn.anonymous().closing { try await $0.call(request, timeout: .seconds(30)) }
    }

    private func becomeGuest(_ signIn: SignIn) async throws {
        if let kept = try signIn.kept() {
            guard kept.user.isGuest else {
                throw Failure(1, "\(kept.user.label) is signed in at \(signIn.address); run sonactl logout first.")
            }
            // The same one, for as long as that is possible.
            let client = try await signIn.newcomer()
            await client.close()
            if let user = client.welcome.user { return signIn.show(user, json: json) }
        }
        let grant = try await obtain(AuthGuest(), signIn)
        try await signIn.keep(guest: grant)
        signIn.show(grant.user, json: json)
    }
}
