internal import SonaDatabase

extension ServerNotice {
    /// A message of the database, in a sentence without data of users.
    init(_ event: DatabaseEvent) {
        switch event {
        case .suppressed(let error): self = .line("A question to the database was answered without it: \(error).")
        case .checkpointFailed(let error):
            self = .line("The database's log could not be copied into its file: \(error).")
        case .logAtLimit(let bytes, let ended):
            self = .line("The database's log has grown to \(bytes >> 20) MiB; \(ended) old reads were ended.")
        case .schemaChanged(let what): self = .line("The database was brought up to date: \(what).")
        case .writesStopped(let error):
            self = .mustEnd("The disk failed to sync the database, and nothing more is written to it: \(error).")
        }
    }
}
