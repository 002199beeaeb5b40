internal import SonaDatabase
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `/metrics` in Prometheus' text format 0.0.4.
///
/// Labels have few, fixed values: never a user, a room or an address.
enum MetricsPage {
    static func text(_ core: ShardCore) -> String {
        let loop = core.loop.figures
        let figures = core.figures
        let rooms = core.rooms.values
        var page = Page()
        page.gauge("sona_build_info", "The running version.", 1, labels: #"{version="\#(ServerVersion.number)"}"#)
        page.gauge("sona_sockets", "Sockets open now, HTTP and WebSocket.", core.loop.socketCount)
        page.gauge("sona_sessions", "WebSocket sessions open now.", core.sessions.count)
        page.gauge("sona_rooms_awake", "Rooms held in memory.", rooms.count)
        page.gauge("sona_rooms_live", "Rooms in which a broadcast is going on.", rooms.count { $0.room.isLive })
        page.gauge(
            "sona_listeners", "Members of rooms, hosts not counted.", rooms.reduce(0) { $0 + $1.room.listenerCount })
        page.counter("sona_connections_accepted_total", "Connections taken.", loop.accepted)
        page.counter(
            "sona_connections_refused_total",
            "Connections closed at once: over an address's limit, or no descriptor left.",
            loop.refusedConnections)
        page.counter("sona_upgrades_total", "WebSocket handshakes accepted.", loop.upgraded)
        page.counter("sona_upgrades_refused_total", "Upgrades refused.", loop.refusedUpgrades)
        page.counter("sona_http_requests_total", "HTTP requests begun.", loop.requests)
        page.counter("sona_messages_received_total", "WebSocket messages from clients.", loop.messagesIn)
        page.counter("sona_received_bytes_total", "Payload of those messages.", loop.bytesIn)
        page.counter("sona_messages_sent_total", "WebSocket messages to clients.", loop.messagesOut)
        page.counter("sona_sent_bytes_total", "Bytes of those messages with their headers.", loop.bytesOut)
        page.counter("sona_silent_connections_closed_total", "Closed for not answering pings.", loop.silent)
        page.counter("sona_requests_total", "Requests of the protocol, over both transports.", figures.requests)
        page.counter("sona_request_errors_total", "Replies that were errors.", figures.requestErrors)
        page.counters(
            "sona_auth_refusals_total", "Refusals of tokens, passwords and the like, by code.",
            figures.authRefusals.map { ($0.key.text, $0.value) }.sorted { $0.0 < $1.0 }, label: "code")
        page.counter("sona_requests_rate_limited_total", "Requests refused for their rate.", figures.rateLimited)
        page.counter("sona_malformed_messages_total", "Messages that could not be understood.", figures.malformed)
        page.counter("sona_joins_total", "Entries into rooms.", figures.joins)
        page.counter("sona_audio_packets_received_total", "Packets from hosts.", figures.chunksIn)
        page.counter("sona_audio_received_bytes_total", "Bytes of those packets.", figures.audioBytesIn)
        page.counter("sona_audio_packets_delivered_total", "Packets handed to listeners' sockets.", figures.deliveries)
        page.counter(
            "sona_audio_packets_skipped_total", "Packets that listeners behind never got.", figures.skippedChunks)
        page.counter("sona_slow_listeners_closed_total", "Listeners closed for lagging.", figures.slowListenersClosed)
        page.counter("sona_time_probes_total", "Time probes answered.", figures.timeProbes)
        addStorage(core.services.model.storageStatus, to: &page)
        return page.text
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

    private struct Page {
        var text = ""

        mutating func gauge(_ name: String, _ help: String, _ value: Int, labels: String = "") {
            text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(name)\(labels) \(value)\n"
        }

        /// One counter for each value of a label.
        mutating func counters(_ name: String, _ help: String, _ values: [(String, UInt64)], label: String) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) counter\n"
            for (value, count) in values { text += "\(name){\(label)=\"\(value)\"} \(count)\n" }
        }

        mutating func counter(_ name: String, _ help: String, _ value: UInt64) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) counter\n\(name) \(value)\n"
        }
    }
}
