package import SonaWire

/// A change of an account that open connections have to learn at once.
package enum AccountEvent: Sendable, Equatable {
    /// All tokens of a sign-in were revoked.
    case signedOut(family: String)
    /// The user was banned or removed. All their connections must end.
    case expelled(UserID)
    /// The username or the role has changed.
    case changed(UserID, username: Username?, role: AccountRole)
    /// Rooms of a removed account that belong to others now.
    case roomsMoved([RoomTransferStore.Moved])
    /// A ban of the user has begun or ended early.
    case banChanged(UserID)
    /// Rooms that were removed with their owner's account.
    case roomsRemoved([RoomID])
}
