internal import SonaCrypto
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Who a player that knows nothing of rooms is counted as.
enum RadioAudience: Sendable, Hashable {
    /// Whoever made the signed address.
    case account(User)
    /// A network address, as limits count it.
    case address(String)
    /// A speaker, by what it calls itself.
    case speaker(String)
}

/// The listeners by HTTP of one room, and the byte streams that they share. On the room's loop.
///
/// A stream is made when its first listener comes and dropped when its last one has gone. While there is one, a timer
/// fills the room's silence; when it has been silent for `radio-silence`, the streams end.
final class RadioDesk {
    private unowned let home: RoomHome  // Owns this.
    private var mounts: [RadioForm: Mount] = [:]
    /// What is encoded for them.
    private var encodings: [MP3Kind: Encoding] = [:]
    private var listeners: [UInt64: Listener] = [:]
    private var isTicking = false
    private var timer: EventLoop.Timer?
    /// When the last packet came, or the first listener, µs.
    private var soundedAt: Int64
    private var checkedAt: Int64 = 0

    private enum Source {
        case ogg(OggRadio)
        case mp3(ICYStream)
    }

    private struct Mount {
        let id: RadioID
        var source: Source
        /// Bytes and packets that wait for more, so that they go out together.
        var waiting: [UInt8] = []
        var waitingPackets = 0

        var burst: [UInt8] {
            switch source {
            case .ogg(let ogg): ogg.burst
            case .mp3(let stream): stream.burst
            }
        }
    }

    private struct Encoding {
        let radio: MP3Radio
        let number: UInt64
        var timeline: RadioTimeline
    }

    private struct Listener {
        let form: RadioForm
        let audience: RadioAudience
        let account: Accounts.Account?
        let mailbox: HubMailbox
        let link: RadioLink
        /// Where it is.
        let address: String
    }

    private static let tick = Duration.milliseconds(200)
    /// How late the sound of a room may be until silence is put in its place, µs.
    private static let patience: Int64 = 300_000
    /// How often it is looked whether listeners may still hear the room, µs.
    private static let checkMicroseconds: Int64 = 20_000_000
    static let vendor = "Sona \(ServerVersion.number)"

    init(_ home: RoomHome, now: Int64) {
        self.home = home
        soundedAt = now
    }

    // MARK: Listeners

    var count: Int { listeners.count }
    var forms: [RadioForm] { listeners.values.map(\.form) }
    var audience: [RadioAudience] { listeners.values.map(\.audience) }

    /// Lets a listener in, and has its loop answer it.
    ///
    /// - Throws: `room.full`; `server.busy` if as much is encoded as may be.
    func enter(
        _ form: RadioForm, _ audience: RadioAudience, _ account: Accounts.Account?, _ exchange: ExchangeLink,
        _ response: HTTPResponse, now: Int64
    ) throws(WireError) {
        guard listeners.count + home.room.members.count < Limits.listenersPerRoomMax,
            let mailbox = home.core.mailboxes.first(where: { $0.loop === exchange.loop })
        else { throw WireError(.roomFull) }
        // What waits is in the burst: it goes to the others first, and to this one once.
        flush(form)
        let mount: Mount
        if let known = mounts[form] { mount = known } else { mount = try begin(form, now: now) }
        let number = home.core.nextRadioNumber()
        let link = RadioLink(mount.id, listener: number, mailbox)
        listeners[number] = Listener(
            form: form, audience: audience, account: account, mailbox: mailbox, link: link,
            address: exchange.origin.address)
        let burst = mount.burst
        mailbox.tell { $0.beginRadio(link, exchange, response, burst) }
        home.noteAudience(entering: audience)
        noteCount(now: now)
        if !isTicking {
            isTicking = true
            schedule()
        }
    }

    func leave(_ number: UInt64) {
        guard let gone = listeners.removeValue(forKey: number) else { return }
        if !listeners.values.contains(where: { $0.form == gone.form }) { mounts[gone.form] = nil }
        encodings = encodings.filter { kind, _ in mounts.keys.contains { $0.kind == kind } }
        noteCount(now: MonotonicClock.nowMicroseconds())
    }

    private func noteCount(now: Int64) {
        home.noteRadio(now: now)
    }

    // MARK: Sound

