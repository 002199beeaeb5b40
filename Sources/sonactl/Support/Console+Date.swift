internal import SonaBase

extension Console {
    /// `2026-11-21T19:22:52Z`, from milliseconds since 1970 (ISO 8601, UTC).
    static func date(milliseconds: Int64) -> String { UTC.text(milliseconds: milliseconds) }
}
