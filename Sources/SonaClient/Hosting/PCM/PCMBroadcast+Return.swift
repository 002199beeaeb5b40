internal import SonaWire

/// The commands of the owner to a host of uncompressed sound, and how it continues over another connection.
extension PCMBroadcast {
    func carryOut(_ command: HostCommand) async throws(HostError) {
        switch command.action {
        case .pause:
            _ = try await call(HostPause(command: command.command))
            isPaused = true
            report(.paused(positionMicroseconds: microseconds(samples: Int(clamping: frames))))
        case .play where command.positionMicroseconds == nil:
            try await begin(command: command.command)
            report(.playing(positionMicroseconds: startPosition))
        case .play, .seek:
            try await reject(command, "This comes from a program's output, in which nothing can be sought.")
        }
    }

    /// Live sound goes on and is kept, paced sound waits.
    func wentAway() {
        guard isLive else { return }
        holding = Task {
            while !Task.isCancelled {
                // A fault of the source is reported when the connection is back.
                _ = try? advance()
                try? await Task.sleep(for: .microseconds(Self.tick))
            }
        }
    }

    func cameBack() {
        holding?.cancel()
        holding = nil
    }

    /// Goes on with the first packet that the server has not got; for live sound, with the first that may still be in
    /// time.
    func goOn(in stay: ResumedStay, _ host: ResumedStay.HostPlace) -> Bool {
        guard host.epoch == epoch, let place = host.samplePosition else { return false }
        // The server may have done the request that was in flight when the connection was lost.
        guard (PlaybackView(stay.playback, upcoming: stay.upcoming).final.state == .paused) == isPaused else {
            return false
        }
        let inTime = isLive ? epochFrames - pacing.leadMicroseconds * 6 / 125 : 0
        guard let missing = sent.packets(from: place, inTimeFrom: inTime) else { return false }
        for packet in missing { connection.client.send(binary: packet.frame) }
        return true
    }

    func takeUpAgain(_ snapshot: RoomSnapshot, isSameClock: Bool) async throws(HostError) {
        let wasPaused = isPaused
        try await begin(command: nil)
        if wasPaused {
            _ = try await call(HostPause())
            isPaused = true
        }
    }
}
