internal import SonaModel
internal import SonaWire

/// What has changed about rooms lately. An answer that was read from the disk before that wakes none as it was then.
struct RecentRoomChanges {
    private enum Latest {
        case closed
        case changed(RoomStore.StoredRoom, changeNumber: Int64)
    }

    private var latest: [RoomID: (change: Latest, at: Int64)] = [:]

    /// Longer than any request is under way, µs.
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

    /// - Returns: What is newer than what was read.
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
