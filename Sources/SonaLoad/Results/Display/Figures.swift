/// Figures as people read them: three digits that count, and the unit.
package enum Figures {
    /// The value with this many digits after the point; `–` if it is not a number.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "–" }
        var power: Double = 1
        for _ in 0..<decimals { power *= 10 }
        let scaled = Int((abs(value) * power).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        if decimals == 0 { return sign + String(scaled) }
        let digits = String(scaled)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }

    /// Three digits that count, where there is a point at all.
    static func short(_ value: Double) -> String {
        let size = abs(value)
        return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2)
    }

    /// A time given in microseconds: `0.25 µs`, `812 µs`, `12.3 ms`, `1.24 s`.
    static func time(_ microseconds: Double) -> String {
        switch abs(microseconds) {
        case 0: "0 µs"
        case ..<999.5: "\(short(microseconds)) µs"
        case ..<999_500: "\(short(microseconds / 1e3)) ms"
        default: "\(short(microseconds / 1e6)) s"
        }
    }

    /// A time given in milliseconds.
    static func milliseconds(_ value: Double?) -> String { value.map { time($0 * 1000) } ?? "–" }

    /// A count with its digits in groups of three: `1 234 567`.
    static func count(_ value: Int) -> String {
        var groups: [Substring] = []
        var rest = Substring(String(value.magnitude))
        while rest.count > 3 {
            groups.insert(rest.suffix(3), at: 0)
            rest = rest.dropLast(3)
        }
        return (value < 0 ? "-" : "") + ([rest] + groups).joined(separator: "\u{202F}")
    }

    /// `48.2k`, for the live line.
    static func brief(_ value: Double) -> String {
        switch abs(value) {
        case ..<999.5: fixed(value, 0)
        case ..<999_500: short(value / 1e3) + "k"
        default: short(value / 1e6) + "M"
        }
    }

    /// `12.3 MiB`.
    static func bytes(_ value: Double) -> String {
        switch abs(value) {
        case ..<1024: "\(fixed(value, 0)) B"
        case ..<1_048_576: "\(short(value / 1024)) KiB"
        case ..<1_073_741_824: "\(short(value / 1_048_576)) MiB"
        default: "\(short(value / 1_073_741_824)) GiB"
        }
    }

    /// A share of one as a percentage: `0.0012 %`. A share that is not 0 never reads as 0, nor one below 1 as 100 %.
    static func percent(_ share: Double) -> String {
        let value = share * 100
        if value == 0 { return "0 %" }
        if abs(value) < 0.0001 { return "< 0.0001 %" }
        if abs(value) < 0.01 { return "\(fixed(value, 4)) %" }
        let text = short(value)
        return (text == "100" && value < 100 ? "99.99" : text) + " %"
    }

    /// A span of whole seconds: `0:42`, `1:02:03`.
    static func clock(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds.isFinite ? min(seconds, 1e9) : 0).rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }
}
