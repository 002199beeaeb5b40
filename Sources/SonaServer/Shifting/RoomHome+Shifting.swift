internal import SonaAudio
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaRooms
internal import SonaWire

/// What the room has sounded, for those who hear it later than others do.
extension RoomHome {
    /// How far back a room that plays by itself keeps what it played, µs: a day.
    private static var pastMicroseconds: Int64 { Limits.shiftMilliseconds.upperBound * 1_000 }

    /// Keeps what members are told.
    func remember(_ event: any WireEvent) {
        switch event {
        case let begun as StreamStarted:
            let track = room.seat == .server ? autoplay?.sounding : nil
            // A packet that moved the sound has been counted by now.
            let sent: UInt32 = room.stream.map { $0.timeline.samples > 0 } == true ? 1 : 0
            let epoch = PastSound<MusicID>.Epoch(
                stream: begun.stream, file: track?.music, firstPacket: room.nextPacket &- sent,
                origin: (track?.origin ?? 0) + (room.stream?.hostOrigin ?? 0))
            past.keptMicroseconds = autoplay == nil ? room.ringMicroseconds : Self.pastMicroseconds
            past.begin(epoch, track: begun.track)
        case let changed as TrackChanged: past.note(track: changed.track, at: changed.atMicroseconds)
        case let ended as StreamEnded: past.note(track: nil, at: ended.atMicroseconds)
        default: break
        }
    }

    /// What is to be sent to somebody who hears the room later.
    struct Shifted {
        /// What is to be read first, oldest first.
        var pieces: [PastSound<MusicID>.Piece]
        /// What follows it.
        var recent: [AudioChunk]
        var answer: ShiftedSound
    }

    /// Looks for the sound of a span that has gone by.
    func shifted(_ request: RoomShift, now: Int64) -> Shifted {
        let ringFrom = outlet.ringFrom
        var answer = ShiftedSound(
            byMilliseconds: request.byMilliseconds,
            heldFromMicroseconds: [past.filesFrom, ringFrom].compactMap(\.self).min())
        guard let from = request.fromMicroseconds, let to = request.toMicroseconds else {
            return Shifted(pieces: [], recent: [], answer: answer)
        }
        let limit = Limits.shiftTellingMax
        answer.streams = past.streams(from: from, to: to, limit: limit)
        answer.playbacks = past.playbacks(from: from, to: to, limit: limit)
        answer.tracks = past.tracks(from: from, to: to, limit: limit)
        let edge = room.soundEdge ?? now
        return Shifted(
            pieces: past.pieces(from: from, to: min(to, ringFrom ?? to), edge: edge),
            recent: outlet.recent(from: from, to: to), answer: answer)
    }

    /// Keeps files that were opened for listeners open for the next of them.
    func keep(_ opened: [MusicID: OpusTrackFile]) {
        for (music, file) in opened {
            pastFiles.removeAll { $0.music == music }
            pastFiles.append((music, file))
        }
        pastFiles.removeFirst(max(0, pastFiles.count - Self.pastFilesMax))
    }

    private static var pastFilesMax: Int { 4 }

    /// The files of the room that are open.
    var openFiles: [MusicID: OpusTrackFile] {
        var files = Dictionary(pastFiles.map { ($0.music, $0.file) }) { $1 }
        if let playing = autoplay?.current { files[playing.music] = playing.file }
        return files
    }
}
