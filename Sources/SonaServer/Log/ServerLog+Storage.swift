internal import SonaDatabase

extension ServerLog {
    /// Logs an event of the database, in sentences without data of users.
    func log(_ event: DatabaseEvent) {
        switch event {
        case .suppressed(let error):
            log(.storageMaintenance, "A failed read of the database was answered anyway: \(error).")
        case .checkpointFailed(let error):
            log(.storageMaintenance, "The database's write-ahead log could not be copied into its file: \(error).")
        case .logAtLimit(let bytes, let ended):
            log(
                .storageMaintenance,
                "The database's log has grown to \(bytes >> 20) MiB. \(ended) old reads were ended.")
        case .schemaChanged(let what): log(.storageChanged, "The schema of the database was updated: \(what).")
        case .writesStopped(let error):
            log(
                .storageStopped, "The disk failed to sync the database, so nothing is written any more: \(error).")
        case .writeFailed(let error):
            log(.storageFailed, "Nothing can be stored: \(StorageFault(error).reason). \(error).")
        case .writesResumed: log(.storageResumed, "Changes are stored again.")
        }
    }
}
