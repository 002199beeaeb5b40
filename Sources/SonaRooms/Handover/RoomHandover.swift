package import SonaWire

/// A live room as it is handed to the process that takes over from this one.
///
/// What is stored (settings, members with a standing, queue, chat) is not in it: the successor reads that.
package struct RoomHandover: Sendable, Codable {
    /// One connection that is in the room.
    struct Present: Sendable, Codable {
        var member: MemberID
        var content: LiveRoom.Member
    }

    package let room: RoomID
    var members: [Present]
    var shifted: [MemberID]
    package let seat: HostSeat
    var slotSeat: UserID?
    var hostFollowsQueue: Bool
    var agreesToRecording: Bool
    var hasServer: Bool
    var offer: LiveRoom.Offer?
    var claim: LiveRoom.Claim?
    var stream: HostedStream?
    var earlier: [HostedStream]
    package let playback: PlaybackHistory
    var track: Track?
    var tracks: TrackTimeline
    var positionError: UInt32
    var sequence: Int64
    var nextPacket: UInt32
    var lastEpoch: UInt16
    var soundsUntil: Int64?

    /// Whether a packet has been sent that still sounds, or the host may send more.
    package var isLive: Bool { stream != nil }

    /// Where the sound ends that was sent: its server time, and the position in the track, µs; `nil` if none is.
    package var edge: (time: Int64, position: Int64)? {
        stream.map { ($0.timeline.edge, $0.timeline.edgePosition) }
    }
}

extension LiveRoom {
    /// The room as it is handed over. O(members).
    package var handover: RoomHandover {
        RoomHandover(
            room: id, members: members.map { RoomHandover.Present(member: $0.key, content: $0.value) },
            shifted: Array(shifted), seat: seat, slotSeat: slotSeat, hostFollowsQueue: hostFollowsQueue,
            agreesToRecording: agreesToRecording, hasServer: hasServer, offer: offer, claim: claim, stream: stream,
            earlier: earlier,
            playback: playback, track: track, tracks: tracks, positionError: positionError, sequence: sequence,
            nextPacket: nextPacket, lastEpoch: lastEpoch, soundsUntil: soundsUntil)
    }

    /// Goes on where another process was. For a room that was just woken from what is stored, with nobody in it.
    package mutating func takeOver(_ room: RoomHandover) {
        for present in room.members {
            members[present.member] = present.content
            presence.change(present.content.user.uid, isGhost: present.content.isGhost, by: 1)
        }
        shifted = Set(room.shifted)
        seat = room.seat
        slotSeat = room.slotSeat
        hostFollowsQueue = room.hostFollowsQueue
        agreesToRecording = room.agreesToRecording
        hasServer = room.hasServer
        offer = room.offer
        claim = room.claim
        stream = room.stream
        if stream?.pacing == .live { stream?.live = LiveHosting() }
        earlier = room.earlier
        playback = room.playback
        track = room.track
        tracks = room.tracks
        positionError = room.positionError
        sequence = room.sequence
        nextPacket = room.nextPacket
        lastEpoch = room.lastEpoch
        soundsUntil = room.soundsUntil
    }
}
