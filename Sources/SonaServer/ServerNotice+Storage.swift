internal import SonaDatabase

extension ServerNotice {
    /// Converts an event of the database into sentences without data of users.
    init(_ event: DatabaseEvent) {
        switch event {
        case .suppressed(let error): self = .line("A failed read of the database was answered anyway: \(error).")
        case .checkpointFailed(let error):
            self = .line("The database's write-ahead log could not be copied into its file: \(error).")
        case .logAtLimit(let bytes, let ended):
            self = .line("The database's log has grown to \(bytes >> 20) MiB. \(ended) old reads were ended.")
        case .schemaChanged(let what): self = .line("The schema of the database was updated: \(what).")
        case .writesStopped(let error):
            self = .mustEnd("The disk failed to sync the database, so nothing is written any more: \(error).")
        }
    }
}
