internal import SonaWire

/// Nobody in particular. There is nothing to prove, and so everybody is somebody new.
struct GuestStrategy: SignInStrategy {
    struct Proof: Sendable {}

    static let provider = "guest"

    func identify(_ proof: Proof) -> Identity { .guest(Accounts.newUserID()) }
}
