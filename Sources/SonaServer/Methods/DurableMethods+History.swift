internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `room.history` and `room.recap`.
extension DurableMethods {
    static let history: [DurableMethod] = [
        .signedIn(RoomHistory.self) { (methods, request, account, caller) async throws(WireError) in
            let id = try await methods.place(request.room, account, caller)
            let page = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.history.page(of: id, before: request.before, limit: request.limit)
            }
            return DurableOutcome(PlayPage(page))
        },
        .signedIn(RoomRecap.self) { (methods, request, account, caller) async throws(WireError) in
            let id = try await methods.place(request.room, account, caller)
            return DurableOutcome(try await methods.recap(request, of: id))
        },
    ]

    /// - Throws: `history.too_long`.
    private func recap(_ request: RoomRecap, of id: RoomID) async throws(WireError) -> RecapText {
        let history = model.roomStorage.history
        let entries = try await inRoomStorage { () async throws(RoomStorageError) in
            var broadcast = request.session
            if broadcast == nil, request.fromMilliseconds == nil, request.toMilliseconds == nil {
                broadcast = try await history.last(of: id)?.broadcast
            }
            return try await history.recap(
                of: id, broadcast: broadcast, from: request.fromMilliseconds ?? .min,
                to: request.toMilliseconds ?? .max,
                limit: Limits.recapCountMax + 1)
        }
        guard entries.count <= Limits.recapCountMax else { throw WireError(.historyTooLong) }
        let title = try await on(id) { .success($0.room.settings.title) }
        let recap = Recap(room: id, title: title, entries: entries)
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
    /// As many as fit into one message, the newest of them.
    init(_ page: HistoryStore.Page) {
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
    init(_ entry: HistoryStore.Entry, host: User?) {
        self.init(
            id: entry.id, session: entry.broadcast, atMilliseconds: max(0, entry.atMilliseconds), track: entry.track,
            host: host)
    }
}
