internal import SonaDatabase
internal import SonaWire

/// What stands between somebody and an answer that says whether they guessed right.
extension Accounts {
    /// Runs a check of a proof within the limits: counted before it is made, and given back when it was no failure.
    ///
    /// - Parameters:
    ///   - target: At which account it is aimed: what was typed, folded. `nil` for a proof that can't be guessed.
    ///   - isKnown: Whether the account was signed in from there lately, or is signed in on this device.
    ///   - suspect: Whose account a failure is told of.
    /// - Throws: `rateLimited`, and what `check` throws.
    func guessing<Value>(
        at target: String?, isKnown: Bool, _ address: String?, suspect: () async -> UserID?,
        _ check: () async throws(Refusal) -> Value
    ) async throws(Refusal) -> Value {
        let now = clock.nowMilliseconds()
        try limits.failures.take(address, now: now)
        let delayed = isKnown ? nil : target
        // Whoever is told to wait here has used one of the address's attempts: asking again and again gains nothing.
        if let delayed { try delays.take(delayed, now: now) }
        do throws(Refusal) {
            let value = try await hashQueue.run(address, check)
            refund()
            return value
        } catch {
            switch error.code {
            case .authCredentialsInvalid, .authTokenInvalid, .authTokenExpired:
                writeFailure(await suspect(), address)
            default: refund()
            }
            throw error
        }

        func refund() {
            limits.failures.refund(address, at: now)
            if let delayed { delays.refund(delayed, now: now) }
        }
    }

    /// Writes a failure into the journal. A flood of them is a few lines: see `FailedSignIns`.
    func writeFailure(_ account: UserID?, _ address: String?) {
        let now = clock.nowMilliseconds()
        guard let entry = failedSignIns.entry(account: account, address: address, now: now) else { return }
        let journal = self.journal
        // An answer that waited for the disk would tell that there is such an account. The refusal stands whether its
        // line can be written or not.
        afterwards { try? await journal.append(entry) }
    }
}
