/// Something that begins at a time of day in a zone, lasts for a while, and may come again.
///
/// ```swift
/// let show = Recurrence(
///     start: CivilTime("2027-03-26T20:00")!, zone: .named("Europe/Warsaw")!, seconds: 7_200,
///     rule: .weekly([5, 6]), until: nil)
/// show.occurrences(endingAfter: now, startingBefore: now + 8 * 86_400_000, countMax: 50)
/// ```
///
/// Each occurrence begins when the clocks of the zone show the time, by the rules of `Zone.instant`, and lasts as many
/// seconds as are said, also over a change of clocks. A value; a question costs some microseconds for each day asked for.
public struct Recurrence: Sendable {
    public enum Rule: Sendable, Hashable {
        case once
        case daily
        /// On these days, 1 for Monday to 7 for Sunday. At least one.
        case weekly(Set<Int>)
    }

    /// When the first begins; by the rule it may be some days later.
    public let start: CivilTime
    public let zone: Zone
    /// How long each lasts, at least 1.
    public let seconds: Int
    public let rule: Rule
    /// The last day on which one may begin. `nil`: it does not end.
    public let until: CivilDate?

    public init(start: CivilTime, zone: Zone, seconds: Int, rule: Rule = .once, until: CivilDate? = nil) {
        precondition(seconds >= 1, "An occurrence lasts a second at least.")
        self.start = start
        self.zone = zone
        self.seconds = seconds
        self.rule = rule
        self.until = until
    }

    /// One time that it happens, milliseconds since 1970 UTC.
    public struct Occurrence: Hashable, Sendable {
        public let start: Int64
        /// The first millisecond after it.
        public let end: Int64
    }

    /// The occurrences that are not over at one time and have begun before another, the first first.
    ///
    /// - Parameters:
    ///   - from: Milliseconds since 1970, UTC, like `to`.
    ///   - countMax: At most so many.
    public func occurrences(
        endingAfter from: Int64, startingBefore to: Int64, countMax: Int = .max
    ) -> [Occurrence] {
        var found: [Occurrence] = []
        let length = Int64(seconds) * 1_000
        guard from < to else { return [] }
        // A day more to each side, since clocks differ by up to a day, and are moved.
        let first = max(start.date.daysSince1970, zone.time(at: from - length).date.daysSince1970 - 1)
        var last = zone.time(at: to).date.daysSince1970 + 1
        if let until { last = min(last, until.daysSince1970) }
        if rule == .once { last = min(last, start.date.daysSince1970) }
        guard first <= last else { return [] }
        for day in first...last where found.count < countMax {
            let date = CivilDate(daysSince1970: day)
            guard falls(on: date) else { continue }
            let begin = zone.instant(of: start.on(date))
            // A day that a zone leaves out gives the occurrence of the day after it.
            guard begin < to, begin + length > from, found.last?.start != begin else { continue }
            found.append(Occurrence(start: begin, end: begin + length))
        }
        return found
    }

    /// The first occurrence that begins after a time; it may be years away.
    public func next(after milliseconds: Int64) -> Occurrence? {
        // Some day of a week is one, unless the first is yet to come.
        let from = max(milliseconds, zone.instant(of: start) - 1)
        return occurrences(endingAfter: from, startingBefore: from + 9 * 86_400_000)
            .first { $0.start > milliseconds }
    }

    /// The day of the first occurrence. `nil` if the rule ends before its first day.
    public var firstDate: CivilDate? {
        (0..<7).lazy.map { start.date.adding(days: $0) }.first { falls(on: $0) && $0 <= until ?? $0 }
    }

    private func falls(on date: CivilDate) -> Bool {
        switch rule {
        case .once: date == start.date
        case .daily: true
        case .weekly(let weekdays): weekdays.contains(date.weekday)
        }
    }
}
