internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// The rooms whose sound is made at a lower bit rate just now. On the loop.
final class DataSavers {
    private unowned let core: ShardCore  // Owns this.
    private var lanes: [DataSaverWorker.Number: DataSaverLane] = [:]
    private var worker: DataSaverWorker?
    private var count = 0
    /// Packets made so far.
    private(set) var packets: UInt64 = 0

    private static let tick = Duration.milliseconds(100)

    init(_ core: ShardCore) { self.core = core }

    var laneCount: Int { lanes.count }
    var listenerCount: Int { lanes.values.reduce(0) { $0 + $1.links.count } }

    /// Begins to make the sound of a room.
    ///
    /// - Returns: `nil` if as many rooms are served as may be.
    func begin(_ home: RoomHome) -> DataSaverLane? {
        let configuration = core.services.configuration
        guard lanes.count < configuration.dataSaverRooms else { return nil }
        if worker == nil {
            let shard = core.shard
            worker = DataSaverWorker(bitrate: configuration.dataSaverKilobits * 1_000) { number, chunks in
                shard.postUrgently { $0.dataSavers.deliver(chunks, of: number) }
            }
        }
        guard let worker else { return nil }
        count += 1
        let lane = DataSaverLane(
            number: count, worker,
            RoomOutlet(
                Lane(room: home.id, savesData: true), ringMicroseconds: home.room.ringMicroseconds,
                mailboxes: core.mailboxes))
        lanes[count] = lane
        if lanes.count == 1 { schedule() }
        return lane
    }

    private func deliver(_ chunks: [AudioChunk], of number: DataSaverWorker.Number) {
        guard let lane = lanes[number], let home = core.rooms[lane.outlet.room] else { return }
        packets &+= UInt64(chunks.count)
        let now = MonotonicClock.nowMicroseconds()
        for chunk in chunks { lane.outlet.deliver(chunk, home.room.settings.delivery, now: now) }
    }

    private func schedule() {
        core.loop.schedule(after: Self.tick) { [weak self] in
            guard let self else { return }
            let now = MonotonicClock.nowMicroseconds()
            for (number, lane) in lanes {
                let outlet = core.rooms[lane.outlet.room]?.outlet
                if let outlet, outlet.saver === lane {
                    guard lane.isUnused(now: now) else {
                        lane.finish(now: now)
                        continue
                    }
                    outlet.saver = nil
                }
                lanes[number] = nil
                worker?.end(number)
            }
            if lanes.isEmpty { worker = nil } else { schedule() }
        }
    }
}

/// A room's way out at a lower bit rate. On the loop.
final class DataSaverLane {
    let outlet: RoomOutlet
    /// Numbers of the links that take it.
    var links: Set<UInt64> = []
    private let number: DataSaverWorker.Number
    private let worker: DataSaverWorker
    /// When the packet that waits for the next one is made without it, µs.
    private var finishesAt: Int64?
    private var unusedSince: Int64?

    /// How long before it has to be there a packet waits for the next one, and how long it waits in any case, µs.
    private static let spare: Int64 = 500_000
    private static let waitLeast: Int64 = 60_000
    /// How long a lane without listeners goes on, µs.
    private static let unusedMax: Int64 = 10_000_000

    init(number: DataSaverWorker.Number, _ worker: DataSaverWorker, _ outlet: RoomOutlet) {
        self.number = number
        self.worker = worker
        self.outlet = outlet
    }

    func take(_ chunk: AudioChunk, now: Int64) {
        worker.take(chunk, of: number)
        finishesAt = max(chunk.due - Self.spare, now + Self.waitLeast)
    }

    /// Has the last packet made if none follows soon.
    func finish(now: Int64) {
        guard let due = finishesAt, now >= due else { return }
        finishesAt = nil
        worker.finish(number)
    }

    func isUnused(now: Int64) -> Bool {
        guard links.isEmpty else {
            unusedSince = nil
            return false
        }
        let since = unusedSince ?? now
        unusedSince = since
        return now - since > Self.unusedMax
    }
}

extension RoomHome {
    /// Whether a member who asks for the lower bit rate gets it. Begins to make it if need be.
    func takesDataSaver(_ isWished: Bool) -> Bool {
        guard isWished, room.settings.offersDataSaver || outlet.saver != nil else { return false }
        if outlet.saver == nil {
            guard let lane = core.dataSavers.begin(self) else { return false }
            outlet.saver = lane
            let now = MonotonicClock.nowMicroseconds()
            // Who comes in needs what is on its way, and what the decoder is prepared with.
            for chunk in outlet.held.suffix(Self.preparedPackets(outlet, now: now)) { lane.take(chunk, now: now) }
        }
        return true
    }

    private static func preparedPackets(_ outlet: RoomOutlet, now: Int64) -> Int {
        outlet.held.reversed().prefix { $0.due >= now }.count + 2 * Limits.prerollPackets
    }

    /// The way out from which a member is served.
    func lane(of session: Session) -> RoomOutlet {
        session.savesData && takesDataSaver(true) ? outlet.saver?.outlet ?? outlet : outlet
    }

    /// Notes from which way out a member is served.
    func noteLane(_ lane: RoomOutlet, of session: Session) {
        if lane !== outlet { outlet.saver?.links.insert(session.link.number) }
    }
}
