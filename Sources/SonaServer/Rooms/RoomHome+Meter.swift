internal import SonaRooms
internal import SonaWire

/// How a room is heard, as its members say.
final class MeterDesk {
    private(set) var reports = ListeningReports()
    private var fresh = ListeningReports.Fresh()
    private var freshAt = Int64.min

    /// For how long the reports are not looked through again, µs: whoever asks for them often costs no more by it.
    private static let freshMicroseconds: Int64 = 1_000_000

    func take(_ measured: ListeningMeasurement, from member: MemberID, now: Int64) throws(WireError) {
        try reports.take(measured, from: member, now: now)
    }

    func forget(_ member: MemberID) { reports.forget(member) }

    /// Those that are not stale, as of at most a second ago.
    func fresh(now: Int64) -> ListeningReports.Fresh {
        if freshAt == .min || now - freshAt >= Self.freshMicroseconds {
            (fresh, freshAt) = (reports.fresh(at: now), now)
        }
        return fresh
    }
}

extension RoomHome {
    /// Takes what a member has measured.
    func take(_ measured: ListeningMeasurement, from session: Session, now: Int64) throws(WireError) {
        let desk = meter ?? MeterDesk()
        try desk.take(measured, from: session.number, now: now)
        meter = desk
        core.figures.listening.add(measured)
    }
}
