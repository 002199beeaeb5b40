internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// `play.*` and `stats.get`: what accounts have heard.
struct PlayMethods: MethodArea {
    let library: Library
    let streams: StreamLedger
    let scrobbler: Scrobbler

    static func area(of methods: Methods) -> PlayMethods { methods.plays }

    static var methods: [Method] {
        [
            signedIn(report), signedIn(list, .apart), signedIn(clear), signedIn(settings), signedIn(stats, .apart),
            signedIn(recount),
        ]
    }

    /// Believes of a report what fits to what was sent: `StreamLedger.bound`.
    func report(_ request: PlayReport, _ asker: Asker) async throws -> PlayReceipt {
        let now = library.clock.nowMilliseconds()
        let listener = try await library.listener(for: asker.account)
        let track = try await library.finder.track(request.track, for: listener)
        var key = StreamLedger.Key.account(asker.uid, request.track)
        if let token = request.token {
            guard let claims = library.tokens.verify(token, for: request.track, now: now),
                claims.account.uid == asker.uid
            else { throw WireError(.requestInvalid, "This is no token for the track.", field: "data.token") }
            key = .token(token)
        }
        // A preview is not the track.
        guard track.access == .full,
            let bound = streams.bound(key, hearing: request.key, duration: track.durationMilliseconds, now: now)
        else { return PlayReceipt(isCounted: false, heardMilliseconds: 0) }
        let heard = min(request.heardMilliseconds, bound.heard)
        let isCounted = try await library.plays.record(
            Plays.Hearing(
                track: request.track, key: "c:\(request.key)",
                atMilliseconds: min(max(request.startedMilliseconds, bound.sinceMilliseconds), now - heard),
                heardMilliseconds: heard, source: .alone), for: listener)
        if !isCounted, heard > 0 { scrobbler.plays(request.track, asker.uid) }
        return PlayReceipt(isCounted: isCounted, heardMilliseconds: heard)
    }

    func list(_ request: PlayList, _ asker: Asker) async throws -> PlayedPage {
        try await library.finder.plays(request, for: try await library.listener(for: asker.account))
    }

    func clear(_ request: PlayClear, _ asker: Asker) async throws -> PlayClearResult {
        PlayClearResult(cleared: try await library.plays.clear(request, of: asker.uid))
    }

    func settings(_ request: PlaySettings, _ asker: Asker) async throws -> PlaySettingsResult {
        PlaySettingsResult(settings: try await library.plays.settings(request, of: asker.uid))
    }

    func stats(_ request: StatsGet, _ asker: Asker) async throws -> Stats {
        try await library.finder.stats(request, for: try await library.listener(for: asker.account))
    }

    /// - Parameter asker: `nil` for the operator.
    func recount(_ request: LibraryRecount, _ asker: Asker?) async throws -> LibraryRecountResult {
        try await library.plays.recount()
    }
}
