internal import SonaModel
internal import SonaWire

/// The latest changes of rooms. A stored room that was read from the disk before such a change must not be woken in
/// its old state.
struct RecentRoomChanges {
    private enum Latest {
        case closed
        case changed(RoomStore.StoredRoom, changeNumber: Int64)
    }

    private var latest: [RoomID: (change: Latest, at: Int64)] = [:]

    /// Longer than any request takes, µs.
    private static let keptMicroseconds: Int64 = 120_000_000
    private static let cleanedFrom = 256

    mutating func closed(_ id: RoomID, now: Int64) {
        clean(now)
        latest[id] = (.closed, now)
    }

    mutating func changed(_ stored: RoomStore.StoredRoom, changeNumber: Int64, now: Int64) {
        switch latest[stored.id]?.change {
        case .closed: return
        case .changed(_, let known) where known >= changeNumber: return
        case .changed, nil: break
        }
        clean(now)
        latest[stored.id] = (.changed(stored, changeNumber: changeNumber), now)
    }

    /// - Returns: The latest change of the room; `nil` if there is none.
    /// - Throws: `room.closed`.
    func since(_ id: RoomID) throws(WireError) -> (stored: RoomStore.StoredRoom, changeNumber: Int64)? {
        switch latest[id]?.change {
        case .closed: throw WireError(.roomClosed)
        case .changed(let stored, let changeNumber): (stored, changeNumber)
        case nil: nil
        }
    }

    private mutating func clean(_ now: Int64) {
        guard latest.count >= Self.cleanedFrom else { return }
        latest = latest.filter { $0.value.at > now - Self.keptMicroseconds }
    }
}
