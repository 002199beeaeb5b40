internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `schedule.*`: when rooms open.
struct ScheduleMethods: MethodArea {
    let access: RoomAccess
    let library: Library
    let directory: RoomDirectoryService
    let scheduler: Scheduler

    private var store: ScheduleStore { access.model.roomStorage.schedules }

    static func area(of methods: Methods) -> ScheduleMethods { methods.schedules }

    static var methods: [Method] {
        [
            signedIn(get), signedIn(add), signedIn(update), signedIn(remove), signedIn(upcoming), signedIn(answer),
            signedIn(duties),
        ]
    }

    func get(_ request: ScheduleGet, _ asker: Asker) async throws -> Schedule {
        let room = try await access.reach(request.room, asker, needsEntry: false)
        let user = asker.user
        let mayControl = try await room.onLoop { $0.room.capabilities(of: user).contains(.control) }
        let (schedule, now) = (try await store.schedule(of: room.id), MonotonicClock.wallMilliseconds())
        let occurrences = schedule.occurrences(
            at: now, until: now + Limits.occurrencesAheadMilliseconds, countMax: Limits.occurrencesMax)
        let slots = schedule.entries.map { entry in
            var slot = entry.slot
            if !mayControl {
                slot.playlist = nil
                // Who has not accepted yet is no matter of others.
                if let dj = slot.dj, dj.state != .accepted, dj.user.uid != user.uid { slot.dj = nil }
            }
            return slot
        }
        return Schedule(zone: store.zone, slots: slots, occurrences: occurrences.map(\.wire))
    }

    func add(_ request: ScheduleAdd, _ asker: Asker) async throws -> SlotResult {
        let room = try await access.reach(request.room, asker, with: .control)
        let settings = try await checked(request.settings, room)
        let slot = try await store.add(settings, to: room.id, by: asker.uid)
        await scheduler.changed(room.id)
        return SlotResult(slot: slot)
    }

    func update(_ request: ScheduleUpdate, _ asker: Asker) async throws -> SlotResult {
        let room = try await access.reach(request.room, asker, with: .control)
        let settings = try await checked(request.settings, room)
        let slot = try await store.update(request.slot, settings, in: room.id, by: asker.uid)
        await scheduler.changed(room.id)
        return SlotResult(slot: slot)
    }

    /// The title as it may be shown, and a playlist that the room's owner sees.
    private func checked(_ settings: SlotSettings, _ room: ReachedRoom) async throws -> SlotSettings {
        var (settings, texts) = (settings, FilteredTexts(access.model.words))
        settings.title = try texts.take(ifPresent: settings.title, "data.title")
        if let playlist = settings.playlist {
            let owner = try await room.onLoop { $0.room.owner.uid }
            try await library.rooms.requirePlaylist(playlist, for: owner)
        }
        if let title = settings.title {
            await access.model.reports.flag(texts.flagged, title, about: .room(room.id), by: room.asker.uid)
        }
        return settings
    }

    func remove(_ request: ScheduleRemove, _ asker: Asker) async throws -> Empty {
        let room = try await access.reach(request.room, asker, with: .control)
        try await store.remove(request.slot, from: room.id, by: asker.uid)
        await scheduler.changed(room.id)
        return Empty()
    }

    func upcoming(_ request: ScheduleUpcoming, _ asker: Asker) async throws -> UpcomingRooms {
        let now = MonotonicClock.wallMilliseconds()
        let all = await scheduler.upcoming(before: now + Limits.occurrencesAheadMilliseconds)
        let rooms = try await directory.publicRooms(all.map(\.room), request.scope, asker.account)
        let found = all.lazy.compactMap { entry in
            rooms[entry.room].map { UpcomingRoom(room: $0, occurrence: entry.occurrence) }
        }
        return UpcomingRooms(rooms: Array(found.prefix(request.limit)))
    }

    func answer(_ request: ScheduleAnswer, _ asker: Asker) async throws -> SlotResult {
        var (slot, room) = try await store.answer(request.slot, accepts: request.accepts, by: asker.uid)
        await scheduler.changed(room)
        slot.playlist = nil
        return SlotResult(slot: slot)
    }

    func duties(_ request: ScheduleDuties, _ asker: Asker) async throws -> SlotDuties {
        SlotDuties(duties: try await store.duties(of: asker.uid))
    }
}
