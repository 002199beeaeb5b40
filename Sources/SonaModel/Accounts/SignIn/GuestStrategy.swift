internal import SonaWire

/// Signs in without a proof. Every call returns a new guest.
struct GuestStrategy: SignInStrategy {
    struct Proof: Sendable {}

    static let provider = "guest"

    func identify(_ proof: Proof) -> Identity { .guest(Accounts.newUserID()) }
}
