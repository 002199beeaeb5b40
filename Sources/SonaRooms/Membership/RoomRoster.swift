package import SonaWire

/// Who belongs to a room and who may not: what of its storage decides at the door and in every request.
///
/// What it says is stored first and told here afterwards.
package struct RoomRoster: Sendable, Equatable {
    /// Somebody who was let in, or given a standing.
    package struct Entry: Sendable, Equatable {
        package var standing: Standing
        /// What the invites they came by give on top.
        package var extra: Set<Capability>
        /// Since when they belong to the room, ms since 1970.
        package var sinceMilliseconds: Int64

        package init(standing: Standing, extra: Set<Capability> = [], sinceMilliseconds: Int64 = 0) {
            self.standing = standing
            self.extra = extra
            self.sinceMilliseconds = sinceMilliseconds
        }
    }

    package var entries: [UserID: Entry] = [:]
    /// Until when, ms since 1970; `.max` for good.
    package var bans: [UserID: Int64] = [:]
    /// What whoever is kept out is told, if there is something to tell.
    package var banReasons: [UserID: String] = [:]
    package var mutes: [UserID: Int64] = [:]
    /// Who stands before the door, in no order.
    package internal(set) var waiting: [UserID: User] = [:]
    /// In which order they came; who waits no more may still be in it.
    private var arrivals: [UserID: Int] = [:]

    package init() {}

    /// Who stands before the door, those who came first at the beginning.
    package var waitingInOrder: [User] {
        waiting.values.sorted { (arrivals[$0.uid] ?? 0, $0.uid.rawValue) < (arrivals[$1.uid] ?? 0, $1.uid.rawValue) }
    }

    mutating func noteArrival(_ uid: UserID) {
        arrivals = arrivals.filter { waiting[$0.key] != nil }
        arrivals[uid] = (arrivals.values.max() ?? 0) + 1
    }

    /// Until when somebody is kept out.
    func ban(_ uid: UserID, at wall: Int64) -> Int64? { bans[uid].flatMap { $0 > wall ? $0 : nil } }

    /// Until when somebody may not write.
    package func mute(_ uid: UserID, at wall: Int64) -> Int64? { mutes[uid].flatMap { $0 > wall ? $0 : nil } }
}
