internal import Glibc

extension Console {
    /// `2026-11-21T19:22:52Z`, from milliseconds since 1970 (ISO 8601, UTC).
    static func date(milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "\(milliseconds) ms" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = Int(parts.tm_year) + 1900
        let day = "\(year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }
}
