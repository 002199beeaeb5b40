internal import Glibc

/// A point in time as headers have it: `Sat, 21 Nov 2026 18:49:57 +0000`.
///
/// Source: RFC 5322, section 3.3. Not `strftime`, which writes the names in the language of the process.
enum MailDate {
    /// - Parameter time: Seconds since 1970.
    static func text(_ time: Int) -> String {
        var seconds = time
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = "\(parts.tm_mday) \(months[Int(parts.tm_mon)]) \(Int(parts.tm_year) + 1900)"
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
        return "\(days[Int(parts.tm_wday)]), \(date) \(clock) +0000"
    }

    private static func twoDigits(_ value: Int32) -> String { (value < 10 ? "0" : "") + String(value) }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
