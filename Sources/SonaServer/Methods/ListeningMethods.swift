internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `room.history`, `room.recap` and `room.audience`.
struct ListeningMethods: MethodArea {
    let access: RoomAccess

    private var history: HistoryStore { access.model.roomStorage.history }
    private var audiences: AudienceStore { access.model.roomStorage.audiences }

    static func area(of methods: Methods) -> ListeningMethods { methods.listening }

    static var methods: [Method] { [signedIn(plays), signedIn(recap), signedIn(audience)] }

    func plays(_ request: RoomHistory, _ asker: Asker) async throws -> PlayPage {
        let room = try await access.reach(request.room, asker)
        let page = try await history.page(of: room.id, before: request.before, limit: request.limit)
        let plays = page.plays.fitting(Limits.historyBytesMax)
        return PlayPage(plays: plays, nextBefore: plays.count < page.plays.count ? plays.last?.id : page.nextBefore)
    }

    /// - Throws: `history.too_long`.
    func recap(_ request: RoomRecap, _ asker: Asker) async throws -> RecapText {
        let room = try await access.reach(request.room, asker)
        var broadcast = request.session
        if broadcast == nil, request.fromMilliseconds == nil, request.toMilliseconds == nil {
            broadcast = try await history.last(of: room.id)?.session
        }
        let plays = try await history.recap(
            of: room.id, broadcast: broadcast, from: request.fromMilliseconds ?? .min,
            to: request.toMilliseconds ?? .max, limit: Limits.recapCountMax + 1)
        guard plays.count <= Limits.recapCountMax else { throw WireError(.historyTooLong) }
        let user = asker.user
        let (title, mayKnow) = try await room.onLoop {
            ($0.room.settings.title, $0.room.capabilities(of: user).contains(.host))
        }
        var audience: Audience?
        if mayKnow, let broadcast { audience = try await audiences.audience(of: room.id, session: broadcast) }
        let recap = Recap(room: room.id, title: title, plays: plays, audience: audience)
        let text =
            switch request.format {
            case .json: recap.json
            case .m3u: recap.m3u
            case .jspf: recap.jspf
            case .csv: recap.csv
            }
        guard text.utf8.count <= Limits.recapBytesMax else { throw WireError(.historyTooLong) }
        return RecapText(mediaType: request.format.mediaType, count: plays.count, text: text)
    }

    func audience(_ request: RoomAudience, _ asker: Asker) async throws -> AudiencePage {
        let room = try await access.reach(request.room, asker, with: .host)
        return try await audiences.page(of: room.id, before: request.before, limit: request.limit)
    }
}
