package import SonaAudio
package import SonaWire

/// How a broadcast came to its end.
package enum HostEnding: Sendable {
    /// Everything was sent.
    case finished
    case interrupted
}

/// Why a broadcast had to end.
package enum HostError: Error, Sendable, CustomStringConvertible {
    case client(ClientError)
    /// A file could not be read on.
    case audio(AudioError)
    /// The room was closed while it was live.
    case roomClosed
    /// The host was put out of the room.
    case removed(RoomRemoved)
    /// The seat was taken back, or is somebody else's.
    case lostSeat(HostLostSeat)

    package var description: String {
        switch self {
        case .client(let error): error.description
        case .audio(let error): error.description
        case .roomClosed: "The room was closed."
        case .removed(let removed): "The host was put out of the room (\(removed.reason))."
        case .lostSeat(let lost): "The host's seat was lost (\(lost.reason))."
        }
    }
}

/// News that a person at the host would like to know.
package enum HostReport: Sendable {
    /// The room is live; comes once.
    case live(Room)
    /// The host is in the room, whose queue has nothing for it to play yet. Comes once, in place of `live`.
    case waiting(Room)
    /// An epoch of this track begins.
    case track(Track)
    /// The queue has nothing left to play.
    case queueEmpty
    case paused(positionMicroseconds: Int64)
    case playing(positionMicroseconds: Int64)
    /// The connection is lost and being sought again.
    case away(ClientError)
    case back
    /// Something went wrong that the broadcast survives.
    case warning(String)
}
