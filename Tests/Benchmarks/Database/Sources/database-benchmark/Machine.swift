import CSQLiteFloor
import Foundation

/// The facts about the machine that a result needs to be meaningful.
struct Machine: Codable, Sendable {
    var date: String
    var commit: String?
    var processor: String
    var cores: Int
    var kernel: String
    /// Over the last minute, before the run: what else the machine was busy with.
    var load: Double
    var sqlite: String
    /// Of 4 KiB, written and synced.
    var fsyncMicroseconds: Double
    /// `SLOWSYNC_US`, if a slower disk was asked for.
    var addedMicroseconds: Int?

    init(commit: String?, folder: URL) throws {
        date = ISO8601DateFormatter().string(from: Date())
        self.commit = commit
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        processor =
            lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
            .map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
        cores = ProcessInfo.processInfo.activeProcessorCount
        kernel = ProcessInfo.processInfo.operatingSystemVersionString
        var averages = [0.0]
        getloadavg(&averages, 1)
        load = averages[0]
        sqlite = String(cString: sqlite3_libversion())
        fsyncMicroseconds = try Self.timeSync(in: folder)
        addedMicroseconds = ProcessInfo.processInfo.environment["SLOWSYNC_US"].flatMap { Int($0) }
    }

    var text: String {
        let added = addedMicroseconds.map { ", of which \($0) us were added" } ?? ""
        return """
            \(date), commit \(commit ?? "unknown"), load before the run \(String(format: "%.2f", load))
            \(processor), \(cores) cores, \(kernel), SQLite \(sqlite)
            fsync of 4 KiB on this disk: \(String(format: "%.0f", fsyncMicroseconds)) us\(added)
            """
    }

    private static func timeSync(in folder: URL) throws -> Double {
        let path = folder.appendingPathComponent("sync").path
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Mismatch("cannot write to \(folder.path)") }
        defer {
            close(file)
            unlink(path)
        }
        let page = [UInt8](repeating: 1, count: 4_096)
        let times = (0..<50).map { _ in
            let begin = monotonicNow()
            _ = pwrite(file, page, page.count, 0)
            fsync(file)
            return Double(monotonicNow() - begin) / 1e3
        }
        return Statistics.median(times)
    }
}
