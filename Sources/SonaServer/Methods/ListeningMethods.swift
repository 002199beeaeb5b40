internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `room.history` and `room.recap`.
struct ListeningMethods: MethodArea {
    let access: RoomAccess

    private var history: HistoryStore { access.model.roomStorage.history }

    static func area(of methods: Methods) -> ListeningMethods { methods.listening }

    static var methods: [Method] { [signedIn(plays), signedIn(recap)] }

    func plays(_ request: RoomHistory, _ asker: Asker) async throws -> PlayPage {
        let room = try await access.reach(request.room, asker)
        return PlayPage(try await history.page(of: room.id, before: request.before, limit: request.limit))
    }

    /// - Throws: `history.too_long`.
    func recap(_ request: RoomRecap, _ asker: Asker) async throws -> RecapText {
        let room = try await access.reach(request.room, asker)
        var broadcast = request.session
        if broadcast == nil, request.fromMilliseconds == nil, request.toMilliseconds == nil {
            broadcast = try await history.last(of: room.id)?.broadcast
        }
        let entries = try await history.recap(
            of: room.id, broadcast: broadcast, from: request.fromMilliseconds ?? .min,
            to: request.toMilliseconds ?? .max, limit: Limits.recapCountMax + 1)
        guard entries.count <= Limits.recapCountMax else { throw WireError(.historyTooLong) }
        let title = try await room.onLoop { $0.room.settings.title }
        let recap = Recap(room: room.id, title: title, entries: entries)
        let text =
            switch request.format {
            case .json: recap.json
            case .m3u: recap.m3u
            case .jspf: recap.jspf
            }
        guard text.utf8.count <= Limits.recapBytesMax else { throw WireError(.historyTooLong) }
        return RecapText(mediaType: request.format.mediaType, count: entries.count, text: text)
    }
}

extension PlayPage {
    /// The newest plays, as many as fit into one reply.
    fileprivate init(_ page: HistoryStore.Page) {
        var bytes = 0
        var plays: [RoomPlay] = []
        for entry in page.entries {
            let play = RoomPlay(entry, host: entry.host.flatMap { page.hosts[$0] })
            bytes += play.encoded().count + 1
            if bytes > Limits.historyBytesMax, !plays.isEmpty { break }
            plays.append(play)
        }
        let isCut = plays.count < page.entries.count
        self.init(plays: plays, nextBefore: isCut ? plays.last?.id : page.nextBefore)
    }
}

extension RoomPlay {
    fileprivate init(_ entry: HistoryStore.Entry, host: User?) {
        self.init(
            id: entry.id, session: entry.broadcast, atMilliseconds: max(0, entry.atMilliseconds), track: entry.track,
            host: host)
    }
}
