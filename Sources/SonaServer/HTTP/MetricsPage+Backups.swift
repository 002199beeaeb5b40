internal import SonaBackup

extension MetricsPage {
    /// Backups of the data folder, by schedule or by hand.
    static func addBackups(_ figures: BackupWatch.Figures, to page: inout Page) {
        page.gauge("sona_backup_scheduled", "1 if backups are made by schedule, else 0.", figures.isScheduled ? 1 : 0)
        page.counters(
            "sona_backups_total", "Backups that ended since the start, by how.",
            [("success", figures.succeeded), ("failure", figures.failed)], label: "result")
        guard let last = figures.last else { return }
        page.gauge("sona_backup_failed", "1 if the last backup failed, else 0.", last.isSuccess ? 0 : 1)
        if let success = last.successMilliseconds {
            page.gauge(
                "sona_backup_success_timestamp_seconds",
                "The end of the last backup that succeeded, seconds since 1970.",
                Int(success / 1_000))
        }
        guard last.isSuccess else { return }
        page.gauge("sona_backup_duration_seconds", "How long it took.", Int(last.seconds.rounded(.up)))
        page.gauge("sona_backup_bytes", "Bytes of everything in it.", Int(last.bytes))
        page.gauge("sona_backup_stored_bytes", "Bytes of it that the place did not have.", Int(last.storedBytes))
    }
}
