internal import Glibc

/// When the next backup is due.
struct BackupSchedule: Equatable {
    /// The distance between two backups, ms; `nil` for one a day at `minute`.
    let everyMilliseconds: Int64?
    /// Minutes from midnight, by the clock of this machine.
    let minute: Int

    /// 03:30, when most servers sleep.
    static let standardMinute = 3 * 60 + 30
    /// After a failure it is tried again, unless the next one comes sooner.
    static let retryMilliseconds: Int64 = 3_600_000

    init(_ configuration: ServerConfiguration) {
        everyMilliseconds =
            configuration.backupEveryHours > 0 ? Int64(configuration.backupEveryHours) * 3_600_000 : nil
        minute = configuration.backupAt.flatMap(Self.minute) ?? Self.standardMinute
    }

    /// Minutes of `HH:MM`; `nil` for other text.
    static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isNumber) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return 60 * hour + minute
    }

    /// - Parameters:
    ///   - last: The end of the last backup, whether it succeeded or not; `nil` if there was none.
    ///   - start: The start of the server.
    /// - Returns: When it is due, ms since 1970. A time that passed while no server ran is due at once.
    func due(last: (endedMilliseconds: Int64, isSuccess: Bool)?, start: Int64) -> Int64 {
        guard let last else { return everyMilliseconds.map { _ in start } ?? nextTimeOfDay(after: start) }
        let due = everyMilliseconds.map { last.endedMilliseconds + $0 } ?? nextTimeOfDay(after: last.endedMilliseconds)
        return last.isSuccess ? due : min(due, last.endedMilliseconds + Self.retryMilliseconds)
    }

    private func nextTimeOfDay(after milliseconds: Int64) -> Int64 {
        var now = time_t(milliseconds / 1_000)
        var date = tm()
        localtime_r(&now, &date)
        // mktime(3) puts days beyond a month's end, and hours that a change of clocks skips, in their places.
        for day in 0...2 {
            var at = date
            (at.tm_hour, at.tm_min, at.tm_sec, at.tm_isdst) = (Int32(minute / 60), Int32(minute % 60), 0, -1)
            at.tm_mday += Int32(day)
            let moment = Int64(mktime(&at)) * 1_000
            if moment > milliseconds { return moment }
        }
        return milliseconds + 86_400_000
    }
}
