internal import SonaDatabase
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `/metrics` in Prometheus' text format 0.0.4.
///
/// Labels have few, fixed values: never a user, a room or an address.
enum MetricsPage {
    static func text(
        _ live: LiveReport, _ loops: [LoopReport], _ library: LibraryCounts, _ notifications: NotificationCounts,
        _ schedules: (rooms: Int, slots: Int), replays: Int,
        recordings: (count: Int, bytes: Int64)
    ) -> String {
        var page = Page()
        page.gauge(
            "sona_build_info", "The running version.", 1,
            labels: #"{version="\#(ServerVersion.number)",commit="\#(ServerVersion.commit ?? "")"}"#)
        page.gauge("sona_sockets", "Sockets open now, HTTP and WebSocket.", loops.reduce(0) { $0 + $1.sockets })
        page.gauge("sona_sessions", "WebSocket sessions open now.", live.sessions)
        page.gauge("sona_sessions_away", "Sessions kept for clients whose connections were lost.", live.sessionsAway)
        page.gauge("sona_rooms_awake", "Rooms held in memory.", live.roomsAwake)
        page.gauge("sona_rooms_live", "Rooms in which a broadcast is going on.", live.roomsLive)
        page.gauge("sona_listeners_shifted", "Members who hear their room later than others.", live.shiftedListeners)
        page.gauge(
            "sona_data_saver_rooms", "Rooms whose sound is made at a lower bit rate just now.", live.dataSaver.rooms)
        page.gauge("sona_data_saver_listeners", "Members who take that.", live.dataSaver.listeners)
        page.counter("sona_data_saver_packets_total", "Packets made at a lower bit rate.", live.dataSaver.packets)
        page.gauge("sona_audiences", "Broadcasts whose listeners are counted just now.", live.audiences)
        page.gauge("sona_rooms_by_themselves", "Rooms that play without a host just now.", live.roomsByThemselves)
        page.gauge("sona_now_streams", "Event streams of what is heard that are open.", live.nowStreams)
        page.gauge("sona_rooms_scheduled", "Rooms with a slot that is yet to come, or goes on.", schedules.rooms)
        page.gauge("sona_slots", "Slots of all schedules.", schedules.slots)
        page.gauge("sona_replays", "Replays of rooms that are kept.", replays)
        page.gauge("sona_recordings", "Recordings of hosts that are kept.", recordings.count)
        page.gauge("sona_recording_bytes", "Bytes of those.", Int(recordings.bytes))
        page.counter("sona_song_requests_total", "Tracks that visitors asked rooms for.", live.figures.songRequests)
        page.counter("sona_jingles_total", "Jingles begun in rooms that play by themselves.", live.figures.jingles)
        page.counter("sona_occurrences_begun_total", "Times at which a slot has begun.", live.figures.occurrences)
        page.gauge("sona_listeners", "Members of rooms, those away included and hosts not counted.", live.listeners)
        addTransport(loops, to: &page)
        addRequests(live.figures, to: &page)
        addConduct(live.figures.conduct, loops, to: &page)
        addDelivery(loops, live, to: &page)
        addListening(live, to: &page)
        addLoops(loops, to: &page)
        addStorage(live.storage, to: &page)
        addLibrary(library, live, to: &page)
        addUploads(live.uploads, to: &page)
        addSubsonic(live.subsonic, to: &page)
        addSubmissions(live.submissions, library, to: &page)
        addNotifications(live.notifications, notifications, to: &page)
        addScrobbling(live.scrobbling, to: &page)
        addWebhooks(live.webhooks, to: &page)
        addHealth(live, to: &page)
        addJobs(live, to: &page)
        addProcess(to: &page)
        return page.text
    }

    private static func addJobs(_ live: LiveReport, to page: inout Page) {
        page.gauges(
            "sona_jobs", "Jobs by where they stand; ended ones are kept for a week.",
            JobState.allCases.map { ($0.rawValue, live.jobs[$0] ?? 0) }, label: "state")
        page.gauge("sona_renditions", "Tracks and previews that are kept as Opus.", live.renditions.count)
        page.gauge("sona_rendition_bytes", "Bytes of those.", Int(live.renditions.bytes))
    }

    private static func addTransport(_ loops: [LoopReport], to page: inout Page) {
        func sum(_ value: (LoopFigures) -> UInt64) -> UInt64 { loops.reduce(0) { $0 &+ value($1.loop) } }
        page.counter("sona_connections_accepted_total", "Connections taken.", sum(\.accepted))
        page.counter(
            "sona_connections_refused_total",
            "Connections closed at once: over an address's limit, or no descriptor left.", sum(\.refusedConnections))
        page.counter("sona_upgrades_total", "WebSocket handshakes accepted.", sum(\.upgraded))
        page.counter("sona_upgrades_refused_total", "Upgrades refused.", sum(\.refusedUpgrades))
        page.counter("sona_http_requests_total", "HTTP requests begun.", sum(\.requests))
        page.counter("sona_messages_received_total", "WebSocket messages from clients.", sum(\.messagesIn))
        page.counter("sona_received_bytes_total", "Payload of those messages.", sum(\.bytesIn))
        page.counter(
            "sona_messages_sent_total", "WebSocket messages to clients, and pieces of sound by HTTP.",
            sum(\.messagesOut))
        page.counter("sona_sent_bytes_total", "Bytes of those messages with their headers.", sum(\.bytesOut))
        page.counter("sona_silent_connections_closed_total", "Closed for not answering pings.", sum(\.silent))
        page.counter(
            "sona_connections_timed_out_total", "Closed since a handshake, request or message was not whole in time.",
            sum(\.timedOut))
        page.counter(
            "sona_unread_connections_closed_total", "Closed since they did not take what waited for them.",
            sum(\.unreadClosed))
        page.gauge(
            "sona_send_queue_bytes", "Messages that wait for sockets to take them.",
            loops.reduce(0) { $0 + $1.queuedBytes })
    }

    private static func addRequests(_ figures: ShardFigures, to page: inout Page) {
        page.counter("sona_requests_total", "Requests of the protocol, over both transports.", figures.requests)
        page.counter("sona_request_errors_total", "Replies that were errors.", figures.requestErrors)
        page.counters(
            "sona_auth_refusals_total", "Refusals of tokens, passwords and the like, by code.",
            figures.authRefusals.map { ($0.key.text, $0.value) }.sorted { $0.0 < $1.0 }, label: "code")
        page.counter("sona_requests_rate_limited_total", "Requests refused for their rate.", figures.rateLimited)
        page.counter("sona_malformed_messages_total", "Messages that could not be understood.", figures.malformed)
        page.counter("sona_joins_total", "Entries into rooms.", figures.joins)
        page.counter("sona_sessions_resumed_total", "Sessions that went on over another connection.", figures.resumes)
        page.counter(
            "sona_resumes_refused_total", "Sessions that were asked for and could not go on.", figures.resumesRefused)
        page.counter("sona_audio_packets_received_total", "Packets from hosts.", figures.chunksIn)
        page.counter("sona_audio_received_bytes_total", "Bytes of those packets.", figures.audioBytesIn)
    }

    /// Refusals of what clients sent, and connections closed for it.
    private static func addConduct(_ sessions: ConductFigures, _ loops: [LoopReport], to page: inout Page) {
        let figures = loops.reduce(sessions) { $0 + $1.hub.conduct }
        page.counters(
            "sona_http_requests_refused_total",
            "HTTP requests and handshakes refused for their Host, Origin or media type, by code.",
            RequestGate.codes.map { code in
                (code.text, loops.reduce(0) { $0 &+ ($1.hub.gateRefusals[code] ?? 0) })
            }, label: "code")
        page.counters(
            "sona_frames_refused_total", "Binary messages refused or not answered, by why.",
            RefusedFrame.allCases.map { ($0.rawValue, figures.refused[$0] ?? 0) }, label: "reason")
        page.counters(
            "sona_connections_closed_for_conduct_total",
            "Connections closed with 4400 or 4429, by what there was too much of.",
            ConductEnd.allCases.map { ($0.rawValue, figures.ends[$0] ?? 0) }, label: "reason")
    }

    private static func addDelivery(_ loops: [LoopReport], _ live: LiveReport, to page: inout Page) {
        func sum(_ value: (HubFigures) -> UInt64) -> UInt64 { loops.reduce(0) { $0 &+ value($1.hub) } }
        page.counter("sona_audio_packets_delivered_total", "Packets handed to listeners' sockets.", sum(\.deliveries))
        page.counter(
            "sona_audio_writes_total", "Writes that carried them: fewer where packets are gathered.",
            sum(\.audioWrites))
        page.counter(
            "sona_audio_packets_skipped_total", "Packets that listeners behind never got.", sum(\.skippedChunks))
        page.gauge(
            "sona_listeners_behind", "Listeners who do not keep up.", loops.reduce(0) { $0 + $1.behindCount })
        page.counter("sona_slow_listeners_closed_total", "Listeners closed for lagging.", sum(\.slowListenersClosed))
        page.gauges(
            "sona_radio_listeners", "Listeners by HTTP, by what they are sent.",
            live.radioListeners, label: "form")
        page.counter(
            "sona_radio_packets_delivered_total", "Packets handed to the sockets of listeners by HTTP.",
            sum(\.radioDeliveries))
        page.gauge("sona_radio_encodings", "Rooms and bitrates that are encoded to MP3 now.", live.radioEncodings)
        page.counter(
            "sona_radio_steps_lost_total", "Packets that were not encoded, because the machine did not keep up.",
            live.figures.radioStepsLost)
        page.counter("sona_radio_writes_total", "Writes that carried them.", sum(\.radioWrites))
        page.counter(
            "sona_radio_slow_listeners_closed_total", "Listeners by HTTP closed for lagging.", sum(\.slowRadioClosed))
        page.gauge("sona_speaker_connections", "Connections at the Snapcast port.", live.speakers.connections)
        page.gauge("sona_speakers_listening", "Speakers that hear a room.", live.speakers.listeners)
        page.counter(
            "sona_speaker_packets_delivered_total", "Packets handed to the sockets of speakers.",
            live.figures.speakerDeliveries)
        page.counter(
            "sona_slow_speakers_closed_total", "Speakers closed for not reading.", live.figures.slowSpeakersClosed)
        page.counter("sona_time_probes_total", "Time probes answered.", sum(\.timeProbes))
    }

    /// Figures that clients report; the server does not measure them.
    private static func addListening(_ live: LiveReport, to page: inout Page) {
        let figures = live.figures.listening
        page.gauge(
            "sona_listeners_reporting", "Connections in rooms that said lately how they hear.", live.listenersReporting)
        page.counter("sona_listening_reports_total", "Reports of listeners.", figures.reports)
        page.counter("sona_reported_underruns_total", "Times that listeners had nothing to sound.", figures.underruns)
        page.counter("sona_reported_resyncs_total", "Times that listeners jumped.", figures.resyncs)
        page.counter("sona_reported_lost_packets_total", "Packets that listeners missed.", figures.lost)
        page.histogram(
            "sona_reported_sync_error_seconds", "How far off listeners sound, the p95 of each report.",
            figures.syncErrors, unitsPerSecond: 1e6)
        page.histogram(
            "sona_reported_clock_error_seconds", "What listeners' clocks may be off by.", figures.clockErrors,
            unitsPerSecond: 1e6)
        page.histogram(
            "sona_reported_buffer_seconds", "What listeners have in hand.", figures.buffers, unitsPerSecond: 1e3)
    }

    private static func addLoops(_ loops: [LoopReport], to page: inout Page) {
        page.gauges("sona_loop_sockets", "Sockets of each loop.", loops.map { ($0.index, Double($0.sockets)) })
        page.gauges(
            "sona_loop_members", "Members of rooms on each loop.", loops.map { ($0.index, Double($0.placeCount)) })
        page.counters(
            "sona_loop_fan_out_seconds_total", "Time spent handing packets to sockets.",
            loops.map { ($0.index, Double($0.hub.fanOutMicroseconds) / 1e6) })
        page.gauges(
            "sona_loop_gather_seconds",
            "How long packets are gathered whatever their room's delivery, because there is too much to do.",
            loops.map { ($0.index, Double($0.gatherMicroseconds) / 1e6) })
        page.gauges(
            "sona_loop_turn_seconds",
            "How far apart the iterations of a loop are at least, because packets of very many hosts come to it.",
            loops.map { ($0.index, Double($0.iterationMicroseconds) / 1e6) })
        page.histograms(
            "sona_loop_lag_seconds", "How late timers rang.", loops.map { ($0.index, $0.loop.timerLateness) })
    }

    /// The problems an operator should look at: see also `Readiness`.
    private static func addHealth(_ live: LiveReport, to page: inout Page) {
        page.gauge(
            "sona_storage_ready", "1 if the last change could be stored, else 0.", live.storageFault == nil ? 1 : 0)
        page.counters(
            "sona_storage_failures_total", "Batches of changes that could not be stored, by why.",
            StorageFault.allCases.map { ($0.rawValue, live.storageFailures[$0] ?? 0) }, label: "reason")
        if let free = live.freeBytes {
            page.gauge("sona_disk_free_bytes", "Bytes that are free where the data folder is.", Int(clamping: free))
        }
        addBackups(live.backups, to: &page)
        page.gauge("sona_mail_configured", "1 if mail is sent, else 0.", live.sendsMail ? 1 : 0)
        if let end = live.certificateEnd {
            page.gauge(
                "sona_certificate_end_timestamp_seconds", "When the certificate expires, seconds since 1970.", end)
        }
        page.counters(
            "sona_log_lines_total", "Lines of the log, by level.",
            LogLine.Level.allCases.map { ($0.rawValue, live.logLines.written[$0] ?? 0) }, label: "level")
        page.counter(
            "sona_log_lines_left_out_total", "Lines that were left out because there were too many.",
            live.logLines.leftOut)
    }

    private static func addLibrary(_ counts: LibraryCounts, _ live: LiveReport, to page: inout Page) {
        page.gauges(
            "sona_tracks", "Tracks by where they stand.",
            LibraryCounts.TrackState.allCases.map { ($0.rawValue, counts.tracks[$0] ?? 0) }, label: "state")
        page.gauges(
            "sona_albums", "Albums, and those of which all files are gone.",
            [("present", counts.albums), ("missing", counts.missingAlbums)], label: "state")
        page.gauges(
            "sona_playlists", "Playlists by who sees them.",
            PlaylistVisibility.allCases.map { ($0.rawValue, counts.playlists[$0] ?? 0) }, label: "visibility")
        page.gauge("sona_playlist_entries", "Entries of all playlists.", counts.playlistEntries)
        page.gauge("sona_music_problem_files", "Files of music with nothing to play in them.", counts.problems)
        page.gauges(
            "sona_opinions", "Tracks, albums and artists that accounts have liked and rated.",
            [("like", counts.likes), ("rating", counts.ratings)], label: "kind")
        page.gauges(
            "sona_plays", "Plays that are kept, by how they came about.",
            PlaySource.allCases.map { ($0.rawValue, counts.plays[$0] ?? 0) }, label: "source")
        let scans = live.scans
        page.gauge("sona_music_scans_running", "Music folders that are being scanned.", scans.running)
        page.counters(
            "sona_music_scans_total", "Scans of music folders that ended, by how.",
            [("done", scans.done), ("failed", scans.failed), ("cancelled", scans.cancelled)]
                .map { ($0.0, UInt64($0.1)) }, label: "result")
        page.counter("sona_music_scanned_files_total", "Files that those looked at.", UInt64(scans.files))
        page.gauge(
            "sona_music_last_scan_seconds", "How long the last of them took.",
            Double(scans.lastMilliseconds) / 1_000)
        page.counters(
            "sona_media_sent_bytes_total", "Bytes of music and covers handed to sockets, by kind.",
            live.media.map { ($0.kind, $0.bytes) }, label: "kind")
        page.gauges(
            "sona_media_files_open", "Answers that are being read from files now, by kind.",
            live.media.map { ($0.kind, $0.open) }, label: "kind")
    }

    private static func addSubsonic(_ subsonic: SubsonicFigures.Counts, to page: inout Page) {
        page.counters(
            "sona_subsonic_requests_total", "Requests of music apps that speak OpenSubsonic, by endpoint.",
            subsonic.requests.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, label: "endpoint")
        page.counters(
            "sona_subsonic_errors_total", "Those that were answered with an error, by its number.",
            subsonic.errors.sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) }, label: "code")
    }

    private static func addUploads(_ figures: UploadFigures, to page: inout Page) {
        page.counter("sona_upload_bytes_total", "Bytes of music that were uploaded.", figures.bytes)
        page.counter("sona_uploads_finished_total", "Uploads that became tracks.", figures.finished)
        page.counter("sona_uploads_unsupported_total", "Uploads that were no music.", figures.unsupported)
        page.gauge("sona_uploads_active", "Uploads whose bytes are coming, or being worked on, now.", figures.active)
        page.gauge(
            "sona_upload_space_bytes", "Bytes that uploads take, those under way with their whole length.",
            Int(clamping: figures.usedBytes))
    }

    private static func addStorage(_ status: DatabaseStatus, to page: inout Page) {
        page.counter("sona_database_commits_total", "Transactions on disk.", UInt64(status.commits))
        page.counter("sona_database_writes_total", "Writes in those transactions.", UInt64(status.writes))
        page.gauge("sona_database_writes_waiting", "Writes waiting for the writer.", status.queuedWrites)
        page.gauge("sona_database_readers_busy", "Readers in use.", status.readersInUse)
        page.gauge("sona_database_reads_waiting", "Reads waiting for a reader.", status.waitingReads)
        page.gauge("sona_database_log_bytes", "Bytes in the write-ahead log.", status.logBytes)
        page.gauge(
            "sona_database_log_pending_bytes", "Bytes of it that are not copied into the file yet.",
            status.pendingLogBytes)
        page.counter(
            "sona_database_errors_suppressed_total", "Errors that were logged and answered with no.",
            UInt64(status.suppressedErrors))
    }
}
