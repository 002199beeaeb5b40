internal import SonaWire

/// One way to prove who one is.
///
/// A strategy looks at a proof and says whose it is, or refuses. It writes nothing: what an identity becomes (an account,
/// a token) is the same for all and happens in `Accounts`. Whatever a proof is, it can be shown again, of the same
/// person, without another outcome; and a proof that is refused costs as much as the refusal is worth.
///
/// Every strategy passes the tests of `SignInStrategyTests`.
protocol SignInStrategy: Sendable {
    associatedtype Proof: Sendable

    /// The provider's name, as in the protocol and the journal.
    static var provider: String { get }

    /// - Throws: `credentialsInvalid`, `tokenInvalid`, `tokenExpired`, `providerUnavailable`, `busy`, `storage`.
    func identify(_ proof: Proof) async throws(Refusal) -> Identity

    /// Whose account somebody tried to get into with a proof that was refused, for the journal; `nil` if it is nobody's,
    /// or can't be told. Costs the same either way.
    func suspect(_ proof: Proof) async -> UserID?
}

extension SignInStrategy {
    func suspect(_ proof: Proof) async -> UserID? { nil }
}

/// Whom a proof belongs to.
enum Identity: Sendable {
    /// Nobody we know, and nobody we have to: the identifier will live in a token.
    case guest(UserID)
    /// An account of ours.
    ///
    /// - Parameter newHash: Replaces the hash of the password, if what hashes cost has changed.
    case account(UserRecord, newHash: String?)
    /// Somebody an outside issuer vouches for, with an account here or not.
    case outside(OutsideIdentity)
}

/// Whom an outside issuer vouches for.
struct OutsideIdentity: Sendable, Equatable {
    let provider: String
    /// The issuer's name for them.
    let subject: UserID
    let email: String?
    /// The issuer has seen that they read the mail of that address.
    let isEmailConfirmed: Bool
    let displayName: String?
    /// When they last proved to the issuer who they are, seconds since 1970: its tokens are renewed without that.
    let authenticatedAt: Int64

    /// The primary key of `identities`.
    var name: String { "\(provider):\(subject.rawValue)" }
}
