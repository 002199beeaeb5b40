package import SonaWire

/// What connections that are open have to know of accounts, at once.
package enum AccountEvent: Sendable, Equatable {
    /// The tokens of a sign-in have ended.
    case signedOut(family: String)
    /// Banned, or removed: none of their connections may stay.
    case expelled(UserID)
    /// Name or role are others now.
    case changed(UserID, username: Username?, role: AccountRole)
    /// Rooms that went with their owner.
    case roomsRemoved([RoomID])
}
