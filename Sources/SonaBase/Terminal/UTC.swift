internal import Glibc

/// Points in time as people read them.
public enum UTC {
    /// `2026-11-21T19:22:52Z`.
    ///
    /// Written by hand and not by `strftime`, which takes a buffer and knows locales.
    ///
    /// - Parameter milliseconds: Since 1970. Parts of a second are cut off.
    /// - Returns: The number itself, `9223372036854775807 ms`, for a time whose year does not fit 32 bits.
    ///
    /// Source: RFC 3339, section 5.6.
    public static func text(milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "\(milliseconds) ms" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }
}
