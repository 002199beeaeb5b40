package import SonaWire

/// A notification that is not written yet.
package struct NewNotification: Sendable {
    package var kind: NotificationKind
    /// Whom it comes from. Nothing is told from somebody whom the receiver has blocked.
    package var from: UserID?
    package var room: RoomID?
    package var track: MusicID?
    /// The moment of the track, in `Limits.momentSeconds`.
    package var seconds: Int?
    package var album: MusicID?
    package var playlist: MusicID?
    /// The name of what it is about, at most 500 bytes; what is longer is cut.
    package var title: String?
    /// A word of 1 to 32 bytes.
    package var result: String?
    /// At most 1 000 bytes.
    package var text: String?
    /// Names what caused it, in at most 200 bytes, so that the same is not told twice. `nil`: it can happen again.
    package var key: String?

    package init(_ kind: NotificationKind, from: UserID? = nil, key: String? = nil) {
        self.kind = kind
        self.from = from
        self.key = key
    }
}

/// A notification that was written, to be told once its transaction is committed.
package struct PostedNotification: Sendable {
    package let uid: UserID
    let kind: NotificationKind
    /// The mail about it, if the account wants one.
    let mail: AccountMail?
}
