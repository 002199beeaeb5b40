internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The schedules of all rooms: it sees when an occurrence begins or ends, and has the room play, and its members and
/// followers told.
///
/// One task for all rooms, which looks at the wall clock four times a second at least: a clock that is set is met. Of a room it
/// knows what goes on and what comes next, some 300 bytes; its slots are read again when something of it is due.
///
/// Off the loop.
///
/// Source: Protocol/spec/schedules.md.
actor Scheduler {
    /// What is known of a room's schedule.
    private struct Room {
        var state: RoomSchedule.State
        /// When it is looked at next, ms.
        var due: Int64
        /// Whether it was looked at since its last change of slots, and what goes on was made known.
        var isKnown = false
    }

    private let model: Model
    private let shard: Shard
    private let log: ServerLog
    private let clock: @Sendable () -> Int64
    private var rooms: [RoomID: Room] = [:]
    /// Looks at a room that are under way are given up when a later one begins.
    private var looks: [RoomID: Int] = [:]
    private var lookCount = 0
    /// The first of all times at which a room is due. `nil`: it is to be worked out.
    private var due: Int64?
    private var lookedAt: Int64 = 0

    /// How long it waits at most before it looks at the clock, ms.
    private static let patience: Int64 = 250
    /// After what time a room is looked at again that could not be read, ms.
    private static let retry: Int64 = 1_000
    /// Rooms that are looked at side by side.
    private static let sideBySide = 16
    /// A clock that went back by more has been set, ms.
    private static let jump: Int64 = 2_000

    init(
        _ model: Model, _ shard: Shard, _ log: ServerLog,
        clock: @escaping @Sendable () -> Int64 = { MonotonicClock.wallMilliseconds() }
    ) {
        self.model = model
        self.shard = shard
        self.log = log
        self.clock = clock
    }

    /// Reads all schedules, before any room is woken: a room that plays by its schedule wakes with that.
    func start() async {
        lookedAt = clock()
        await readAll(isSet: false)
        for (id, room) in rooms {
            let (play, hosts) = (ScheduledPlay(room.state.playing), SlotHosts(room.state))
            await shard.perform { core in
                core.schedule(play, in: id)
                core.admit(hosts, to: id)
            }
        }
    }

    /// Looks at the clock until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            let now = clock()
            if now < lookedAt - Self.jump { await readAll(isSet: true) }
            lookedAt = now
            if nextDue <= now {
                await look(at: rooms.compactMap { $0.value.due <= now ? $0.key : nil }, now: now)
            }
            let wait = min(max(nextDue - clock(), 1), Self.patience)
            try? await Task.sleep(for: .milliseconds(wait))
        }
    }

    private var nextDue: Int64 {
        if let due { return due }
        let first = rooms.values.map(\.due).min() ?? .max
        due = first
        return first
    }

    /// How many rooms have slots that are yet to come, or go on.
    var count: Int { rooms.count }

    // MARK: Rooms

    /// Slots of a room were added, changed or removed; that is stored. Takes effect before it returns.
    func changed(_ id: RoomID) async {
        rooms[id]?.isKnown = false
        await look(at: id, now: clock())
    }

    /// - Parameter isSet: The clock was set: what went on may go on no longer, and every room is looked at.
    private func readAll(isSet: Bool) async {
        let now = clock()
        guard let ids = try? await model.roomStorage.schedules.rooms() else {
            log.log(.roomUnreadable, "The schedules can't be read, and begin when a room's slots are changed.")
            return
        }
        for id in ids {
            guard let schedule = try? await model.roomStorage.schedules.schedule(of: id) else { continue }
            let state = schedule.state(at: now)
            // What goes on is written down by the first look.
            rooms[id] = Room(state: state, due: isSet || !state.running.isEmpty ? now : state.change ?? .max)
        }
        due = nil
    }

    /// Looks at several rooms, some side by side: most schedules change on the hour.
    private func look(at ids: [RoomID], now: Int64) async {
        await withTaskGroup(of: Void.self) { group in
            for (place, id) in ids.enumerated() {
                if place >= Self.sideBySide { await group.next() }
                group.addTask { await self.look(at: id, now: now) }
            }
        }
    }

    /// Works out what goes on in a room, and has that done.
    private func look(at id: RoomID, now: Int64) async {
        lookCount += 1
        let look = lookCount
        looks[id] = look
        // A later look has taken over where there is another number.
        defer { if looks[id] == look { looks[id] = nil } }
        let schedule: RoomSchedule
        let stored: RoomStore.StoredRoom?
        do {
            stored = try await model.rooms.room(id)
            schedule = try await model.roomStorage.schedules.schedule(of: id)
        } catch {
            rooms[id]?.due = now + Self.retry
            due = nil
            return
        }
        guard looks[id] == look else { return }
        let isOpen = stored.map { $0.closedMilliseconds == nil } ?? false
        let state = isOpen ? schedule.state(at: now) : .nothing
        let former = rooms[id]
        rooms[id] = state.change.map { Room(state: state, due: $0, isKnown: true) }
        due = nil
        guard former != nil || state.change != nil else { return }
        let begun = state.running.filter {
            !(former?.isKnown ?? false) || !(former?.state.running.contains($0) ?? false)
        }
        for occurrence in begun {
            let isOpening = state.opens(with: occurrence, after: schedule.occurrences(before: occurrence))
            await begin(occurrence, in: id, isOpening: isOpening)
        }
        for occurrence in state.soon {
            if former?.isKnown == true, former?.state.soon.contains(occurrence) == true { continue }
            // A failure is tried again with the next change; what begins is told then.
            try? await model.roomStorage.schedules.tellSoon(occurrence, in: id)
        }
        guard looks[id] == look else { return }
        let isNews = former?.state.event(at: now) != state.event(at: now) || !(former?.isKnown ?? false)
        await tell(id, stored, state, isNews: isNews, now: now)
    }

    private func begin(_ occurrence: RoomSchedule.Occurrence, in id: RoomID, isOpening: Bool) async {
        do {
            let isNew = try await model.roomStorage.schedules.begin(occurrence, in: id, isOpening: isOpening)
            if isNew { await shard.perform { $0.figures.occurrences &+= 1 } }
        } catch {
            // It plays all the same. What was not written is tried again as long as the occurrence lasts.
            rooms[id]?.isKnown = false
            rooms[id]?.due = min(rooms[id]?.due ?? .max, clock() + Self.retry)
            due = nil
        }
    }

    /// Has the room do what goes on, and wakes it for that if there is a playlist to play.
    private func tell(
        _ id: RoomID, _ stored: RoomStore.StoredRoom?, _ state: RoomSchedule.State, isNews: Bool, now: Int64
    ) async {
        let play = ScheduledPlay(state.playing)
        let event = isNews ? state.event(at: now) : nil
        let hosts = SlotHosts(state)
        let isAwake = await shard.perform { core in
            core.admit(hosts, to: id)
            core.schedule(play, in: id)
            if let event { core.rooms[id]?.tell(event, now: MonotonicClock.nowMicroseconds()) }
            return core.rooms[id] != nil
        }
        guard play != nil, !isAwake, let stored, !model.accounts.isBanned(stored.owner.uid),
            let roomState = try? await StoredRoomState(id, model.roomStorage)
        else { return }
        // A failure is ignored: whoever enters wakes the room, and it plays then.
        await shard.perform { core in _ = try? core.home(stored, roomState) }
    }

    // MARK: What comes

    /// The next occurrence of each room that begins before a time, or goes on, the first first.
    func upcoming(before milliseconds: Int64) -> [(room: RoomID, occurrence: SlotOccurrence)] {
        let now = clock()
        return rooms.compactMap { id, room -> (RoomID, RoomSchedule.Occurrence)? in
            let running = room.state.running.last { $0.end > now }
            guard let occurrence = running ?? room.state.next, occurrence.start < milliseconds else { return nil }
            return (id, occurrence)
        }
        .sorted { ($0.1.start, $0.0.rawValue) < ($1.1.start, $1.0.rawValue) }
        .map { ($0.0, $0.1.wire) }
    }
}

