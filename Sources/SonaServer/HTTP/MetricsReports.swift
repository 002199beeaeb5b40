internal import SonaDatabase
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// One loop's figures for the metrics page.
struct LoopReport: Sendable {
    let index: Int
    let loop: LoopFigures
    let hub: HubFigures
    let sockets: Int
    let queuedBytes: Int
    let placeCount: Int
    let behindCount: Int
    let iterationMicroseconds: Int64
    let gatherMicroseconds: Int64

    /// On the loop. O(sockets).
    init(_ hub: Hub) {
        index = hub.mailbox.index
        loop = hub.loop.figures
        self.hub = hub.figures
        sockets = hub.loop.socketCount
        queuedBytes = hub.loop.queuedBytes
        (placeCount, behindCount) = hub.placeCounts
        iterationMicroseconds = hub.iterationMicroseconds
        gatherMicroseconds = hub.gatherMicroseconds
    }
}

/// The live domain's figures for the metrics page.
struct LiveReport: Sendable {
    let figures: ShardFigures
    let sessions: Int
    /// Sessions whose connections are lost; they are not counted in `sessions`.
    let sessionsAway: Int
    let roomsAwake: Int
    let roomsLive: Int
    let roomsByThemselves: Int
    let shiftedListeners: Int
    let dataSaver: (rooms: Int, listeners: Int, packets: UInt64)
    let audiences: Int
    let nowStreams: Int
    let listeners: Int
    /// Listeners by HTTP, by form.
    let radioListeners: [(String, Int)]
    let radioEncodings: Int
    /// Connections at the port of speakers, and those that hear a room.
    let speakers: (connections: Int, listeners: Int)
    let listenersReporting: Int
    let storage: DatabaseStatus
    let uploads: UploadFigures
    let submissions: SubmissionFigures
    let notifications: NotificationFigures
    let scrobbling: Scrobbler.Figures
    let webhooks: WebhookStore.Figures
    let scans: ScanFigures
    /// What was sent of the library, and is being sent.
    let media: [(kind: String, bytes: UInt64, open: Int)]
    let subsonic: SubsonicFigures.Counts
    let storageFault: StorageFault?
    let storageFailures: [StorageFault: UInt64]
    let freeBytes: UInt64?
    let backups: BackupWatch.Figures
    let logLines: (written: [LogLine.Level: UInt64], leftOut: UInt64)
    let jobs: [JobState: Int]
    let renditions: (count: Int, bytes: Int64)
    let sendsMail: Bool
    /// The end of the certificate, seconds since 1970.
    let certificateEnd: Int?

    /// On the first loop. O(rooms), and at most once a second O(members who report).
    init(_ core: ShardCore) {
        let rooms = core.rooms.values
        figures = core.figures
        sessionsAway = core.away.count
        sessions = core.sessions.count - sessionsAway
        roomsAwake = rooms.count
        roomsLive = rooms.count { $0.room.isLive }
        roomsByThemselves = core.autoplays.count
        let savers = core.dataSavers
        dataSaver = (savers.laneCount, savers.listenerCount, savers.packets)
        shiftedListeners = core.rooms.values.reduce(0) { $0 + $1.room.shiftedCount }
        audiences = core.audiences.count
        nowStreams = core.nowStreams.count
        listeners = rooms.reduce(0) { $0 + $1.room.listenerCount }
        speakers = core.snapcast?.figures ?? (0, 0)
        radioEncodings = rooms.reduce(0) { $0 + ($1.radio?.encodingCount ?? 0) }
        let forms = rooms.compactMap(\.radio).flatMap(\.forms)
        radioListeners = RadioForm.words.map { word in (word, forms.count { $0.word == word }) }
        let now = MonotonicClock.nowMicroseconds()
        listenersReporting = rooms.reduce(0) { $0 + ($1.meter?.fresh(now: now).count ?? 0) }
        let services = core.services
        storage = services.model.storageStatus
        uploads = services.library.uploads.figures
        (submissions, notifications) = (services.library.submissions.figures, services.model.notifications.figures)
        (scrobbling, webhooks) = (services.scrobbler.figures, services.model.webhooks.figures)
        scans = services.library.folders.figures
        media = services.mediaMeters.all.map { ($0.kind, $0.meter.sentBytes, $0.meter.openCount) }
        subsonic = services.subsonicFigures.counts
        (storageFault, storageFailures) = (services.storage.fault, services.storage.failures)
        (freeBytes, backups) = (services.storage.freeBytes, services.backups.figures)
        logLines = services.log.figures
        (jobs, renditions) = (services.library.jobs.figures, services.library.media.renditionFigures)
        let configuration = services.configuration
        (sendsMail, certificateEnd) = (configuration.mailing.isOn, configuration.identity?.endsAtSeconds)
    }
}
