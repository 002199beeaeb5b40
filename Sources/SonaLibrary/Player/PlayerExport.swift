internal import SonaDatabase
internal import SonaWire

/// What an account plays alone, in its export.
struct ExportedPlayer: Sendable {
    private let state: PlayerState
    private let tracks: [String]

    /// As many tracks as one message can carry besides the rest of an export.
    private static let tracksMax = 1_000

    /// `nil` if the account never played anything alone.
    init?(of uid: UserID, in db: inout ReadAccess) throws {
        guard let record = try db.first(PlayerRecord.filter(PlayerRecord.uid == uid)) else { return nil }
        state = record.state
        let queue = try db.first(PlayerQueueRecord.filter(PlayerQueueRecord.uid == uid))?.queue.value
        tracks = Array((queue?.tracks ?? []).dropFirst(max(0, state.index - Self.tracksMax / 2)).prefix(Self.tracksMax))
    }

    func write(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("state")
            state.encode(into: &writer)
            writer.member("tracks", tracks)
        }
    }
}
