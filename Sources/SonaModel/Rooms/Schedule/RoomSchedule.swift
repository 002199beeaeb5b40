package import SonaCalendar
package import SonaWire

/// The slots of a room and when they are: what goes on at a time, and what comes.
///
/// A value. A question costs some microseconds for each slot and day.
///
/// Source: Protocol/spec/schedules.md, "Slots that overlap".
package struct RoomSchedule: Sendable {
    /// A slot, by its rule. Slots that cannot be read, of a zone that is in the database no longer, are left out.
    package struct Entry: Sendable {
        package let slot: Slot
        package let recurrence: Recurrence
        package let changedMilliseconds: Int64
        package let revision: Int64
    }

    package let entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    /// - Parameter people: Accounts that may host them.
    init(_ records: [SlotRecord], _ people: [UserID: User] = [:]) {
        entries = records.compactMap { record in
            let slot = record.slot(people)
            guard let recurrence = try? Recurrence(slot) else { return nil }
            return Entry(
                slot: slot, recurrence: recurrence, changedMilliseconds: record.changedMilliseconds,
                revision: record.revision)
        }
    }

    /// One time that a slot is.
    package struct Occurrence: Sendable, Hashable {
        package let slot: SlotID
        package let title: String?
        package let playlist: MusicID?
        /// Milliseconds since 1970, UTC.
        package let start: Int64
        package let end: Int64
        /// Who hosts it, and has accepted that.
        package let dj: User?

        package var wire: SlotOccurrence {
            SlotOccurrence(slot: slot, title: title, startMilliseconds: start, endMilliseconds: end, dj: dj)
        }

        init(_ entry: Entry, _ occurrence: Recurrence.Occurrence) {
            slot = entry.slot.id
            title = entry.slot.title
            playlist = entry.slot.playlist
            dj = entry.slot.dj.flatMap { $0.state == .accepted ? $0.user : nil }
            start = occurrence.start
            end = occurrence.end
        }

        /// By their beginning; of those that begin together the older slot first.
        static func isBefore(_ one: Self, _ other: Self) -> Bool {
            (one.start, one.slot.rawValue) < (other.start, other.slot.rawValue)
        }
    }

    /// What goes on at a time and what comes until another, the first first.
    ///
    /// - Parameters:
    ///   - now: Milliseconds since 1970, UTC, like `to`.
    ///   - countMax: At most so many.
    package func occurrences(at now: Int64, until to: Int64, countMax: Int = .max) -> [Occurrence] {
        let all = entries.flatMap { entry in
            entry.recurrence.occurrences(endingAfter: now, startingBefore: to, countMax: countMax)
                .map { Occurrence(entry, $0) }
        }
        return Array(all.sorted(by: Occurrence.isBefore).prefix(countMax))
    }

    /// The state of a room by its schedule.
    package struct State: Sendable, Hashable {
        /// All that goes on, the one that began last at the end.
        package var running: [Occurrence] = []
        /// What begins next; it may be years away.
        package var next: Occurrence?
        /// Those with a DJ that begin within ten minutes.
        package var soon: [Occurrence] = []
        /// When the next one is among these, ms.
        package var notice: Int64?

        /// Of a room that has no schedule.
        package static let nothing = State()

        /// The one that counts: the one that began last.
        package var now: Occurrence? { running.last }
        /// The one whose playlist is played: of those that have one, the one that began last.
        package var playing: Occurrence? { running.last { $0.playlist != nil } }
        /// The one whose DJ may take the seat: of those that have one, the one that began last.
        package var hosted: Occurrence? { running.last { $0.dj != nil } }
        /// When something begins or ends, or a DJ is to be told that it begins soon, ms. `nil`: never.
        package var change: Int64? { (running.map(\.end) + [next?.start, notice].compactMap { $0 }).min() }

        /// What members are told.
        package func event(at milliseconds: Int64) -> ScheduleChanged {
            let isSoon = next.map { $0.start < milliseconds + Limits.occurrencesAheadMilliseconds } ?? false
            return ScheduleChanged(now: now?.wire, next: isSoon ? next?.wire : nil)
        }

        /// Whether a room that was closed opens with an occurrence: none was going on until then, and of several that begin
        /// together it is the one that counts.
        package func opens(with occurrence: Occurrence, after earlier: [Occurrence]) -> Bool {
            running.last { $0.start == occurrence.start } == occurrence && earlier.isEmpty
        }
    }

    package func state(at now: Int64) -> State {
        let running = occurrences(at: now, until: now + 1)
        let next = entries.compactMap { entry in
            entry.recurrence.next(after: now).map { Occurrence(entry, $0) }
        }.min(by: Occurrence.isBefore)
        let hosted = RoomSchedule(entries.filter { $0.slot.dj?.state == .accepted })
        let horizon = now + Limits.djNoticeMilliseconds
        let soon =
            hosted.entries.isEmpty ? [] : hosted.occurrences(at: now, until: horizon + 1).filter { $0.start > now }
        let later = hosted.entries.compactMap { $0.recurrence.next(after: horizon)?.start }.min()
        return State(running: running, next: next, soon: soon, notice: later.map { $0 - Limits.djNoticeMilliseconds })
    }

    /// What went on just before an occurrence began, and up to then.
    package func occurrences(before occurrence: Occurrence) -> [Occurrence] {
        // They end at the beginning or later, and begin before it.
        occurrences(at: occurrence.start - 1, until: occurrence.start)
    }
}

extension Recurrence {
    /// - Throws: `scheduleZoneUnknown`; `invalid`, with the field, for a day that there is not, and for a rule that no day
    ///   follows.
    init(_ slot: Slot) throws(Refusal) {
        guard let start = CivilTime(slot.start) else {
            throw Refusal(.requestInvalid, "There is no such time.", field: "data.start")
        }
        guard let zone = Zone.named(slot.zone) else { throw Refusal(.scheduleZoneUnknown, field: "data.zone") }
        var until: CivilDate?
        if let text = slot.rule?.until {
            until = CivilDate(text)
            guard until != nil else {
                throw Refusal(.requestInvalid, "There is no such day.", field: "data.repeat.until")
            }
        }
        let rule: Recurrence.Rule =
            switch slot.rule?.every {
            case .day: .daily
            case .week: .weekly(Set(slot.rule?.weekdays?.map(Int.init) ?? [start.date.weekday]))
            case nil: .once
            }
        self.init(start: start, zone: zone, seconds: slot.durationSeconds, rule: rule, until: until)
        guard firstDate != nil else {
            throw Refusal(.requestInvalid, "The rule ends before its first day.", field: "data.repeat.until")
        }
    }
}
