package import SonaWire

/// Who belongs to a room and who is kept out: the stored data that decides at the door and in every request.
///
/// A change is stored first and entered here afterwards.
package struct RoomRoster: Sendable, Equatable {
    /// A user who was let in, or given a standing.
    package struct Entry: Sendable, Equatable {
        package var standing: Standing
        /// Capabilities that the invites they came by add.
        package var extra: Set<Capability>
        /// Time since which they belong to the room, ms since 1970.
        package var sinceMilliseconds: Int64

        package init(standing: Standing, extra: Set<Capability> = [], sinceMilliseconds: Int64 = 0) {
            self.standing = standing
            self.extra = extra
            self.sinceMilliseconds = sinceMilliseconds
        }
    }

    package var entries: [UserID: Entry] = [:]
    /// End of each ban, ms since 1970; `.max` for good.
    package var bans: [UserID: Int64] = [:]
    /// The reasons that banned users are told, if there are any.
    package var banReasons: [UserID: String] = [:]
    package var mutes: [UserID: Int64] = [:]
    /// Users who wait before the door, in no order.
    package internal(set) var waiting: [UserID: User] = [:]
    /// Order of their arrival. Users who no longer wait may still be in it.
    private var arrivals: [UserID: Int] = [:]

    package init() {}

    /// Users who wait before the door, by time of arrival.
    package var waitingInOrder: [User] {
        waiting.values.sorted { (arrivals[$0.uid] ?? 0, $0.uid.rawValue) < (arrivals[$1.uid] ?? 0, $1.uid.rawValue) }
    }

    mutating func noteArrival(_ uid: UserID) {
        arrivals = arrivals.filter { waiting[$0.key] != nil }
        arrivals[uid] = (arrivals.values.max() ?? 0) + 1
    }

    /// End of somebody's ban; `nil` if they are not banned at `wall`.
    func ban(_ uid: UserID, at wall: Int64) -> Int64? { bans[uid].flatMap { $0 > wall ? $0 : nil } }

    /// End of somebody's mute; `nil` if they may write at `wall`.
    package func mute(_ uid: UserID, at wall: Int64) -> Int64? { mutes[uid].flatMap { $0 > wall ? $0 : nil } }
}
