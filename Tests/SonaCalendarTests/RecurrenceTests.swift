import SonaBase
import Testing

@testable import SonaCalendar

struct RecurrenceTests {
    private func recurrence(
        _ start: String, _ name: String, _ rule: Recurrence.Rule, seconds: Int = 3_600, until: String? = nil
    ) -> Recurrence {
        guard let start = CivilTime(start) else { preconditionFailure() }
        return Recurrence(
            start: start, zone: zone(name), seconds: seconds, rule: rule, until: until.flatMap { CivilDate($0) })
    }

    /// What clocks in UTC show when occurrences begin.
    private func starts(_ recurrence: Recurrence, _ from: String, _ to: String) -> [String] {
        recurrence.occurrences(endingAfter: utc(from), startingBefore: utc(to))
            .map { Zone.utc.time(at: $0.start).description }
    }

    @Test func `every evening at eight, over the change in spring`() {
        let show = recurrence("2027-03-01T20:00", "Europe/Warsaw", .daily)
        #expect(
            starts(show, "2027-03-26T12:00", "2027-03-30T12:00") == [
                "2027-03-26T19:00", "2027-03-27T19:00", "2027-03-28T18:00", "2027-03-29T18:00",
            ])
    }

    @Test func `every night at half past two, which the change leaves out or gives twice`() {
        let spring = recurrence("2027-03-26T02:30", "Europe/Warsaw", .daily)
        #expect(
            starts(spring, "2027-03-26T12:00", "2027-03-29T12:00") == [
                "2027-03-27T01:30", "2027-03-28T01:30", "2027-03-29T00:30",
            ])
        let autumn = recurrence("2027-10-29T02:30", "Europe/Warsaw", .daily)
        #expect(
            starts(autumn, "2027-10-29T12:00", "2027-11-01T12:00") == [
                "2027-10-30T00:30", "2027-10-31T00:30", "2027-11-01T01:30",
            ])
        let howe = recurrence("2027-10-01T02:15", "Australia/Lord_Howe", .daily)
        #expect(
            starts(howe, "2027-10-01T00:00", "2027-10-04T00:00") == [
                "2027-10-01T15:45", "2027-10-02T15:45", "2027-10-03T15:15",
            ])
    }

    @Test func `on some days of the week, from the first of them`() {
        let show = recurrence("2027-03-25T20:00", "America/New_York", .weekly([1, 5]))
        #expect(show.firstDate?.description == "2027-03-26")
        #expect(
            starts(show, "2027-03-20T00:00", "2027-04-03T00:00") == [
                "2027-03-27T00:00", "2027-03-30T00:00",
            ])
        #expect(starts(show, "2027-03-20T00:00", "2027-04-03T00:01").count == 3)
    }

    @Test func `an occurrence lasts as long as is said, whatever clocks do meanwhile`() throws {
        let night = recurrence("2027-03-27T22:00", "Europe/Warsaw", .once, seconds: 8 * 3_600)
        let found = night.occurrences(endingAfter: 0, startingBefore: utc("2030-01-01T00:00"))
        #expect(found.map(\.end) == [utc("2027-03-28T05:00")])
        #expect(zone("Europe/Warsaw").time(at: try #require(found.first).end).description == "2027-03-28T07:00")
    }

    @Test func `what goes on is found until it ends`() {
        let show = recurrence("2027-06-01T10:00", "UTC", .once)
        #expect(starts(show, "2027-06-01T10:59", "2027-06-01T11:00").count == 1)
        #expect(starts(show, "2027-06-01T11:00", "2027-06-02T11:00").isEmpty)
        #expect(starts(show, "2027-05-01T11:00", "2027-06-01T10:00").isEmpty)
        #expect(starts(show, "2027-05-01T11:00", "2027-06-01T10:01").count == 1)
    }

    @Test func `the last day is the last`() {
        let show = recurrence("2027-06-01T23:30", "America/New_York", .daily, until: "2027-06-03")
        #expect(
            starts(show, "2027-01-01T00:00", "2028-01-01T00:00") == [
                "2027-06-02T03:30", "2027-06-03T03:30", "2027-06-04T03:30",
            ])
        #expect(show.next(after: utc("2027-06-03T03:30"))?.start == utc("2027-06-04T03:30"))
        #expect(show.next(after: utc("2027-06-04T03:30")) == nil)
        #expect(recurrence("2027-06-02T10:00", "UTC", .weekly([1]), until: "2027-06-06").firstDate == nil)
    }

    @Test func `the next is found years before and week after week`() {
        let show = recurrence("2031-12-31T20:00", "Europe/Warsaw", .weekly([3]))
        #expect(show.next(after: 0)?.start == utc("2031-12-31T19:00"))
        #expect(show.next(after: utc("2031-12-31T19:00"))?.start == utc("2032-01-07T19:00"))
        #expect(recurrence("2027-01-01T00:00", "UTC", .once).next(after: utc("2027-01-01T00:00")) == nil)
    }

    @Test func `a day that a zone leaves out gives no occurrence of its own`() {
        // Samoa went from the 29th to the 31st.
        let show = recurrence("2011-12-28T12:00", "Pacific/Apia", .daily)
        let found = show.occurrences(
            endingAfter: utc("2011-12-28T00:00"), startingBefore: utc("2012-01-02T00:00"))
        #expect(Set(found.map(\.start)).count == found.count)
        #expect(found.count == 5)
    }

    @Test func `no more than are asked for`() {
        let show = recurrence("2027-06-01T10:00", "UTC", .daily)
        let found = show.occurrences(
            endingAfter: utc("2027-06-05T00:00"), startingBefore: utc("2028-06-01T00:00"), countMax: 3)
        #expect(found.map(\.start) == [5, 6, 7].map { utc("2027-06-0\($0)T10:00") })
    }

    @Test func `each occurrence begins when clocks show the time, in every zone and year`() {
        var dice = SeededGenerator(seed: 2_027)
        let names = [
            "Europe/Warsaw", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Africa/Casablanca", "UTC",
        ]
        for _ in 0..<400 {
            let zone = zone(names.randomElement(using: &dice)!)
            let date = CivilDate(daysSince1970: .random(in: 18_000...24_000, using: &dice))
            let start = CivilTime(
                date, hour: .random(in: 0...23, using: &dice), minute: .random(in: 0...59, using: &dice))!
            let show = Recurrence(start: start, zone: zone, seconds: 60, rule: .daily)
            let from = zone.instant(of: start)
            let found = show.occurrences(endingAfter: from, startingBefore: from + 30 * 86_400_000)
            for one in found {
                let shown = zone.time(at: one.start)
                // Only a time that is left out is shown later.
                guard shown != start.on(shown.date) else { continue }
                guard zone.instant(of: shown) == one.start, shown > start.on(shown.date),
                    zone.offset(at: one.start - 7_200_000) < zone.offset(at: one.start)
                else {
                    Issue.record("\(zone.name): \(start) begins at \(shown).")
                    return
                }
            }
            #expect(found.count >= 29)
        }
    }
}
