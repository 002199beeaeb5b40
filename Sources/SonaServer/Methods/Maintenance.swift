internal import SonaModel
internal import SonaWire

/// The requests that a server answers to everybody while it is being worked on.
///
/// Source: Protocol/spec/connection.md, "server.info".
enum Maintenance {
    /// Of the durable plane: all others are refused.
    private static let answered: Set = [
        ServerInfo.type, AuthSignIn.type, AuthRefresh.type, AuthExchange.type, AuthSignOut.type, UserMe.type,
        SetupState.type, SetupFinish.type,
    ]
    /// Of the live plane: all others are answered, so that rooms that are live go on.
    private static let refused: Set = [RoomJoin.type, HostStart.type]

    /// - Throws: `server.maintenance`.
    static func check(_ type: String, isLive: Bool, _ account: Accounts.Account?) throws(WireError) {
        guard account?.role != .admin else { return }
        if isLive ? refused.contains(type) : !answered.contains(type) {
            throw WireError(.serverMaintenance, retryAfterMilliseconds: 60_000)
        }
    }
}
