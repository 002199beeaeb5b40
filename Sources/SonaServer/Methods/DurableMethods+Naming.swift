internal import SonaModel
internal import SonaWire

/// `username.*`.
extension DurableMethods {
    static let naming: [DurableMethod] = [
        .open(UsernameCheck.self) { (methods, request, caller) async throws(WireError) in
            let availability: Accounts.Availability
            do throws(AccountError) {
                availability = try await methods.model.accounts.check(
                    username: request.username, for: caller.account, address: caller.address)
            } catch {
                // The rate of questions is no matter of signing in.
                guard case .rateLimited(let wait) = error else { throw WireError(error) }
                throw WireError(.requestRateLimited, retryAfterMilliseconds: wait)
            }
            return DurableOutcome(UsernameAvailability(availability))
        },
        .signedIn(UsernameClaim.self, isNameless: true) {
            (methods, request, account, _) async throws(WireError) in
            methods.granted(
                try await methods.asked { () async throws(AccountError) in
                    try await methods.model.accounts.claim(username: request.username.rawValue, account)
                })
        },
        .signedIn(UsernameChange.self) { (methods, request, account, _) async throws(WireError) in
            methods.granted(
                try await methods.asked { () async throws(AccountError) in
                    try await methods.model.accounts.change(
                        username: request.username.rawValue, from: request.oldUsername, account)
                })
        },
    ]
}

extension UsernameAvailability {
    fileprivate init(_ availability: Accounts.Availability) {
        guard let refusal = availability.refusal else {
            self.init(isAvailable: true)
            return
        }
        let reason: Reason =
            if refusal.isReservedName {
                .reserved
            } else if refusal == .usernameTaken {
                .taken
            } else {
                .invalid
            }
        self.init(
            isAvailable: false, reason: reason, message: WireError(refusal).message,
            suggestions: availability.suggestions)
    }
}
