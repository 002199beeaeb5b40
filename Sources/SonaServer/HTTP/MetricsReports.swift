internal import SonaDatabase
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms

/// What one loop tells the metrics page.
struct LoopReport: Sendable {
    let index: Int
    let loop: LoopFigures
    let edge: EdgeFigures
    let sockets: Int
    let queuedBytes: Int
    let placeCount: Int
    let behindCount: Int

    /// On the loop. O(sockets).
    init(_ edge: Edge) {
        index = edge.door.index
        loop = edge.loop.figures
        self.edge = edge.figures
        sockets = edge.loop.socketCount
        queuedBytes = edge.loop.queuedBytes
        (placeCount, behindCount) = edge.placeCounts
    }
}

/// What the live domain tells it.
struct LiveReport: Sendable {
    let figures: ShardFigures
    let sessions: Int
    let roomsAwake: Int
    let roomsLive: Int
    let listeners: Int
    let storage: DatabaseStatus

    /// On the first loop. O(rooms).
    init(_ core: ShardCore) {
        let rooms = core.rooms.values
        figures = core.figures
        sessions = core.sessions.count
        roomsAwake = rooms.count
        roomsLive = rooms.count { $0.room.isLive }
        listeners = rooms.reduce(0) { $0 + $1.room.listenerCount }
        storage = core.services.model.storageStatus
    }
}
