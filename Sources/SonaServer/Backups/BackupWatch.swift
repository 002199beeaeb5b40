internal import SonaBackup
internal import SonaBase

/// How the last backup went, for metrics and `/readyz`. Any thread; no disk.
final class BackupWatch: Sendable {
    struct Figures: Sendable {
        var last: BackupRecord?
        /// Since the server started.
        var succeeded: UInt64 = 0
        var failed: UInt64 = 0
        var isScheduled = false
    }

    private let state = Monitor(Figures())

    var figures: Figures { state.withLock { $0 } }

    func schedules(_ isScheduled: Bool) { state.withLock { $0.isScheduled = isScheduled } }

    /// Takes what the file of the data folder says.
    ///
    /// - Parameter isFirst: Whether it is from before the start.
    /// - Returns: Whether it tells of another backup than before.
    func take(_ record: BackupRecord, isFirst: Bool) -> Bool {
        state.withLock { state in
            guard state.last != record else { return false }
            state.last = record
            guard !isFirst else { return false }
            if record.isSuccess { state.succeeded &+= 1 } else { state.failed &+= 1 }
            return true
        }
    }
}
