/// A day of the Gregorian calendar, wherever that is: `2026-12-01`.
public struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 1970 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// - Returns: `nil` if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(of: month, in: year)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// - Returns: `nil` unless `text` is `YYYY-MM-DD` and there is such a day.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The day so many days after 1970-01-01.
    ///
    /// - Parameter days: 0 to 2 932 896, which is 9999-12-31; what lies outside is the nearest of these.
    public init(daysSince1970 days: Int) {
        // Years begin in March, so that the day that comes and goes is their last. Eras have 400 years.
        let shifted = min(max(days, 0), 2_932_896) + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * month + 2) / 5 + 1
        self.month = month < 10 ? month + 3 : month - 9
        year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
    }

    public var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (shifted / 400, shifted % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// 1 for Monday to 7 for Sunday, as ISO 8601 counts.
    public var weekday: Int { (daysSince1970 + 3) % 7 + 1 }

    public func adding(days: Int) -> CivilDate { CivilDate(daysSince1970: daysSince1970 + days) }

    public static func < (left: Self, right: Self) -> Bool { left.daysSince1970 < right.daysSince1970 }

    /// `YYYY-MM-DD`.
    public var description: String { "\(year)-\(Self.two(month))-\(Self.two(day))" }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// A local date and time to the minute, without a zone: `2026-12-01T20:00`.
public struct CivilTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let date: CivilDate
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int

    /// - Returns: `nil` if no clock shows that.
    public init?(_ date: CivilDate, hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        (self.date, self.hour, self.minute) = (date, hour, minute)
    }

    /// - Returns: `nil` unless `text` is `YYYY-MM-DDTHH:MM`, and of a day that there is.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
            let date = CivilDate(String(text.prefix(10))), let hour = CivilDate.number(bytes[11..<13]),
            let minute = CivilDate.number(bytes[14..<16])
        else { return nil }
        self.init(date, hour: hour, minute: minute)
    }

    /// The same time of day on another day.
    public func on(_ date: CivilDate) -> CivilTime { CivilTime(unchecked: date, hour, minute) }

    init(unchecked date: CivilDate, _ hour: Int, _ minute: Int) {
        (self.date, self.hour, self.minute) = (date, hour, minute)
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.date.daysSince1970, left.hour, left.minute) < (right.date.daysSince1970, right.hour, right.minute)
    }

    /// `YYYY-MM-DDTHH:MM`.
    public var description: String { "\(date)T\(CivilDate.two(hour)):\(CivilDate.two(minute))" }
}
