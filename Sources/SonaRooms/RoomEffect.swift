package import SonaWire

/// What a change in a room wants done outside of it, in this order.
package enum RoomEffect: Sendable {
    /// Tell every member; numbered in the room.
    case event(any WireEvent)
    /// Tell every member where the position is; live only.
    case position(Playback)
    /// Send a packet to every listener.
    case chunk(AudioChunk)
    /// Write the playback down.
    case persist
    /// The room has been heard from now on: note the time.
    case wentLive
    /// A track has become audible: write it into the history.
    case heard(HeardTrack)
    /// The number of listeners is another.
    case listenersChanged
}

/// What became of a packet from the host.
package struct Ingest: Sendable {
    package var effects: [RoomEffect] = []
    /// The host is this far ahead of what it may be: read nothing from it for as many µs.
    package var holdBackMicroseconds: Int64 = 0
    /// It was sent before.
    package var isRepeated = false
}
