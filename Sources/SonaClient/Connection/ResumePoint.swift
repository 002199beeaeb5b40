package import SonaWire

/// How far a client has come with a session, to go on from there over another connection.
///
/// Source: Protocol/spec/resuming.md, "Asking".
package struct ResumePoint: Sendable, Equatable {
    private var token: String?
    private var room: RoomID?
    private var roomSequence: Int64?
    private var sessionSequence: Int64?
    private var packetSequence: UInt32?

    /// - Parameter welcome: What the connection was greeted with on which the session begins.
    package init(_ welcome: Welcome) { token = welcome.resumeToken }

    /// The session to ask for in the next `hello`; nil if the server does not support resuming.
    package var request: SessionResume? {
        token.map {
            SessionResume(
                token: $0, roomSequence: roomSequence, sessionSequence: sessionSequence, packetSequence: packetSequence)
        }
    }

    /// A room has been entered afresh.
    package mutating func entered(_ snapshot: RoomSnapshot) {
        room = snapshot.room.id
        roomSequence = snapshot.seq
        packetSequence = nil
    }

    /// The session goes on over another connection.
    package mutating func resumed(_ welcome: Welcome) {
        token = welcome.resumeToken
        if let snapshot = welcome.stay?.snapshot { roomSequence = snapshot.seq }
    }

    /// Something has arrived.
    package mutating func note(_ incoming: Incoming) {
        switch incoming {
        case .event(_, let room?, let seq?):
            if room == self.room { roomSequence = seq }
        case .event(_, nil, let seq?): sessionSequence = seq
        case .audio(let packet): packetSequence = packet.header.sequence
        case .event, .position, .complaint, .wake, .interrupted, .closed: break
        }
    }
}
