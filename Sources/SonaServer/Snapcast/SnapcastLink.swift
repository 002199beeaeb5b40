internal import SonaCrypto
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The connection of one player that speaks Snapcast's protocol. On the rooms' loop.
///
/// silent → known (`hello`) → seated (`stored`) → in a room (`desk`), or waiting for one. It is cut when it says nothing for
/// some seconds, when it does not read, and at the first bytes that are no Snapcast.
final class SnapcastLink: WebSocketHandler {
    let number: UInt64
    let remote: RemoteAddress
    private unowned let port: SnapcastPort  // Belongs to the same loop, and lives as long as the server.
    private var connection: WebSocketConnection?
    private var reader = SnapcastReader { Base64.decode(String($0.prefix { $0 != "=" }), .standard) }
    private(set) var hello: SnapcastHello?
    private var helloID: UInt16 = 0
    /// Number of the search for its room: the answer of one before is of no matter.
    var seating = 0
    /// What is stored of it; `nil` until that is known.
    var stored: SpeakerStore.Stored?
    /// The room that it hears.
    var desk: SpeakerDesk?
    /// What it has said of its volume and is not stored yet.
    var told: (volume: Int, isMuted: Bool)?
    var isStoring = false

    private var heardAt = MonotonicClock.nowMicroseconds()
    private var behindSince: Int64?
    /// Messages in the second that began then.
    private var messages = (since: Int64(0), count: 0)

    private static let helloMicroseconds: Int64 = 10_000_000
    /// Players ask for the time each second.
    private static let silenceMicroseconds: Int64 = 20_000_000
    private static let messagesPerSecondMax = 300
    private static let lagMicroseconds = Int64(Limits.listenerLagSecondsMax) * 1_000_000

    init(_ number: UInt64, _ remote: RemoteAddress, _ port: SnapcastPort) {
        self.number = number
        self.remote = remote
        self.port = port
    }

    // MARK: The connection

    func webSocketOpened(_ connection: WebSocketConnection) { self.connection = connection }

    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {
        let now = MonotonicClock.nowMicroseconds()
        heardAt = now
        do throws(SnapcastReader.Fault) {
            for message in try reader.take(bytes) {
                if now - messages.since > 1_000_000 { messages = (now, 0) }
                messages.count += 1
                guard messages.count <= Self.messagesPerSecondMax else {
                    return cut("it sends too many messages")
                }
                take(message, now: now)
            }
        } catch { cut(error.reason) }
    }

    func webSocketWritable(_ connection: WebSocketConnection) { behindSince = nil }

    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {
        self.connection = nil
        port.closed(self)
    }

    private func take(_ message: SnapcastMessage.Received, now: Int64) {
        switch message {
        case .time(let id, let sent):
            // Made when it is sent, before all that waits: it carries the time.
            guard let connection, connection.queuedBytes == 0 else { return }
            let answer = SnapcastMessage.time(
                refersTo: id, sent: sent, received: now, now: MonotonicClock.nowMicroseconds())
            connection.send(WebSocketFrame(raw: answer))
        case .hello(let hello, let id):
            guard self.hello == nil else { return cut("it says Hello twice") }
            (self.hello, helloID) = (hello, id)
            port.seat(self)
        case .volume(let volume, let isMuted):
            told = (volume, isMuted)
            port.noteVolume(self)
        case .other: break
        }
    }

    // MARK: What it is sent

    /// Says how to play, and that Opus follows. It throws away what it has.
    func begin() {
        tellSettings()
        send(SnapcastMessage.opus(now: MonotonicClock.nowMicroseconds()))
    }

    /// Says how to play.
    func tellSettings() {
        guard let speaker = stored?.speaker else { return }
        let bytes = SnapcastMessage.settings(
            refersTo: helloID, buffer: desk?.bufferMilliseconds ?? SpeakerDesk.bufferMillisecondsMin,
            latency: speaker.latencyMilliseconds, volume: speaker.volume, muted: speaker.isMuted,
            now: MonotonicClock.nowMicroseconds())
        helloID = 0
        send(bytes)
    }

    func send(_ bytes: [UInt8]) { send(WebSocketFrame(raw: bytes)) }

    func send(_ frame: WebSocketFrame) {
        guard let connection else { return }
        connection.send(frame)
        if connection.queuedBytes == 0 {
            behindSince = nil
        } else if behindSince == nil {
            behindSince = MonotonicClock.nowMicroseconds()
        }
    }

    // MARK: The end

    /// Looks whether it still speaks and reads. Once a second.
    func look(now: Int64) {
        if hello == nil, now - heardAt > Self.helloMicroseconds || reader.heldBytes == 0 && now - heardAt > 5_000_000 {
            return cut("it does not say Hello")
        }
        if now - heardAt > Self.silenceMicroseconds { return cut("it is silent") }
        guard let behindSince, connection?.queuedBytes ?? 0 > 0, now - behindSince > Self.lagMicroseconds else {
            return
        }
        port.core.figures.slowSpeakersClosed &+= 1
        cut("it does not read")
    }

    /// Tells it why, and ends the connection.
    func refuse(_ error: WireError) {
        send(SnapcastMessage.error(401, error.message, refersTo: helloID, now: MonotonicClock.nowMicroseconds()))
        note(error.message)
        connection?.close(1000, "")
    }

    /// Ends the connection once it has what was sent.
    func end() { connection?.close(1000, "") }

    /// Ends the connection without a word.
    ///
    /// - Parameter reason: A sentence without its full stop, for the log.
    func cut(_ reason: String) {
        guard let connection, connection.isOpen else { return }
        note(reason)
        connection.cut()
    }

    private func note(_ reason: String) {
        let who = hello.map { "The speaker \($0.speaker)" } ?? "A connection to the Snapcast port"
        port.core.services.log.log(.speakerEnded, "\(who) is closed: \(reason).", [.address(remote.text)])
    }
}
