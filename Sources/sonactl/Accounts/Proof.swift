internal import ArgumentParser
internal import SonaClient
internal import SonaWire

/// A token of an outside issuer of identities.
struct IssuerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Issuer of the token in --token-file: firebase.", valueName: "name"))
    var provider: String?

    @Option(
        help: ArgumentHelp(
            "File whose first line is the issuer's ID token, - for standard input.", valueName: "file"))
    var tokenFile: String?

    func validate() throws {
        if (provider == nil) != (tokenFile == nil) {
            throw ValidationError("--provider and --token-file go together.")
        }
    }

    /// nil if there is none.
    func read() throws -> (provider: String, token: String)? {
        guard let provider, let tokenFile else { return nil }
        return (provider, try SecretLine.read(tokenFile, of: "a token"))
    }
}

/// How somebody proves who they are when the server wants that again: with the password, or with a token of the issuer
/// the account came from.
struct ProofOptions: ParsableArguments {
    @OptionGroup var passwords: PasswordOptions
    @OptionGroup var issuer: IssuerOptions

    fileprivate func read() throws -> AuthReauthenticate.Proof {
        if let (provider, token) = try issuer.read() { return .provider(provider, token: token) }
        return .password(try passwords.read(isNew: false, question: "Your current password: "))
    }
}

extension Client {
    /// Sends a request that is granted to those alone who have just proved who they are.
    ///
    /// A user who signed in within the last five minutes is not asked again (Protocol/spec/accounts.md, "Proof").
    func callProven<R: WireRequest>(
        _ request: R, _ signIn: SignIn, _ options: ProofOptions, timeout: Duration = .seconds(30)
    ) async throws -> R.Response {
        do {
            return try await call(request, timeout: timeout)
        } catch {
            guard error.code == .authReauthRequired else { throw error }
        }
        let grant = try await call(AuthReauthenticate(proof: try options.read()), timeout: .seconds(30))
        try await signIn.update(grant)
        return try await call(request, timeout: timeout)
    }
}
