package import SonaWire

/// Where a page of people ended, as clients hand it back: opaque to them, checked by us.
package struct PageCursor: Sendable, Equatable {
    /// The time, or the number, that pages are sorted by.
    package let sortKey: Int64
    package let uid: UserID

    package init(sortKey: Int64, uid: UserID) {
        self.sortKey = sortKey
        self.uid = uid
    }

    /// - Returns: `nil` for what this never wrote.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let sortKey = Int64(parts[0]), let uid = UserID(String(parts[1])) else { return nil }
        self.init(sortKey: sortKey, uid: uid)
    }

    package var text: String { "\(sortKey).\(uid.rawValue)" }
}
