internal import SonaWire

/// One way to prove one's identity.
///
/// A strategy checks a proof and returns the identity, or refuses. It writes nothing: `Accounts` turns identities into
/// accounts and tokens. Showing a proof again gives the same outcome. The time of a refusal must not reveal more than
/// the refusal itself.
///
/// Every strategy passes the tests of `SignInStrategyTests`.
protocol SignInStrategy: Sendable {
    associatedtype Proof: Sendable

    /// The provider's name, as in the protocol and the journal.
    static var provider: String { get }

    /// Checks a proof.
    ///
    /// - Throws: `credentialsInvalid`, `tokenInvalid`, `tokenExpired`, `providerUnavailable`, `busy`, `hashingBusy`,
    ///   `storage`.
    func identify(_ proof: Proof) async throws(Refusal) -> Identity

    /// Returns the account that a refused proof was aimed at, for the journal. `nil`: no account is known to be the aim.
    /// Takes the same time either way.
    func suspect(_ proof: Proof) async -> UserID?
}

extension SignInStrategy {
    func suspect(_ proof: Proof) async -> UserID? { nil }
}

/// The owner of a proof.
enum Identity: Sendable {
    /// A new guest. The identifier will live only in a token.
    case guest(UserID)
    /// An account of this server.
    ///
    /// - Parameter newHash: Replaces the hash of the password. `nil` unless the cost of hashes has changed.
    case account(UserRecord, newHash: String?)
    /// A user of an outside issuer, with or without an account here.
    case outside(OutsideIdentity)
}

/// A user of an outside issuer.
struct OutsideIdentity: Sendable, Equatable {
    let provider: String
    /// The issuer's identifier of the user.
    let subject: UserID
    let email: String?
    /// Whether the issuer has confirmed that the user reads mail at `email`.
    let isEmailConfirmed: Bool
    let displayName: String?
    /// When the user last proved their identity to the issuer, seconds since 1970. The issuer renews tokens without a
    /// new proof.
    let authenticatedAt: Int64

    /// The primary key of `identities`.
    var name: String { "\(provider):\(subject.rawValue)" }
}
