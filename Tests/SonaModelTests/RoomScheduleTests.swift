import SonaCalendar
import SonaWire
import Testing

@testable import SonaModel

/// What goes on in a room by its slots, and what comes.
struct RoomScheduleTests {
    private func utc(_ text: String) -> Int64 {
        guard let time = CivilTime(text) else { preconditionFailure() }
        return Zone.utc.instant(of: time)
    }

    /// Slots with identifiers in their order.
    private func schedule(_ slots: (title: String, start: String, minutes: Int, playlist: Bool)...) -> RoomSchedule {
        RoomSchedule(
            slots.enumerated().map { place, slot in
                SlotRecord(
                    SlotID("01JDQ6Z3M8R5V2K7X4N9T1B0C\(place)")!, in: RoomFixture.noRoom(),
                    SlotSettings(
                        title: slot.title, start: slot.start, durationSeconds: slot.minutes * 60,
                        playlist: slot.playlist ? MusicID("01JDQ70A2B4C6D8E0F1G3H5J7K") : nil),
                    zone: "UTC", revision: 0, now: 0)
            })
    }

    @Test func `of slots that overlap the one that began last counts`() {
        let day = schedule(
            ("Day", "2027-06-01T08:00", 600, true), ("Lunch", "2027-06-01T12:00", 60, true),
            ("Talk", "2027-06-01T12:30", 60, false))
        func now(_ time: String) -> (String?, String?) {
            let state = day.state(at: utc(time))
            return (state.now?.title, state.playing?.title)
        }
        #expect(now("2027-06-01T07:59") == (nil, nil))
        #expect(now("2027-06-01T08:00") == ("Day", "Day"))
        #expect(now("2027-06-01T12:00") == ("Lunch", "Lunch"))
        // A slot without a playlist leaves the one below it.
        #expect(now("2027-06-01T12:30") == ("Talk", "Lunch"))
        #expect(now("2027-06-01T13:00") == ("Talk", "Day"))
        #expect(now("2027-06-01T13:30") == ("Day", "Day"))
        #expect(now("2027-06-01T18:00") == (nil, nil))
    }

    @Test func `of two that begin together the later slot counts`() {
        let two = schedule(("One", "2027-06-01T08:00", 60, true), ("Two", "2027-06-01T08:00", 60, true))
        #expect(two.state(at: utc("2027-06-01T08:30")).now?.title == "Two")
    }

    @Test func `what is due next is the first beginning or end`() {
        let two = schedule(("One", "2027-06-01T08:00", 60, true), ("Two", "2027-06-01T08:30", 60, true))
        func change(_ time: String) -> Int64? { two.state(at: utc(time)).change }
        #expect(change("2027-01-01T00:00") == utc("2027-06-01T08:00"))
        #expect(change("2027-06-01T08:00") == utc("2027-06-01T08:30"))
        #expect(change("2027-06-01T08:30") == utc("2027-06-01T09:00"))
        #expect(change("2027-06-01T09:00") == utc("2027-06-01T09:30"))
        #expect(change("2027-06-01T09:30") == nil)
    }

    @Test func `a room opens with what nothing went on before`() {
        let day = schedule(
            ("One", "2027-06-01T08:00", 60, true), ("Two", "2027-06-01T09:00", 60, true),
            ("Three", "2027-06-01T10:01", 60, true), ("Four", "2027-06-01T10:01", 60, true))
        let opening = ["2027-06-01T08:00", "2027-06-01T09:00", "2027-06-01T10:01"].flatMap { time in
            let state = day.state(at: utc(time))
            return state.running.filter { state.opens(with: $0, after: day.occurrences(before: $0)) }
        }
        #expect(opening.map(\.title) == ["One", "Four"])
    }

    @Test func `members are told what begins within eight days`() {
        let one = schedule(("One", "2027-06-10T08:00", 60, true))
        func next(_ time: String) -> String? { one.state(at: utc(time)).event(at: utc(time)).next?.title }
        #expect(next("2027-06-02T08:00") == nil)
        #expect(next("2027-06-02T08:01") == "One")
    }

    @Test(arguments: [
        ("2027-02-30T10:00", nil, "data.start"), ("2027-02-20T25:00", nil, "data.start"),
        ("2027-02-20T10:00", "2027-02-30", "data.repeat.until"),
        ("2027-02-20T10:00", "2027-02-19", "data.repeat.until"),
    ])
    func `days that there are not are refused`(start: String, until: String?, field: String) {
        let slot = Slot(
            id: SlotID("01JDQ6Z3M8R5V2K7X4N9T1B0C1")!, start: start, zone: "UTC", durationSeconds: 60,
            rule: SlotRepeat(every: .day, until: until))
        let error = #expect(throws: Refusal.self) { try Recurrence(slot) }
        #expect(error?.code == .requestInvalid && error?.field == field)
    }
}
