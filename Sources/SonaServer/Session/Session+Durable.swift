internal import SonaModel
internal import SonaWire

/// The requests that need the disk: done off the loop, answered on it.
extension Session {
    /// - Parameter text: The message that held it.
    /// - Throws: `server.busy` if too many wait already.
    func handleDurable(
        _ request: Request, _ method: Method, text: UnsafeRawBufferPointer
    ) throws(WireError) {
        let caller = Caller(account: account, address: link.limitedAddress, session: number, room: home?.id)
        try core.ask(AskedRequest(request, method: method, link: link.number, caller: caller), text: text)
    }

    /// Prepares a request that is about to be done, for the account that the session has by now.
    ///
    /// - Throws: `auth.token_invalid` if the session may begin no more requests.
    func begin(_ asked: inout AskedRequest) throws(WireError) {
        if isExpelled || isSuspended { throw WireError(.authTokenInvalid) }
        if asked.method.endsOwnTokens { ensureActiveState().endingRequests.insert(asked.id) }
        if asked.method.needsConnection { asked.caller.watchGeneration = ensureActiveState().watching.next() }
        asked.caller.account = account
    }

    /// Drops the session's waiting requests.
    func endAsking() { core.requestQueues.drop(of: number) }

    func finish(_ asked: AskedRequest, _ outcome: Result<AnyOutcome, WireError>) {
        let id = asked.id
        activeState?.endingRequests.remove(id)
        if !isEndingTokens { isSuspended = false }
        switch outcome {
        case .failure(let error):
            refuse(id, error)
            // Another session may have ended the same tokens meanwhile.
            if let family = account?.family, core.services.model.accounts.isRevoked(family) { revoke(family) }
        case .success(let outcome):
            if let account = outcome.signsIn {
                if account.uid != self.account?.uid { leaveRoom(isLost: false) }
                let before = self.account.map { User($0) }
                self.account = account
                // A guest who has signed up stays in the room, under a name.
                if let before, before.uid == account.uid, before != User(account) { core.renamed(User(account)) }
                if let family = account.family, core.services.model.accounts.isRevoked(family) { revoke(family) }
                // The account may have been banned after the sign-in was decided and before the result came here.
                if core.services.model.accounts.isBanned(account.uid) { isExpelled = true }
            }
            if outcome.signsOut {
                leaveRoom(isLost: false)
                account = nil
            }
            answer(id, outcome.response)
            if let isWatching = outcome.isWatching { settle(asked.caller.watchGeneration, isWatching: isWatching) }
            if outcome.ends { isExpelled = true }
        }
        if isExpelled, !isEndingTokens { expel() }
    }

    // MARK: The list of rooms

    /// Takes the outcome of a request about watching: its list is watched from now on, or none is. The reply is out.
    private func settle(_ generation: UInt64, isWatching: Bool) {
        let counts = ensureActiveState().watching.settle(generation, isWatched: isWatching)
        guard isWatching else { return }
        guard counts else { return core.endWatch(number, upTo: generation) }
        let (directory, number) = (core.services.directory, self.number)
        Task { await directory.begin(session: number, generation) }
    }

    /// Whether the list of a generation is the one that the session watches.
    func watches(_ generation: UInt64) -> Bool { activeState?.watching.watched == generation }

    func stopWatching() {
        guard let activeState, activeState.watching.mayWatch else { return }
        core.endWatch(number, upTo: activeState.watching.end())
    }
}
