internal import SonaDatabase
package import SonaWire

/// Who hosts slots: they are asked, they answer, and are told when it begins.
///
/// Source: Protocol/spec/schedules.md, "DJs".
extension ScheduleStore {
    /// Writes, and tells what was posted once that is committed.
    func telling<Value: Sendable>(
        _ body: @Sendable @escaping (inout WriteAccess) throws -> (Value, [PostedNotification])
    ) async throws(Refusal) -> Value {
        let (value, posted) = try await dao.write { db in try body(&db) }
        notifications.tell(posted)
        return value
    }

    /// Names who is to host a slot. An answer holds as long as the slot is at the same times; whoever names themselves has
    /// accepted.
    ///
    /// - Throws: `userUnknown`, also if that user has blocked the actor, or waits for approval.
    func ask(
        _ reference: UserReference?, for record: inout SlotRecord, of former: SlotRecord?, by actor: UserID,
        in db: inout WriteAccess
    ) throws -> [PostedNotification] {
        guard let reference else { return [] }
        let dj = try RoomTransferStore.receiver(reference, in: &db)
        guard try !db.exists(BlockRecord.self, key: UserPair(dj.uid, actor)) else { throw Refusal.userUnknown }
        record.dj = dj.uid
        if let former, former.dj == dj.uid, former.isAsOften(as: record) {
            record.djState = former.djState
            return []
        }
        record.djState = dj.uid == actor ? .accepted : .asked
        guard dj.uid != actor, let room = try db.first(RoomRecord.self, key: record.room) else { return [] }
        var new = NewNotification(.djAsked, from: actor, key: "dj:\(record.id.rawValue):\(record.revision)")
        new.room = room.id
        new.title = record.title ?? room.settings.title
        return [try notifications.post(new, to: dj.uid, in: &db)].compactMap(\.self)
    }

    /// Accepts or declines to host a slot.
    ///
    /// - Returns: The slot, and the room that it is of.
    /// - Throws: `scheduleNotFound` if the account is not the one that was asked, or the room is closed; `busy`, `storage`.
    package func answer(
        _ id: SlotID, accepts: Bool, by uid: UserID
    ) async throws(Refusal) -> (slot: Slot, room: RoomID) {
        let now = clock.nowMilliseconds()
        return try await telling { db in
            guard var record = try db.first(SlotRecord.self, key: id), record.dj == uid,
                let room = try db.first(RoomRecord.self, key: record.room), room.closedMilliseconds == nil
            else { throw Refusal(.scheduleNotFound) }
            let state: SlotDJState = accepts ? .accepted : .declined
            var posted: [PostedNotification] = []
            if record.djState != state {
                record.djState = state
                record.changedMilliseconds = now
                record.revision += 1
                _ = try db.update(record)
                var new = NewNotification(.djAnswered, from: uid)
                new.room = room.id
                new.title = record.title ?? room.settings.title
                new.result = state.rawValue
                posted = [try notifications.post(new, to: room.owner, in: &db)].compactMap(\.self)
            }
            return ((record.slot(try Self.people([record], in: &db)), room.id), posted)
        }
    }

    /// The slots that an account hosts or is asked to, in open rooms; those that come first, first.
    ///
    /// - Throws: `busy`, `storage`.
    package func duties(of uid: UserID) async throws(Refusal) -> [SlotDuty] {
        let now = clock.nowMilliseconds()
        return try await dao.read { db in
            let records = try db.all(
                SlotRecord.self,
                """
                WHERE dj_uid = \(uid) AND EXISTS (SELECT 1 FROM rooms r WHERE r.id = room_id AND r.closed_ms IS NULL)
                ORDER BY id DESC LIMIT \(Limits.dutiesMax)
                """)
            let people = try Self.people(records, in: &db)
            let duties = try records.compactMap { record -> SlotDuty? in
                guard let room = try db.first(RoomRecord.self, key: record.room) else { return nil }
                var slot = record.slot(people)
                slot.playlist = nil
                let schedule = RoomSchedule([record], people)
                let state = schedule.state(at: now)
                return SlotDuty(
                    room: room.id, title: room.settings.title, slot: slot, next: (state.now ?? state.next)?.wire)
            }
            return duties.sorted {
                ($0.next?.startMilliseconds ?? .max, $0.slot.id.rawValue)
                    < ($1.next?.startMilliseconds ?? .max, $1.slot.id.rawValue)
            }
        }
    }

    /// Tells a DJ once that their slot begins soon.
    ///
    /// - Throws: `busy`, `storage`.
    package func tellSoon(_ occurrence: RoomSchedule.Occurrence, in room: RoomID) async throws(Refusal) {
        guard let dj = occurrence.dj else { return }
        try await telling { db in
            guard let record = try db.first(RoomRecord.self, key: room), record.closedMilliseconds == nil else {
                return ((), [])
            }
            return ((), try tell(.djSoon, occurrence, dj.uid, of: record, in: &db))
        }
    }

    func tell(
        _ kind: NotificationKind, _ occurrence: RoomSchedule.Occurrence, _ dj: UserID, of room: RoomRecord,
        in db: inout WriteAccess
    ) throws -> [PostedNotification] {
        var new = NewNotification(kind, key: "\(kind.rawValue):\(occurrence.slot.rawValue):\(occurrence.start)")
        new.room = room.id
        new.title = occurrence.title ?? room.settings.title
        return [try notifications.post(new, to: dj, in: &db)].compactMap(\.self)
    }

    /// The slots that an account hosts or is asked to, for its export, by room.
    static func duties(
        of uid: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [(room: RoomID, slot: Slot)] {
        let records = try db.all(SlotRecord.self, "WHERE dj_uid = \(uid) ORDER BY id")
        let people = try people(records, in: &db)
        return records.map { record in
            var slot = record.slot(people)
            slot.playlist = nil
            return (record.room, slot)
        }
    }
}
