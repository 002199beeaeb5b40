internal import SonaClient
internal import SonaEventLoop
internal import SonaWire

extension Client {
    /// Joins a room, and waits before its door where somebody inside has to open it.
    ///
    /// Nobody else reads `incoming` meanwhile.
    /// - Parameter deadline: When to give up waiting, by our clock, µs.
    /// - Throws: The errors of `room.join`; 77 if the client is sent away, 75 at the deadline.
    func enter(_ join: RoomJoin, until deadline: Int64? = nil) async throws -> RoomSnapshot {
        while true {
            do throws(ClientError) {
                return try await call(join)
            } catch {
                guard error.code == .roomApprovalPending else { throw error }
            }
            Console.say("Waiting to be let in.")
            try await waitForAdmission(until: deadline)
        }
    }

    private func waitForAdmission(until deadline: Int64?) async throws {
        if let deadline { wake(atLocal: deadline) }
        for await incoming in incoming {
            switch incoming {
            case .event(.roomAdmitted, _, _): return
            case .event(.roomDenied, _, _): throw Failure(77, "You were not let in.")
            case .event(.roomRemoved(let removed), _, _): throw Failure(removed)
            case .event(.roomClosed, _, _): throw Failure(66, "The room was closed.")
            case .wake:
                guard let deadline else { continue }
                if localClock.now() >= deadline { throw Failure(75, "Nobody has let you in.") }
                wake(atLocal: deadline)
            case .interrupted: throw Interruption.failure
            case .closed(let error): throw error
            case .event, .audio, .position, .complaint: break
            }
        }
    }
}

extension Failure {
    /// Somebody was put out: why, and until when, as far as the server says.
    init(_ removed: RoomRemoved) {
        var sentence: String
        switch removed.reason {
        case RoomRemoved.kicked: sentence = "You were put out of the room"
        case RoomRemoved.banned: sentence = "You were banned from the room"
        case RoomRemoved.inviteRevoked: sentence = "The invite you came by was taken back"
        default: sentence = "You were put out of the room (\(removed.reason))"
        }
        sentence += removed.message.map { ": \($0)" } ?? "."
        if let until = removed.untilMilliseconds {
            sentence += " You may come again at \(Console.date(milliseconds: until))."
        }
        self.init(77, Console.printable(sentence))
    }
}
