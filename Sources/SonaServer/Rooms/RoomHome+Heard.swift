internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// What the members of a room have heard, by their own reports. Guests are not in it.
final class HeardDesk {
    private(set) var tallies: [MemberID: HeardTally] = [:]

    init(_ tallies: [MemberID: HeardTally] = [:]) { self.tallies = tallies }

    /// - Parameter start: From when on the member can have heard something, µs, if this is the first report.
    /// The members' plays that are to be written, and what a member hears from now on.
    func take(
        _ member: MemberID, heard: Int64, start: Int64, current: TimedTrack?, edge: Int64?, now: Int64
    ) -> (plays: [HeardTally.Play], begun: HeardTally.Play?) {
        var tally = tallies[member] ?? HeardTally(start: start)
        defer { tallies[member] = tally }
        return (tally.take(heard: heard, current: current, edge: edge, now: now), tally.takeBegun())
    }

    func end(_ member: MemberID) -> HeardTally.Play? {
        guard var tally = tallies.removeValue(forKey: member) else { return nil }
        return tally.end()
    }
}

extension RoomHome {
    /// Takes what a member says to have heard since its last report.
    func hear(_ heard: Int64, window: Int64, _ session: Session, _ account: Accounts.Account, now: Int64) {
        guard !account.isGuest, !core.isHandingOver, let member = room.members[session.number] else { return }
        let desk = self.heard ?? HeardDesk()
        self.heard = desk
        let joined = now - max(0, MonotonicClock.wallMilliseconds() - member.joinedMilliseconds) * 1_000
        let (plays, begun) = desk.take(
            session.number, heard: member.wantsAudio ? min(heard, window) : 0,
            start: max(joined, now - window * 1_000), current: room.tracks.view(at: now).current,
            edge: room.soundEdge, now: now)
        core.hearings.add(plays, of: account, in: id, now: now)
        if let begun { core.hearings.begin(begun, of: account) }
    }

    /// Ends what a member heard, who leaves.
    func endHearing(of session: Session, now: Int64) {
        guard let play = heard?.end(session.number), let account = session.account else { return }
        core.hearings.add([play], of: account, in: id, now: now)
    }
}
