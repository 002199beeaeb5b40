internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// The members' reports on how they hear a room.
final class MeterDesk {
    private(set) var reports = ListeningReports()
    private var fresh = ListeningReports.Fresh()
    private var freshAt = Int64.min

    /// How long one look through the reports is reused, µs: asking often then costs no more.
    private static let freshMicroseconds: Int64 = 1_000_000

    func take(_ measured: ListeningMeasurement, from member: MemberID, now: Int64) throws(WireError) {
        try reports.take(measured, from: member, now: now)
    }

    func forget(_ member: MemberID) { reports.forget(member) }

    /// The reports that are not stale, as of at most a second ago.
    func fresh(now: Int64) -> ListeningReports.Fresh {
        if freshAt == .min || now - freshAt >= Self.freshMicroseconds {
            (fresh, freshAt) = (reports.fresh(at: now), now)
        }
        return fresh
    }
}

extension RoomHome {
    /// Takes a member's measurement.
    func take(_ measured: ListeningMeasurement, from session: Session, now: Int64) throws(WireError) {
        let desk = meter ?? MeterDesk()
        try desk.take(measured, from: session.number, now: now)
        meter = desk
        core.figures.listening.add(measured)
    }
}

extension RoomHome {
    /// The track that is heard now; `nil` if the host named none.
    var heardTrack: Track? { room.tracks.view(at: MonotonicClock.nowMicroseconds()).current?.track }
}
