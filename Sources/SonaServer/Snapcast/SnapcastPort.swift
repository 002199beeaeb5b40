internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The port at which players that speak Snapcast's protocol connect. On the rooms' loop, where their times are answered.
///
/// Source: Protocol/spec/other-players.md, "Snapcast"; deploy/snapcast.md.
final class SnapcastPort {
    unowned let core: ShardCore  // Owns this.
    private var links: [UInt64: SnapcastLink] = [:]
    /// Connections of each address, or network.
    private var counts: [String: Int] = [:]
    private var lastNumber: UInt64 = 0
    private var ticks = 0

    /// Connections at a time, and of one address.
    private static let connectionsMax = 256
    private static let connectionsPerAddressMax = 32
    /// How often it is looked whether speakers may still hear their rooms, and whether those without one have one now, s.
    private static let lookSeconds = 20
    private static let limits = WebSocketLimits(text: 0, binary: 0, queue: 256 << 10, silence: nil)

    init(_ core: ShardCore) { self.core = core }

    // MARK: Connections

    /// Takes a connection; `nil` if there are too many, or its address is banned.
    func open(_ remote: RemoteAddress) -> (any WebSocketHandler, WebSocketLimits)? {
        guard !core.isDraining, !isBanned(remote), links.count < Self.connectionsMax,
            counts[remote.group, default: 0] < Self.connectionsPerAddressMax
                || core.services.live.isExempt(remote.text)
        else { return nil }
        counts[remote.group, default: 0] += 1
        lastNumber += 1
        let link = SnapcastLink(lastNumber, remote, self)
        if links.isEmpty { tickLater() }
        links[lastNumber] = link
        return (link, Self.limits)
    }

    func closed(_ link: SnapcastLink) {
        guard links.removeValue(forKey: link.number) != nil else { return }
        let count = counts[link.remote.group, default: 1] - 1
        counts[link.remote.group] = count > 0 ? count : nil
        link.desk?.leave(link)
    }

    /// Ends all connections: the server ends.
    func close() {
        for link in links.values { link.end() }
    }

    private func isBanned(_ remote: RemoteAddress) -> Bool {
        core.services.banned.refusal(of: remote, now: MonotonicClock.wallMilliseconds()) != nil
    }

    /// Ends the connections from addresses that are banned.
    func expelBanned() {
        for link in links.values where isBanned(link.remote) { link.cut("its address is banned") }
    }

    private func tickLater() {
        core.loop.schedule(after: .seconds(1)) { [unowned core] in core.snapcast?.tick() }
    }

    private func tick() {
        guard !links.isEmpty else { return }
        tickLater()
        ticks += 1
        let now = MonotonicClock.nowMicroseconds()
        for link in links.values { link.look(now: now) }
        guard ticks.isMultiple(of: Self.lookSeconds) else { return }
        for home in core.rooms.values { home.speakers?.check() }
        for link in links.values where link.desk == nil && link.hello != nil { seat(link) }
    }

    // MARK: Seats

    /// The speakers that are connected.
    var connected: Set<String> { Set(links.values.compactMap { $0.hello?.speaker }) }

    /// Connections, and those of them that hear a room.
    var figures: (connections: Int, listeners: Int) { (links.count, links.values.count { $0.desk != nil }) }

    /// Finds the room of a speaker that has said who it is, and lets it in.
    func seat(_ link: SnapcastLink) {
        guard let hello = link.hello else { return }
        link.seating += 1
        let (number, seating, isNew) = (link.number, link.seating, link.stored == nil)
        let (store, shard) = (core.services.model.roomStorage.speakers, core.shard)
        let access = SpeakerAccess(methods: core.methods, services: core.services)
        let (id, name, user, password) = (hello.speaker, hello.name, hello.sign?.user, hello.sign?.password)
        Task {
            do {
                let known = isNew ? nil : try await store.speaker(id)
                let stored: SpeakerStore.Stored
                if let known { stored = known } else { stored = try await store.came(id, name: name) }
                let seat = try await access.seat(stored, user.map { ($0, password ?? "") })
                await shard.perform { core in core.snapcast?.seat(number, seating, stored, seat) }
            } catch {
                let error = WireError(error)
                await shard.perform { core in core.snapcast?.refuse(number, seating, error) }
            }
        }
    }

    private func seat(_ number: UInt64, _ seating: Int, _ stored: SpeakerStore.Stored, _ seat: SpeakerSeat) {
        guard let link = links[number], link.seating == seating else { return }
        let isFirst = link.stored == nil
        if isFirst {
            // The same speaker once more: the connection before has broken, and nobody has noticed yet.
            for other in links.values where other !== link && other.hello?.speaker == link.hello?.speaker {
                other.cut("it has connected anew")
            }
        }
        let before = link.stored
        link.stored = stored
        guard case .room(let room, let state, let way) = seat else {
            if isFirst { link.begin() }
            return
        }
        if let desk = link.desk {
            // It has another right to hear the same room, and goes on.
            if desk.id == room.id { return desk.change(link, way) }
            desk.leave(link)
        }
        do throws(WireError) {
            let home = try core.home(room, state)
            try SpeakerDesk.of(home).enter(link, way, now: MonotonicClock.nowMicroseconds())
        } catch {
            // It is looked again.
            if before == nil { link.begin() }
        }
    }

    /// The room that a speaker names is not for it, or nothing can be read just now.
    private func refuse(_ number: UInt64, _ seating: Int, _ error: WireError) {
        guard let link = links[number], link.seating == seating else { return }
        link.desk?.leave(link)
        if error.code.isFailedSignIn || error.code == .authTokenInvalid {
            core.services.log.log(.authFailed, "A speaker's password was wrong.", [.address(link.remote.text)])
        }
        link.refuse(error)
    }

    // MARK: Changes

    /// What is stored of a speaker has changed.
    func changed(_ stored: SpeakerStore.Stored) {
        for link in links.values where link.hello?.speaker == stored.speaker.id && link.stored != nil {
            let isMoved = link.stored?.room != stored.room
            link.stored = stored
            link.tellSettings()
            if isMoved, link.hello?.sign == nil { move(link) }
        }
    }

    /// A speaker has been forgotten. If it is connected it begins anew.
    func forgotten(_ id: String) {
        for link in links.values where link.hello?.speaker == id && link.stored != nil {
            link.cut("it has been forgotten")
        }
    }

    /// Takes a speaker out of its room and looks for another.
    func move(_ link: SnapcastLink) {
        if let desk = link.desk {
            desk.leave(link)
            // What it has is thrown away.
            link.begin()
        }
        seat(link)
    }

    /// A speaker's volume was changed at the speaker.
    func noteVolume(_ link: SnapcastLink) {
        guard !link.isStoring, let told = link.told, let id = link.hello?.speaker, link.stored != nil else { return }
        link.told = nil
        link.isStoring = true
        link.stored?.speaker.volume = told.volume
        link.stored?.speaker.isMuted = told.isMuted
        let (number, store, shard) = (link.number, core.services.model.roomStorage.speakers, core.shard)
        Task {
            _ = try? await store.changed(id, volume: told.volume, isMuted: told.isMuted)
            // One write at a time, and not more than a few a second.
            try? await Task.sleep(for: .milliseconds(200))
            await shard.perform { core in
                guard let port = core.snapcast, let link = port.links[number] else { return }
                link.isStoring = false
                port.noteVolume(link)
            }
        }
    }
}
