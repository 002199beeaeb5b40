package import SonaWire

/// An effect that a change in a room has outside of it. Effects are carried out in order.
package enum RoomEffect: Sendable {
    /// Tell every member; numbered in the room.
    case event(any WireEvent)
    /// Tell every member the position. It has no number and is sent live only.
    case position(Playback)
    /// Send a packet to every listener.
    case chunk(AudioChunk)
    /// Write the playback down.
    case persist
    /// The room has been heard from now on: note the time.
    case wentLive
    /// A track has become audible: write it into the history.
    case heard(HeardTrack)
    /// The number of listeners has changed.
    case listenersChanged
}

/// The result of a packet from the host.
package struct Ingest: Sendable {
    package var effects: [RoomEffect] = []
    /// Time for which to read nothing from the host, µs, because it is that far ahead of its limit.
    package var holdBackMicroseconds: Int64 = 0
    /// The packet was sent before.
    package var isRepeated = false
}
