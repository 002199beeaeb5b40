internal import SonaWire

/// Signs in with an ID token of a Firebase project.
struct FirebaseStrategy: SignInStrategy {
    static let provider = "firebase"

    let tokens: FirebaseTokens

    func identify(_ proof: String) async throws(Refusal) -> Identity {
        do {
            let identity = try await tokens.verify(proof)
            return .outside(
                OutsideIdentity(
                    provider: Self.provider, subject: identity.uid, email: identity.email,
                    isEmailConfirmed: identity.isEmailVerified, displayName: identity.displayName,
                    authenticatedAt: identity.authenticatedAt))
        } catch {
            switch error {
            case .tokenInvalid: throw .tokenInvalid
            case .tokenExpired: throw .tokenExpired
            case .keysUnavailable: throw .providerUnavailable
            }
        }
    }
}
