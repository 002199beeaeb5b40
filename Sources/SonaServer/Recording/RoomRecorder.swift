internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// The recording of a room's host, while they agree to it. On the loop.
///
/// A file holds sound without a gap: where packets are missing, where a decoder begins anew, and after what a replay
/// plays from the library, the next one begins.
final class RoomRecorder {
    let host: UserID
    private let room: RoomID
    private let desk: RecordingDesk
    private(set) var current: RecordingID?
    /// Where the sound of the last packet ends, server time, µs.
    private var end: Int64 = 0
    /// When the present file was begun, server time, µs.
    private var begunAt: Int64?

    /// How far apart two packets may be that follow each other, µs.
    private static let seam: Int64 = 2_000
    /// Least time between the beginnings of two files, µs.
    private static let apart: Int64 = 1_000_000

    init(_ room: RoomID, host: UserID, _ desk: RecordingDesk) {
        self.room = room
        self.host = host
        self.desk = desk
    }

    /// Takes a packet of the host's.
    ///
    /// - Parameter stream: The epoch of the packet.
    func take(_ chunk: AudioChunk, _ stream: StreamInfo?, now: Int64) {
        let header = chunk.header
        if header.flags.contains(.discontinuity) || abs(header.playAtMicroseconds - end) > Self.seam { close() }
        end = chunk.end
        if current == nil {
            guard let stream, stream.epoch == header.epoch else { return }
            // Sound with a gap in every moment would be a file for each.
            if let begunAt, now - begunAt < Self.apart { return }
            begunAt = now
            let ahead = max(0, stream.startMicroseconds - header.playAtMicroseconds)
            let heard = header.playAtMicroseconds + ahead
            current = desk.begin(
                in: room, host: host, start: MonotonicClock.wallMilliseconds() + (heard - now) / 1_000,
                channels: stream.channels, preSkip: Int(ahead * Int64(Limits.sampleRate) / 1_000_000))
        }
        if let current { desk.files.add(chunk.packet, samples: Int(header.samples), to: current) }
    }

    /// Ends the file: what follows is another one.
    func close() {
        if let current { desk.files.end(current) }
        current = nil
    }
}

extension RoomHome {
    /// Begins or ends to record, as the host says.
    func setRecording() {
        let host = room.recordedHost?.uid
        guard recorder?.host != host else { return }
        recorder?.close()
        recorder = host.map { RoomRecorder(id, host: $0, core.services.recordings) }
    }

    /// Records a packet that was sent to listeners.
    func record(_ chunk: AudioChunk, now: Int64) {
        guard let recorder else { return }
        guard room.seat.host?.uid == recorder.host, !room.soundsFromLibrary(at: chunk.due) else {
            return recorder.close()
        }
        recorder.take(chunk, room.stream?.info, now: now)
    }

    /// Ends a recording that cannot go on, and tells everybody.
    func endRecording(_ recording: RecordingID) {
        guard recorder?.current == recording else { return }
        _ = try? update(now: MonotonicClock.nowMicroseconds()) { room throws(WireError) in
            ((), room.endRecording())
        }
    }
}

extension Session {
    func record(_ request: HostRecord, _ asker: LiveAsker) throws(WireError) -> HostRecorded {
        let home = try joined()
        // As for `host.start`: outside any room the answer is `room.not_joined`, whoever asks.
        try asker.account.require(.roomsControl)
        if request.isOn, core.services.configuration.recordingSpace == 0 {
            throw WireError(.recordingOff, "This server records nothing.")
        }
        try home.update(now: asker.now) { room throws(WireError) in
            ((), try room.record(number, request.isOn))
        }
        return HostRecorded(isRecorded: home.room.recordedHost != nil)
    }
}
