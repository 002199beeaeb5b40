internal import SonaWire

/// The sessions of each user, guests included. Nearly all users have one, so that case is the cheap one.
struct SessionsByUser {
    private var first: [UserID: UInt64] = [:]
    private var others: [UserID: Set<UInt64>] = [:]

    subscript(_ uid: UserID) -> [UInt64] {
        guard let first = first[uid] else { return [] }
        return [first] + (others[uid] ?? [])
    }

    mutating func insert(_ session: UInt64, of uid: UserID) {
        guard let known = first[uid] else { return first[uid] = session }
        if known != session { others[uid, default: []].insert(session) }
    }

    mutating func remove(_ session: UInt64, of uid: UserID) {
        if first[uid] == session {
            first[uid] = others[uid]?.popFirst()
        } else {
            others[uid]?.remove(session)
        }
        if others[uid]?.isEmpty == true { others[uid] = nil }
    }
}
