package import SonaWire

/// The host's agreement to be recorded.
extension LiveRoom {
    /// Whose sound is recorded; `nil` if nobody's is. The seat's, of a room that keeps replays.
    package var recordedHost: User? {
        agreesToRecording && settings.keepsReplays ? seat.host : nil
    }

    /// Notes that the host agrees to be recorded, or does not any more.
    ///
    /// - Throws: `host.not_host`; `recording.off` in a room that keeps no replays.
    package mutating func record(_ member: MemberID, _ isOn: Bool) throws(WireError) -> [RoomEffect] {
        guard seat.member == member else { throw WireError(.hostNotHost) }
        guard !isOn || settings.keepsReplays else {
            throw WireError(.recordingOff, "The room keeps no replays that a recording could belong to.")
        }
        guard isOn != agreesToRecording else { return [] }
        agreesToRecording = isOn
        return [.event(seatEvent)]
    }

    /// Ends the recording: the server cannot go on with it.
    package mutating func endRecording() -> [RoomEffect] {
        guard agreesToRecording else { return [] }
        agreesToRecording = false
        return [.event(seatEvent)]
    }

    /// Whether what sounds at a moment is a track of the library: a replay plays that by the rights of whoever listens.
    package func soundsFromLibrary(at time: Int64) -> Bool {
        tracks.view(at: time).current?.track?.music != nil
    }
}
