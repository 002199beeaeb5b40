import Glibc
import SonaBackup
import SonaEventLoop
import Testing

@testable import SonaServer

struct BackupScheduleTests {
    private static let hour: Int64 = 3_600_000

    private static func schedule(every hours: Int = 0, at time: String? = nil) -> BackupSchedule {
        var configuration = ServerConfiguration(dataFolder: "nowhere")
        (configuration.backupEveryHours, configuration.backupAt) = (hours, time)
        return BackupSchedule(configuration)
    }

    /// The minute of the day of a moment, by the clock of this machine.
    private static func minute(_ milliseconds: Int64) -> Int {
        var seconds = time_t(milliseconds / 1_000)
        var date = tm()
        localtime_r(&seconds, &date)
        return Int(date.tm_hour) * 60 + Int(date.tm_min)
    }

    @Test(arguments: [("03:30", 210), ("00:00", 0), ("23:59", 1_439)])
    func `times of day are read`(text: String, minute: Int) { #expect(BackupSchedule.minute(text) == minute) }

    @Test(arguments: ["24:00", "12:60", "3:30", "0330", "03:30:00", "", "-1:30", "ab:cd", "+1:30"])
    func `other texts are none`(text: String) { #expect(BackupSchedule.minute(text) == nil) }

    @Test func `the first one by hours is due at the start, the next so many hours after the last`() {
        let schedule = Self.schedule(every: 6)
        #expect(schedule.due(last: nil, start: 1_000) == 1_000)
        #expect(schedule.due(last: (50 * Self.hour, true), start: 0) == 56 * Self.hour)
    }

    @Test func `a failure is tried again after an hour, or earlier if one is due anyway`() {
        #expect(Self.schedule(every: 6).due(last: (50 * Self.hour, false), start: 0) == 51 * Self.hour)
        #expect(Self.schedule(every: 1).due(last: (50 * Self.hour, false), start: 0) == 51 * Self.hour)
        let daily = Self.schedule(at: "03:30")
        let last = daily.due(last: nil, start: 1_700_000_000_000)
        #expect(daily.due(last: (last, false), start: 0) == last + Self.hour)
    }

    @Test(arguments: ["00:00", "03:30", "12:00", "23:59"])
    func `a daily one is due at the next such time after the last one`(time: String) throws {
        let schedule = Self.schedule(at: time)
        var moment: Int64 = 1_700_000_123_456
        for _ in 0..<400 {
            let due = schedule.due(last: (moment, true), start: 0)
            #expect(due > moment && due - moment <= 25 * Self.hour && Self.minute(due) == BackupSchedule.minute(time))
            moment = due
        }
        #expect(Self.minute(Self.schedule().due(last: nil, start: moment)) == BackupSchedule.standardMinute)
    }

    @Test func `a backup from before the start is not counted, and the same one not twice`() {
        let watch = BackupWatch()
        let old = BackupRecord(name: "a", failure: nil, seconds: 1, endedMilliseconds: 1)
        #expect(!watch.take(old, isFirst: true) && !watch.take(old, isFirst: false))
        let new = BackupRecord(name: nil, failure: "No.", seconds: 1, endedMilliseconds: 2)
        #expect(watch.take(new, isFirst: false) && !watch.take(new, isFirst: false))
        #expect(watch.figures.failed == 1 && watch.figures.succeeded == 0 && watch.figures.last == new)
    }

    @Test func `a failed backup is a warning, and the server ready all the same`() {
        var figures = BackupWatch.Figures()
        func readiness() -> Readiness {
            Readiness(
                isDraining: false, storage: StorageWatch(), configuration: ServerConfiguration(dataFolder: "nowhere"),
                nowSeconds: 0, backups: figures)
        }
        figures.last = BackupRecord(name: "a", failure: nil, seconds: 1)
        #expect(!readiness().warnings.contains("the last backup failed"))
        figures.last = BackupRecord(name: nil, failure: "No.", seconds: 1)
        #expect(readiness().warnings.contains("the last backup failed") && readiness().response.status == 200)
    }
}