/// What a room plays by itself because of its schedule.
struct ScheduledPlay: Sendable, Hashable {
    let playlist: MusicID
    /// When the occurrence began, milliseconds since 1970 UTC.
    let since: Int64

    init?(_ occurrence: RoomSchedule.Occurrence?) {
        guard let occurrence, let playlist = occurrence.playlist else { return nil }
        self.playlist = playlist
        since = occurrence.start
    }
}

extension SlotHosts {
    init(_ state: RoomSchedule.State) {
        let hosted = state.hosted?.dj?.uid
        self.init(host: hosted, welcome: Set(state.soon.compactMap { $0.dj?.uid } + [hosted].compactMap { $0 }))
    }
}

extension ShardCore {
    /// Lets those in who host a room by its schedule, and gives them its seat if they want it.
    func admit(_ hosts: SlotHosts, to room: RoomID) {
        slotHosts[room] = hosts == SlotHosts() ? nil : hosts
        rooms[room]?.admit(hosts)
    }

    /// Has a room play what its schedule says from now on, or when it is woken.
    func schedule(_ play: ScheduledPlay?, in room: RoomID) {
        guard scheduled[room] != play else { return }
        scheduled[room] = play
        rooms[room]?.setScheduled(play, now: MonotonicClock.nowMicroseconds())
    }
}
