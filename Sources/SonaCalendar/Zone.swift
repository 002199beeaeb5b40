internal import CICU
internal import SonaBase

/// A time zone of the IANA database, as ICU carries it: what clocks there show, and when they are put forward and back.
///
/// Any thread; about 2 µs a question. ICU's calendars remember what they were asked, so there is one of each zone, and
/// whoever asks waits for the one before.
public final class Zone: Sendable {
    /// The name, such as `Europe/Warsaw`.
    public let name: String

    private let calendar: Monitor<UnsafeMutableRawPointer>

    /// The zones that were asked for. Only names of the database come in, some 600.
    private static let known = Monitor<[String: Zone]>([:])
    /// Bytes of a name; those of the database have at most 32.
    public static let nameBytes = 1...64

    /// The zone of a name.
    ///
    /// - Returns: `nil` if the database has no such zone. Capitals matter.
    public static func named(_ name: String) -> Zone? {
        if let zone = known.withLock({ $0[name] }) { return zone }
        guard nameBytes.contains(name.utf8.count), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            isInDatabase(name), let zone = Zone(name)
        else { return nil }
        return known.withLock { zones in
            if let other = zones[name] { return other }
            zones[name] = zone
            return zone
        }
    }

    /// Coordinated Universal Time.
    public static let utc = {
        guard let zone = Zone.named("UTC") else { preconditionFailure("ICU has no data of time zones.") }
        return zone
    }()

    /// The time zone that this machine is set to. It is UTC if the database does not have that zone.
    public static let ofThisMachine: Zone = {
        var status = U_ZERO_ERROR
        var units = [UInt16](repeating: 0, count: 128)
        let count = sona_icu_host_zone(&units, Int32(units.count), &status)
        guard status.rawValue <= U_ZERO_ERROR.rawValue, count > 0, Int(count) <= units.count else { return utc }
        return named(String(decoding: units.prefix(Int(count)), as: UTF16.self)) ?? utc
    }()

    private static func isInDatabase(_ name: String) -> Bool {
        let units = Array(name.utf16)
        var status = U_ZERO_ERROR
        let isKnown = sona_icu_is_system_zone(units, Int32(units.count), &status)
        return status.rawValue <= U_ZERO_ERROR.rawValue && isKnown && name != "Etc/Unknown"
    }

    private init?(_ name: String) {
        let units = Array(name.utf16)
        var status = U_ZERO_ERROR
        guard let calendar = sona_icu_calendar_open(units, Int32(units.count), &status),
            status.rawValue <= U_ZERO_ERROR.rawValue
        else { return nil }
        self.name = name
        self.calendar = Monitor(calendar)
    }

    // Zones live as long as the program, so calendars are never closed.

    private func ask<Answer>(_ body: (UnsafeMutableRawPointer, inout UErrorCode) -> Answer) -> Answer {
        calendar.withLock { calendar in
            var status = U_ZERO_ERROR
            let answer = body(calendar, &status)
            precondition(status.rawValue <= U_ZERO_ERROR.rawValue, "ICU is out of memory or its data are missing.")
            return answer
        }
    }

    /// When a clock in the zone shows that, milliseconds since 1970 UTC.
    ///
    /// A time that is left out when clocks are put forward counts from before: half past two becomes half past three. Of a
    /// time that comes twice when they are put back, the first is meant.
    public func instant(of time: CivilTime) -> Int64 {
        ask { calendar, status in
            Int64(
                sona_icu_instant(
                    calendar, Int32(time.date.year), Int32(time.date.month), Int32(time.date.day), Int32(time.hour),
                    Int32(time.minute), &status))
        }
    }

    /// By how much clocks there are ahead of UTC, milliseconds.
    ///
    /// - Parameter milliseconds: Since 1970 UTC.
    public func offset(at milliseconds: Int64) -> Int64 {
        ask { calendar, status in Int64(sona_icu_zone_offset(calendar, Double(milliseconds), &status)) }
    }

    /// Whether clocks there are put forward for the summer at a time.
    public func isSummer(at milliseconds: Int64) -> Bool {
        ask { calendar, status in sona_icu_zone_saving(calendar, Double(milliseconds), &status) != 0 }
    }

    /// The local date and time in this zone, without the seconds.
    public func time(at milliseconds: Int64) -> CivilTime {
        let minutes = max(0, milliseconds + offset(at: milliseconds)) / 60_000
        let minuteOfDay = Int(minutes % 1_440)
        return CivilTime(
            unchecked: CivilDate(daysSince1970: Int(minutes / 1_440)), minuteOfDay / 60, minuteOfDay % 60)
    }

    /// When clocks there are put forward or back the next time.
    ///
    /// - Returns: `nil` if that is never.
    public func change(after milliseconds: Int64) -> Int64? {
        ask { calendar, status in
            var change = 0.0
            guard sona_icu_next_change(calendar, Double(milliseconds), &change, &status) else { return nil }
            return Int64(change)
        }
    }
}
