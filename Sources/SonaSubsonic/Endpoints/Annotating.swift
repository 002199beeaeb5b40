internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Stars, ratings, and what was heard.
extension Call {
    func star(_ isLiked: Bool) async throws -> Element {
        var targets: [(LikeKind, MusicID)] = []
        for id in try parameters.ids("id") {
            // Apps that browse folders star albums and artists by `id`, too.
            guard let kind = try await finder.kind(of: id) else { throw SubsonicError.notFound }
            targets.append((kind, id))
        }
        targets += try parameters.ids("albumId").map { (.album, $0) }
        targets += try parameters.ids("artistId").map { (.artist, $0) }
        guard !targets.isEmpty else { throw SubsonicError.missing("id") }
        for (kind, id) in targets { _ = try await ask(LikeSet(target: .item(kind, id), isLiked: isLiked)) }
        return Element()
    }

    func rate() async throws -> Element {
        let id = try parameters.id()
        guard let rating = try parameters.number("rating") else { throw SubsonicError.missing("rating") }
        guard 0...5 ~= rating else { throw SubsonicError(.generic, "rating must be 0 to 5.") }
        guard let kind = try await finder.kind(of: id) else { throw SubsonicError.notFound }
        _ = try await ask(RatingSet(target: .item(kind, id), rating: rating == 0 ? nil : rating))
        return Element()
    }

    /// Most songs of one request, and how old one may be: an app tells afterwards what was heard without a line.
    private static let (scrobblesMax, scrobbleMilliseconds) = (200, Int64(30 * 86_400_000))

    /// A song that was heard is written as a whole one. Songs that begin only are not written.
    func scrobble() async throws -> Element {
        let ids = try parameters.ids("id")
        guard !ids.isEmpty else { throw SubsonicError.missing("id") }
        guard ids.count <= Self.scrobblesMax else {
            throw SubsonicError(.generic, "At most \(Self.scrobblesMax) songs are taken at once.")
        }
        let tracks = try await finder.shelvedTracks(ids, for: listener)
        guard tracks.count == ids.count else { throw SubsonicError.notFound }
        guard try parameters.flag("submission") ?? true else { return Element() }
        let (times, now) = (parameters.all("time"), library.clock.nowMilliseconds())
        for (place, shelved) in tracks.enumerated() {
            try service.host.take(PlayReport.type, account)
            let track = shelved.track
            guard track.access == .full else { continue }
            let told = place < times.count ? Int64(times[place]) : nil
            let duration = max(0, track.durationMilliseconds)
            let at = min(max(told ?? now - duration, now - Self.scrobbleMilliseconds), now)
            _ = try await library.plays.record(
                Plays.Hearing(
                    track: track.id, key: "s:\(at):\(track.id.rawValue)", atMilliseconds: at,
                    heardMilliseconds: duration > 0 ? duration : Limits.playMilliseconds, source: .alone),
                for: listener)
        }
        return Element()
    }
}
