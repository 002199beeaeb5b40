internal import SonaDatabase
internal import SonaWire

/// Limits on guessing passwords and proofs.
extension Accounts {
    /// Runs a check of a proof within the limits. An attempt is counted before the check and taken back if it did not
    /// fail.
    ///
    /// - Parameters:
    ///   - target: The account that is tried: the typed e-mail address, folded. `nil` for a proof that can't be
    ///     guessed.
    ///   - isKnown: Whether the account was recently signed in from this network, or is signed in on this device.
    ///   - suspect: Returns the account that a failure is journaled for.
    /// - Throws: `rateLimited`, `hashingBusy`, and what `check` throws.
    func guessing<Value>(
        at target: String?, isKnown: Bool, _ address: String?, suspect: () async -> UserID?,
        _ check: () async throws(Refusal) -> Value
    ) async throws(Refusal) -> Value {
        let now = clock.nowMilliseconds()
        try limits.failures.take(address, now: now)
        let delayed = isKnown ? nil : target
        // A refusal here has used up one attempt of the network address, so that asking again and again gains nothing.
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

    /// Writes a failed sign-in into the journal. A flood of failures becomes a few lines: see `FailedSignIns`.
    func writeFailure(_ account: UserID?, _ address: String?) {
        let now = clock.nowMilliseconds()
        guard let entry = failedSignIns.entry(account: account, address: address, now: now) else { return }
        let journal = self.journal
        // The answer must not wait for the disk: its delay would reveal that the account exists. The refusal stands
        // even if the line cannot be written.
        afterwards { try? await journal.append(entry) }
    }
}
