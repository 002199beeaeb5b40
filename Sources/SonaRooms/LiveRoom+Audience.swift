package import SonaWire

/// Who listens to the broadcast that goes on.
extension LiveRoom {
    /// Number of the broadcast that goes on; another one has another number. `nil` between broadcasts.
    package var broadcast: Int? {
        switch seat {
        case .held, .away: tracks.broadcast
        case .server: isLive ? tracks.broadcast : nil
        case .vacant: nil
        }
    }

    /// Everybody who is here and does not host, once for each connection. O(members).
    package var listeningUsers: [User] {
        members.values.map(\.user).filter { $0.uid != seat.host?.uid }
    }
}
