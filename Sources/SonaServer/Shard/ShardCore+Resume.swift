internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Sessions that outlive their connections.
extension ShardCore {
    /// The session of a connection; `nil` if that session is away or has gone on over another connection.
    ///
    /// - Parameter number: The number of the connection.
    func session(onLink number: UInt64) -> Session? {
        let session = resumed.isEmpty ? sessions[number] : sessions[resumed[number] ?? number]
        guard let session, session.link.number == number, !session.isAway else { return nil }
        return session
    }

    /// Handles the end of a connection.
    func closed(_ link: ClientLink, _ ending: WebSocketEnding) {
        session(onLink: link.number)?.closed(ending)
        resumed[link.number] = nil
    }

    /// Keeps a session whose connection was lost.
    ///
    /// - Returns: Whether it is kept.
    func keep(_ session: Session, now: Int64) -> Bool {
        let seconds = services.configuration.resumeSeconds
        guard seconds > 0, !endsSessions, let uid = session.account?.uid else { return false }
        let (isKept, ending) = away.add(
            session.number, others: sessions(of: uid).map(\.number).filter { $0 != session.number },
            address: session.link.limitedAddress, due: now + Int64(seconds) * 1_000_000)
        if let ending { sessions[ending]?.end() }
        armAwayAlarm()
        return isKept
    }

    /// The session that a token names, if this user can resume it.
    func resumable(_ token: String, for uid: UserID) -> (session: Session, id: SessionID)? {
        guard let (number, id) = resumeTokens.verify(token), let session = sessions[number],
            session.account?.uid == uid, session.mayGoOn
        else { return nil }
        return (session, id)
    }

    func armAwayAlarm() {
        guard !isAwayAlarmSet, let due = away.next else { return }
        isAwayAlarmSet = true
        loop.schedule(atMicroseconds: due) { [weak self] in
            guard let self else { return }
            isAwayAlarmSet = false
            let now = MonotonicClock.nowMicroseconds()
            while let number = away.take(now: now) {
                sessions[number]?.end()
                away.remove(number)
            }
            armAwayAlarm()
        }
    }
}
