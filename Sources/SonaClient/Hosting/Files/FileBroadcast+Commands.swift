internal import SonaAudio
internal import SonaWire

/// The commands of the owner to a host of files.
extension FileBroadcast {
    func carryOut(_ command: HostCommand) async throws(HostError) {
        guard !isDry else { return try await reject(command, "The queue is empty.") }
        switch command.action {
        case .pause: try await pause(command.command)
        case .play:
            if let position = command.positionMicroseconds {
                try await seek(to: position, command, plays: true)
            } else {
                let plan = try goingOn()
                try await begin(plan, command: command.command)
                report(.playing(positionMicroseconds: plan.positionMicroseconds))
            }
        case .seek:
            try await seek(to: command.positionMicroseconds ?? 0, command, plays: resume == nil)
        }
    }

    private func pause(_ command: Int64) async throws(HostError) {
        let plan = try goingOn()
        _ = try await call(HostPause(command: command))
        resume = plan
        report(.paused(positionMicroseconds: plan.positionMicroseconds))
    }

    private func seek(to position: Int64, _ command: HostCommand, plays: Bool) async throws(HostError) {
        let found: EpochPlan?
        do {
            found = try .seeking(resume?.item ?? plan.item, to: position, of: playlist)
        } catch {
            throw .audio(error)
        }
        guard let found else { return try await reject(command, "The track does not reach so far.") }
        if plays {
            try await begin(found, command: command.command)
            report(.playing(positionMicroseconds: position))
        } else {
            _ = try await call(HostPause(command: command.command, positionMicroseconds: position))
            resume = found
            report(.paused(positionMicroseconds: position))
        }
    }
}