    private func begin(_ form: RadioForm, now: Int64) throws(WireError) -> Mount {
        let configuration = home.core.services.configuration
        let burst = max(100, Int64(configuration.radioBurstMilliseconds)) * 1_000
        let number = home.core.nextRadioNumber()
        let source: Source
        switch form {
        case .opus:
            let serial = SecureRandom.bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
            var ogg = OggRadio(vendor: Self.vendor, comments: [], serial: serial, burstMicroseconds: burst)
            for (chunk, info) in recent() { _ = ogg.take(chunk, info, title: title(chunk)) }
            if ogg.edge ?? 0 < now { _ = ogg.fill(to: now, title: title(at: now)) }
            source = .ogg(ogg)
        case .mp3(let kind, let hasMetadata):
            source = .mp3(
                ICYStream(
                    frameBytes: kind.bitrate * 3, hasMetadata: hasMetadata, title: title(at: now).line,
                    burstMicroseconds: burst))
            if encodings[kind] == nil { try begin(kind, now: now) }
        }
        let mount = Mount(id: RadioID(room: home.id, number: number, form: form), source: source)
        mounts[form] = mount
        soundedAt = now
        return mount
    }

    /// Begins to encode, with what the room has kept.
    private func begin(_ kind: MP3Kind, now: Int64) throws(WireError) {
        let busy = home.core.rooms.values.reduce(0) { $0 + ($1.radio?.encodingCount ?? 0) }
        guard busy < home.core.services.configuration.radioEncodings else {
            throw WireError(.serverBusy, "As many rooms are encoded as may be.", retryAfterMilliseconds: 10_000)
        }
        let (shard, room, number) = (home.core.shard, home.id, home.core.nextRadioNumber())
        let radio: MP3Radio
        do {
            radio = try MP3Radio(kind) { made in
                shard.post { $0.rooms[room]?.radio?.take(made, of: kind, number) }
            }
        } catch { throw WireError(.serverBusy, "The sound can't be encoded: \(error).") }
        var encoding = Encoding(radio: radio, number: number, timeline: RadioTimeline())
        for (chunk, info) in recent() { _ = radio.take(encoding.timeline.take(chunk, info, title: title(chunk))) }
        if encoding.timeline.edge ?? 0 < now { _ = radio.take(encoding.timeline.fill(to: now, title: title(at: now))) }
        encodings[kind] = encoding
    }

    var encodingCount: Int { encodings.count }

    /// The packets that the room has kept. What came before the track that is heard has a title that is not known any more.
    private func recent() -> [(AudioChunk, StreamInfo)] {
        let burst = Int64(home.core.services.configuration.radioBurstMilliseconds) * 1_000
        let from = max(home.room.tracks.currentSince ?? 0, (home.room.soundEdge ?? 0) - burst)
        return home.outlet.recent(from: 0, to: .max).compactMap { chunk in
            guard chunk.header.playAtMicroseconds >= from, let info = home.room.streamInfo(of: chunk.header.epoch)
            else {
                return nil
            }
            return (chunk, info)
        }
    }

    private func title(_ chunk: AudioChunk) -> OggRadio.Title { title(at: chunk.header.playAtMicroseconds) }

    private func title(at time: Int64) -> OggRadio.Title {
        OggRadio.Title(home.room.tracks.track(at: time), room: home.room.settings.title)
    }

    /// Takes a packet that the room has been sent.
    func take(_ chunk: AudioChunk, now: Int64) {
        guard !mounts.isEmpty, let info = home.room.streamInfo(of: chunk.header.epoch) else { return }
        soundedAt = now
        let title = title(at: max(chunk.header.playAtMicroseconds, info.startMicroseconds))
        send { $0.take(chunk, info, title: title) }
        encode { $0.take(chunk, info, title: title) }
    }

    private func send(_ body: (inout OggRadio) -> [OggRadio.Piece]) {
        for (form, var mount) in mounts {
            guard case .ogg(var ogg) = mount.source else { continue }
            let pieces = body(&ogg)
            mount.source = .ogg(ogg)
            mounts[form] = mount
            guard !pieces.isEmpty else { continue }
            deliver(pieces.flatMap(\.bytes), packets: pieces.reduce(0) { $0 + $1.packets }, to: mount.id)
        }
    }

    private func encode(_ body: (inout RadioTimeline) -> [RadioTimeline.Step]) {
        for (kind, var encoding) in encodings {
            let steps = body(&encoding.timeline)
            encodings[kind] = encoding
            if !steps.isEmpty, !encoding.radio.take(steps) { home.core.figures.radioStepsLost &+= 1 }
        }
    }

    /// Takes what was encoded.
    func take(_ made: [MP3Radio.Output], of kind: MP3Kind, _ number: UInt64) {
        guard encodings[kind]?.number == number else { return }
        for (form, var mount) in mounts where form.kind == kind {
            guard case .mp3(var stream) = mount.source else { continue }
            for output in made {
                switch output {
                case .title(let title): stream.change(to: title.line)
                case .frames(let bytes):
                    for block in stream.take(bytes) {
                        mount.waiting += block.bytes
                        mount.waitingPackets += block.frames
                    }
                }
            }
            mount.source = .mp3(stream)
            // Some 100 ms together, as the pages of Ogg.
            if mount.waitingPackets >= 2 * ICYStream.blockFrames {
                deliver(mount.waiting, packets: mount.waitingPackets, to: mount.id)
                (mount.waiting, mount.waitingPackets) = ([], 0)
            }
            mounts[form] = mount
        }
    }

