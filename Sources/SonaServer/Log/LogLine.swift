/// One line of the server's log: what happened, in words for people and in fields for programs.
package struct LogLine: Sendable {
    /// How urgent a line is, from the least to the most.
    package enum Level: String, CaseIterable, Comparable, Sendable {
        /// Each request with its outcome.
        case debug
        /// The normal course of things.
        case info
        /// Something that an operator should look at.
        case warning
        /// Something that keeps people from using the server.
        case error

        package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        /// The place in `allCases`.
        var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    package let event: LogEvent
    /// One or two sentences without data of users.
    package let message: String
    /// Names and values, in the order in which they are written.
    package let fields: [Field]

    package var level: Level { event.level }

    /// A value that programs read: an address, a number, a code.
    package struct Field: Sendable, Equatable {
        let name: String
        let value: String

        /// The network address of a client.
        static func address(_ text: String) -> Field { Field(name: "address", value: text) }
        /// The number of a connection, counted from the start of the server.
        static func connection(_ number: UInt64) -> Field { Field(name: "connection", value: "\(number)") }
        /// The number that a client gave its request, or that the server gave a request over HTTP.
        static func request(_ text: String) -> Field { Field(name: "request", value: text) }
        /// The type of a request.
        static func type(_ text: String) -> Field { Field(name: "type", value: text) }
        /// A code of Protocol/spec/errors.md.
        static func code(_ text: String) -> Field { Field(name: "code", value: text) }
    }

    init(_ event: LogEvent, _ message: String, _ fields: [Field] = []) {
        self.event = event
        self.message = message
        self.fields = fields
    }
}

/// The kinds of lines. The names are stable: filters of fail2ban and of log collectors go by them (deploy/log.md).
package enum LogEvent: String, CaseIterable, Sendable {
    case serverStarted = "server.started"
    case serverStopping = "server.stopping"
    case handoverBegun = "handover.begun"
    case handoverDone = "handover.done"
    case handoverFailed = "handover.failed"
    case serverTakenOver = "server.taken_over"
    case setupOffered = "setup.offered"
    case configReloaded = "config.reloaded"
    case configRestartNeeded = "config.restart_needed"
    case configRefused = "config.refused"
    case configWarning = "config.warning"
    case requestReceived = "request.received"
    case requestRefused = "request.refused"
    case requestFailed = "request.failed"
    case authFailed = "auth.failed"
    case proxyUntrusted = "proxy.untrusted"
    case storageFailed = "storage.failed"
    case storageResumed = "storage.resumed"
    case storageStopped = "storage.stopped"
    case storageLow = "storage.low"
    case storageMaintenance = "storage.maintenance"
    case storageChanged = "storage.changed"
    case folderNotice = "folder.notice"
    case libraryNotice = "library.notice"
    case journalReset = "journal.reset"
    case recordingEnded = "recording.ended"
    case roomUnreadable = "room.unreadable"
    case mailMissing = "mail.missing"
    case mailFailed = "mail.failed"
    case firebaseFailed = "firebase.failed"
    case workerFailed = "worker.failed"
    case sourceStarted = "source.started"
    case sourceEnded = "source.ended"
    case speakerStarted = "speaker.started"
    case speakerEnded = "speaker.ended"
    case certificateExpired = "certificate.expired"
    case certificateExpiring = "certificate.expiring"
    case backupMade = "backup.made"
    case backupFailed = "backup.failed"

    package var level: LogLine.Level {
        switch self {
        case .requestReceived, .requestRefused: .debug
        case .serverStarted, .serverStopping, .handoverBegun, .handoverDone, .serverTakenOver, .setupOffered,
            .configReloaded, .storageResumed, .storageChanged, .sourceStarted, .sourceEnded, .speakerStarted,
            .speakerEnded, .backupMade:
            .info
        case .configRestartNeeded, .configRefused, .configWarning, .authFailed, .proxyUntrusted, .storageLow,
            .storageMaintenance, .folderNotice, .libraryNotice, .recordingEnded, .journalReset, .mailMissing,
            .mailFailed, .firebaseFailed, .workerFailed, .certificateExpiring, .backupFailed:
            .warning
        case .handoverFailed, .requestFailed, .storageFailed, .storageStopped, .roomUnreadable, .certificateExpired:
            .error
        }
    }
}
