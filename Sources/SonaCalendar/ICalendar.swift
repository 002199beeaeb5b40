/// Something that happens, for programs that keep calendars.
public struct ICalendarEvent: Sendable {
    /// The same for ever, and different in the whole world.
    public var uid: String
    public var summary: String
    public var about: String?
    public var url: String?
    public var recurrence: Recurrence
    /// When it was changed last, milliseconds since 1970 UTC.
    public var changedMilliseconds: Int64
    /// How often its times were changed.
    public var revision: Int64

    public init(
        uid: String, summary: String, about: String? = nil, url: String? = nil, recurrence: Recurrence,
        changedMilliseconds: Int64, revision: Int64 = 0
    ) {
        self.uid = uid
        self.summary = summary
        self.about = about
        self.url = url
        self.recurrence = recurrence
        self.changedMilliseconds = changedMilliseconds
        self.revision = revision
    }
}

/// A file of events that programs for calendars read: `text/calendar`.
///
/// Times are told in their zones, so that they come at the same hour of the day all year. The changes of clocks stand in
/// the file one by one, as far as `yearsToCome`; by then it has been fetched again.
///
/// Source: RFC 5545; RFC 7986, section 5, for the name.
public struct ICalendar: Sendable {
    private var lines: [UInt8] = []

    /// For how long changes of clocks are told.
    static let yearsToCome = 10
    /// Bytes of a line, without its end. RFC 5545, section 3.1.
    static let lineBytesMax = 75

    /// - Parameters:
    ///   - product: Names the program that makes it, such as `-//Sona//Sona 1.0//EN`.
    ///   - name: What the calendar is called.
    ///   - now: Milliseconds since 1970, UTC.
    public init(product: String, name: String, _ events: [ICalendarEvent], now: Int64) {
        put("BEGIN", "VCALENDAR")
        put("VERSION", "2.0")
        put("PRODID", Self.escaped(product))
        put("CALSCALE", "GREGORIAN")
        put("NAME", Self.escaped(name))
        // Older programs do not know NAME. They read this property instead.
        put("X-WR-CALNAME", Self.escaped(name))
        put("REFRESH-INTERVAL;VALUE=DURATION", "PT1H")
        var zones: [String: Int64] = [:]
        for event in events where event.recurrence.zone !== Zone.utc {
            let zone = event.recurrence.zone
            let begin = zone.instant(of: event.recurrence.start)
            zones[zone.name] = min(zones[zone.name] ?? begin, begin)
        }
        for (name, begin) in zones.sorted(by: { $0.key < $1.key }) {
            if let zone = Zone.named(name) { put(zone, from: begin, now: now) }
        }
        for event in events { put(event) }
        put("END", "VCALENDAR")
    }

    /// The file.
    public var bytes: [UInt8] { lines }

    // MARK: Zones

    private mutating func put(_ zone: Zone, from begin: Int64, now: Int64) {
        put("BEGIN", "VTIMEZONE")
        put("TZID", zone.name)
        let end = max(begin, now) + Int64(Self.yearsToCome) * 365 * 86_400_000
        // The offset at the first event is written as if it had begun on an earlier day: readers need one before the event.
        let first = begin - 86_400_000
        put(zone, since: first, from: zone.offset(at: first))
        var at = first
        while let change = zone.change(after: at), change < end {
            put(zone, since: change, from: zone.offset(at: change - 1))
            at = change
        }
        put("END", "VTIMEZONE")
    }

    /// One way in which clocks of a zone are set, from a change on.
    private mutating func put(_ zone: Zone, since change: Int64, from before: Int64) {
        let kind = zone.isSummer(at: change) ? "DAYLIGHT" : "STANDARD"
        put("BEGIN", kind)
        // In the time that clocks showed before it.
        put("DTSTART", Self.stamp(change + before))
        put("TZOFFSETFROM", Self.offset(before))
        put("TZOFFSETTO", Self.offset(zone.offset(at: change)))
        put("END", kind)
    }

    /// `+0100`, with seconds if there are any. RFC 5545, section 3.3.14.
    private static func offset(_ milliseconds: Int64) -> String {
        let seconds = Int(abs(milliseconds) / 1_000)
        let text = CivilDate.two(seconds / 3_600) + CivilDate.two(seconds / 60 % 60)
        return (milliseconds < 0 ? "-" : "+") + text + (seconds % 60 == 0 ? "" : CivilDate.two(seconds % 60))
    }

    // MARK: Events

    private mutating func put(_ event: ICalendarEvent) {
        let recurrence = event.recurrence
        guard let date = recurrence.firstDate else { return }
        let start = recurrence.start.on(date)
        put("BEGIN", "VEVENT")
        put("UID", Self.escaped(event.uid))
        put("DTSTAMP", Self.stamp(event.changedMilliseconds) + "Z")
        put("LAST-MODIFIED", Self.stamp(event.changedMilliseconds) + "Z")
        if event.revision > 0 { put("SEQUENCE", "\(event.revision)") }
        let (parameter, mark) = recurrence.zone === Zone.utc ? ("", "Z") : (";TZID=\(recurrence.zone.name)", "")
        put("DTSTART" + parameter, Self.digits(start) + "00" + mark)
        put("DURATION", Self.duration(recurrence.seconds))
        if let rule = Self.rule(recurrence) { put("RRULE", rule) }
        put("SUMMARY", Self.escaped(event.summary))
        if let about = event.about { put("DESCRIPTION", Self.escaped(about)) }
        if let url = event.url { put("URL", url) }
        put("END", "VEVENT")
    }

    private static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    private static func rule(_ recurrence: Recurrence) -> String? {
        var rule: String
        switch recurrence.rule {
        case .once: return nil
        case .daily: rule = "FREQ=DAILY"
        case .weekly(let days):
            rule = "FREQ=WEEKLY;BYDAY=" + days.sorted().map { weekdays[$0 - 1] }.joined(separator: ",")
        }
        guard let until = recurrence.until else { return rule }
        // In UTC, as the start has a zone. RFC 5545, section 3.3.10.
        let last = recurrence.zone.instant(of: CivilTime(unchecked: until, 23, 59))
        rule += ";UNTIL=" + stamp(last) + "Z"
        return rule
    }

    /// RFC 5545, section 3.3.6. Hours and not days: a day may have 23 of them.
    private static func duration(_ seconds: Int) -> String {
        let parts = [(seconds / 3_600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
        return "PT" + parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    }

    private static func digits(_ time: CivilTime) -> String {
        "\(time)".filter { $0 != "-" && $0 != ":" }
    }

    private static func stamp(_ milliseconds: Int64) -> String {
        digits(Zone.utc.time(at: milliseconds)) + CivilDate.two(Int(max(0, milliseconds) / 1_000 % 60))
    }

    // MARK: Lines

    /// RFC 5545, section 3.3.11. Characters that end a line or that no text may have are left out.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\" + String(scalar)
            case "\n": escaped += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Adds a line, in pieces of 75 bytes of whole characters.
    private mutating func put(_ name: String, _ value: String) {
        var count = 0
        for character in (name + ":" + value).unicodeScalars {
            let bytes = Array(String(character).utf8)
            if count + bytes.count > Self.lineBytesMax {
                lines += Array("\r\n ".utf8)
                count = 1
            }
            lines += bytes
            count += bytes.count
        }
        lines += Array("\r\n".utf8)
    }
}
