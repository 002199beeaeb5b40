import Testing

@testable import SonaCalendar

struct ICalendarTests {
    private func event(
        _ start: String, _ name: String, _ rule: Recurrence.Rule, until: String? = nil, summary: String = "Late night",
        about: String? = nil
    ) -> ICalendarEvent {
        guard let start = CivilTime(start) else { preconditionFailure() }
        return ICalendarEvent(
            uid: "01JDQ6Z3M8R5V2K7X4N9T1B0CF", summary: summary, about: about, url: "https://sona.example/r/abc",
            recurrence: Recurrence(
                start: start, zone: zone(name), seconds: 5_430, rule: rule, until: until.flatMap { CivilDate($0) }),
            changedMilliseconds: utc("2027-01-02T03:04") + 5_000, revision: 2)
    }

    private func text(_ events: ICalendarEvent...) -> String {
        let calendar = ICalendar(
            product: "-//Sona//Test//EN", name: "Ada's room", events, now: utc("2027-01-01T00:00"))
        return String(decoding: calendar.bytes, as: UTF8.self)
    }

    private func lines(_ text: String) -> [String] {
        text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    }

    @Test func `an event has its times in its zone, and its rule`() {
        let lines = lines(text(event("2027-03-25T20:00", "Europe/Warsaw", .weekly([5, 1]), until: "2027-06-30")))
        #expect(lines.first == "BEGIN:VCALENDAR" && lines.last == "END:VCALENDAR")
        for line in [
            "VERSION:2.0", "UID:01JDQ6Z3M8R5V2K7X4N9T1B0CF", "DTSTAMP:20270102T030405Z", "SEQUENCE:2",
            // The first Friday or Monday.
            "DTSTART;TZID=Europe/Warsaw:20270326T200000", "DURATION:PT1H30M30S",
            "RRULE:FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=20270630T215900Z", "SUMMARY:Late night",
            "URL:https://sona.example/r/abc", "TZID:Europe/Warsaw",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    @Test func `the changes of clocks are told one by one`() throws {
        let lines = lines(text(event("2027-03-25T20:00", "Europe/Warsaw", .daily)))
        let spring = try #require(lines.firstIndex(of: "DTSTART:20270328T020000"))
        #expect(
            lines[(spring - 1)...(spring + 3)] == [
                "BEGIN:DAYLIGHT", "DTSTART:20270328T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "END:DAYLIGHT",
            ])
        let autumn = try #require(lines.firstIndex(of: "DTSTART:20271031T030000"))
        #expect(
            lines[(autumn - 1)...(autumn + 2)] == [
                "BEGIN:STANDARD", "DTSTART:20271031T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
            ])
        #expect(lines.count { $0 == "BEGIN:DAYLIGHT" } == 10)
        #expect(lines.count { $0 == "BEGIN:VTIMEZONE" } == 1)
    }

    @Test func `a time in UTC needs no zone`() {
        let lines = lines(text(event("2027-03-25T20:00", "UTC", .once)))
        #expect(lines.contains("DTSTART:20270325T200000Z"))
        #expect(!lines.contains("BEGIN:VTIMEZONE") && !lines.contains { $0.hasPrefix("RRULE") })
    }

    @Test func `texts are escaped, and lines have at most 75 bytes`() {
        let summary = "Jazz; blues, \\ and łódź\nagain " + String(repeating: "ąę ", count: 60)
        let text = text(event("2027-03-25T20:00", "UTC", .once, summary: summary, about: "a\u{7}b\r\nc"))
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(!text.replacing("\r\n", with: "").contains { $0 == "\r" || $0 == "\n" || $0 == "\u{7}" })
        let lines = lines(text)
        #expect(lines.contains { $0.hasPrefix("SUMMARY:Jazz\\; blues\\, \\\\ and łódź\\nagain ąę ąę") })
        #expect(lines.contains("DESCRIPTION:ab\\nc"))
    }

    @Test func `an event that never is stands in no file`() {
        #expect(!text(event("2027-06-02T10:00", "UTC", .weekly([1]), until: "2027-06-06")).contains("VEVENT"))
    }
}