    private func flush(_ form: RadioForm) {
        guard var mount = mounts[form], !mount.waiting.isEmpty else { return }
        deliver(mount.waiting, packets: mount.waitingPackets, to: mount.id)
        (mount.waiting, mount.waitingPackets) = ([], 0)
        mounts[form] = mount
    }

    private func deliver(_ bytes: [UInt8], packets: Int, to id: RadioID) {
        for mailbox in home.core.mailboxes { mailbox.tell { $0.deliverRadio(bytes, packets: packets, to: id) } }
    }

    // MARK: Time

    private func schedule() {
        timer = home.after(Self.tick) { $0.radio?.look() }
    }

    private func look() {
        guard !listeners.isEmpty else {
            isTicking = false
            home.radio = nil
            return
        }
        let now = MonotonicClock.nowMicroseconds()
        let seconds = home.core.services.configuration.radioSilenceSeconds
        if now - soundedAt > Int64(seconds) * 1_000_000 + Self.patience + home.room.leadMicroseconds { return end() }
        // A player that has played all it had stops: what it is sent is not to end before now.
        let (late, title) = (now - Self.patience / 3, title(at: now))
        send { $0.edge ?? 0 < late ? $0.fill(to: now, title: title) : [] }
        encode { $0.edge ?? 0 < late ? $0.fill(to: now, title: title) : [] }
        if now - checkedAt > Self.checkMicroseconds { checkListeners() }
        schedule()
    }

    /// Ends all streams: the room has ended, or has been silent for too long.
    func end() {
        send { $0.end() }
        for mount in mounts.values {
            for mailbox in home.core.mailboxes { mailbox.tell { [id = mount.id] in $0.endRadio(id) } }
        }
        // Those on whose loop nothing has begun yet end as well.
        for listener in listeners.values { listener.mailbox.tell { _ in listener.link.cut() } }
        listeners = [:]
        mounts = [:]
        encodings = [:]
        if let timer { home.core.loop.cancel(timer) }
        isTicking = false
        home.radio = nil
        noteCount(now: MonotonicClock.nowMicroseconds())
    }

    /// Ends the connections of those who may not hear the room any more.
    func checkListeners() {
        checkedAt = MonotonicClock.nowMicroseconds()
        let isOpen = home.room.isOpenToAll && home.core.services.live.takesGuests
        let wall = MonotonicClock.wallMilliseconds()
        for (number, listener) in listeners {
            guard let account = listener.account else {
                if !isOpen { cut(number, listener) }
                continue
            }
            let isRefusedGuest = account.isGuest && !home.core.services.live.takesGuests
            if isRefusedGuest || !home.room.admits(User(account), wall: wall) {
                cut(number, listener)
                continue
            }
            let (shard, accounts, room) = (home.core.shard, home.core.services.model.accounts, home.id)
            Task {
                // What cannot be read now is looked at again.
                let lasts = (try? accounts.current(account)) != nil
                guard let isKept = try? await accounts.lasts(account), !(lasts && isKept) else { return }
                await shard.perform { $0.rooms[room]?.radio?.cut(number) }
            }
        }
    }

    /// Ends the connections from addresses that are banned.
    func expelBanned() {
        let (banned, wall) = (home.core.services.banned, MonotonicClock.wallMilliseconds())
        for (number, listener) in listeners
        where banned.refusal(of: RemoteAddress(text: listener.address), now: wall) != nil { cut(number, listener) }
    }

    private func cut(_ number: UInt64) {
        if let listener = listeners[number] { cut(number, listener) }
    }

    private func cut(_ number: UInt64, _ listener: Listener) {
        listener.mailbox.tell { _ in listener.link.cut() }
        leave(number)
    }
}

extension RadioForm {
    /// What is encoded for it.
    fileprivate var kind: MP3Kind? {
        if case .mp3(let kind, _) = self { kind } else { nil }
    }
}

extension LiveRoom {
    /// Whether anybody may hear it without saying who they are.
    var isOpenToAll: Bool {
        settings.visibility == .public && settings.allowsGuests && !settings.hasWaitingRoom
    }

    /// Whether somebody may be in the room.
    func admits(_ user: User, wall: Int64) -> Bool {
        (try? admit(user, wall: wall)) != nil
    }
}

extension Hub {
    func beginRadio(_ link: RadioLink, _ exchange: ExchangeLink, _ response: HTTPResponse, _ burst: [UInt8]) {
        link.begin(exchange.number, response, burst: burst, in: self)
    }
}
