internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// A session that loses its connection, and resumes over another.
///
/// connected → away (`closed`, if the connection was cut) → connected (`goOn`) or over (`end`, when its time is up).
/// connected → connected (`goOn`), if the client noticed the loss of the connection before the server did.
///
/// Source: Protocol/spec/resuming.md.
extension Session {
    /// - Parameter ending: How the connection ended. A client that says goodbye will not resume.
    func closed(_ ending: WebSocketEnding) {
        let now = MonotonicClock.nowMicroseconds()
        let isCut = ending.code == nil && (ending.ownCode == nil || ending.ownCode == CloseCode.tooSlow.rawValue)
        if isCut, mayGoOn, home != nil || hasNews(now: now), core.keep(self, now: now) {
            home?.lost(self)
            forgetWaiting()
            isAway = true
            notePlayerDevice()
        } else {
            end(isLost: ending.code != CloseCode.done.rawValue)
        }
    }

    /// Ends everything that ends with a connection, whether or not the session goes on.
    private func forgetWaiting() {
        knocksAt = nil
        stopWatching()
    }

    /// Ends the session, and leaves its room.
    ///
    /// - Parameter isLost: The session did not end on purpose.
    func end(isLost: Bool = true) {
        leaveRoom(isLost: isLost)
        knocksAt = nil
        account = nil
        core.remove(self)
    }

    /// Goes on over another connection.
    ///
    /// - Parameters:
    /// - id: The session's identifier. It is taken from the client's token, because the server does not keep it.
    /// - account: The account of the new `hello`: the same user.
    /// - request: The identifier of that `hello`.
    func goOn(
        over link: ClientLink, as id: SessionID, _ account: Accounts.Account, _ resume: SessionResume, request: Int64,
        now: Int64
    ) {
        if !isAway {
            home?.letGo(self)
            forgetWaiting()
            self.link.close(CloseCode.superseded.rawValue, "the session went on in another connection")
        }
        core.move(self, to: link)
        self.link = link
        self.account = account
        isAway = false
        notePlayerDevice()
        core.services.teller.tell([account.uid])
        let comeback = home.map { $0.comeBack(self, resume, now: now) }
        answer(request, welcome(id, now: now, isResumed: true, stay: comeback?.stay))
        for frame in missed(after: resume.sessionSequence ?? 0) { link.send(frame) }
        if let parting = parting(after: resume.roomSequence) { link.send(parting) }
        guard let home, let comeback else { return }
        for frame in comeback.events { link.send(frame) }
        let lane = home.lane(of: self)
        lane.enter(link, takesAudio: comeback.takesAudio, burst: comeback.burst)
        home.noteLane(lane, of: self)
    }
}
