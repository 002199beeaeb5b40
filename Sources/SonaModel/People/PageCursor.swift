package import SonaWire

/// The end of a page of people, which clients send back for the next page. Opaque to clients; checked by the server.
package struct PageCursor: Sendable, Equatable {
    /// The time in milliseconds, or the number, that pages are sorted by.
    package let sortKey: Int64
    package let uid: UserID

    package init(sortKey: Int64, uid: UserID) {
        self.sortKey = sortKey
        self.uid = uid
    }

    /// Parses the form of `text`.
    ///
    /// - Returns: `nil` for any other form.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let sortKey = Int64(parts[0]), let uid = UserID(String(parts[1])) else { return nil }
        self.init(sortKey: sortKey, uid: uid)
    }

    package var text: String { "\(sortKey).\(uid.rawValue)" }
}
