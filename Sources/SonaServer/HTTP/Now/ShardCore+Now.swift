internal import SonaBase
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// What is heard in public rooms, for pages of all origins: as a document, and as a stream of events.
///
/// Source: Protocol/spec/listening.md, "What is heard, over HTTP".
extension ShardCore {
    /// The room that a path is about, and whether its events are asked for; `nil` for other paths.
    static func nowPath(_ path: String) -> (room: RoomID, isStream: Bool)? {
        guard path.hasPrefix(Limits.roomsPathPrefix) else { return nil }
        for (ending, isStream) in [(Limits.nowPathEnding, false), (Limits.nowEventsPathEnding, true)]
        where path.hasSuffix(ending) {
            return RoomID(String(path.dropFirst(Limits.roomsPathPrefix.count).dropLast(ending.count))).map {
                ($0, isStream)
            }
        }
        return nil
    }

    func showNow(_ room: RoomID, isStream: Bool, _ request: HTTPRequest, _ exchange: ExchangeLink) {
        let (rooms, shard, opens) = (methods.rooms, self.shard, isStream && request.method == .get)
        Task {
            guard let found = await rooms.publicRoom(.id(room)) else {
                return exchange.respond(HTTPResponse.forAll(.text(404, "There is no public room of this name.")))
            }
            let (document, file) = await shard.perform { core -> (NowDocument, GrowingFile?) in
                let document = core.nowDocument(of: room) ?? core.nowDocument(asleep: found)
                return (document, opens ? core.nowStreams.open(room, beginning: document) : nil)
            }
            guard isStream else { return exchange.respond(HTTPResponse.forAll(.json(200, document.encoded()))) }
            guard !opens || file != nil else {
                return exchange.respond(HTTPResponse.forAll(.text(503, "There are too many streams just now.")))
            }
            var response = HTTPResponse(
                contentType: "text/event-stream", headers: [(name: "cache-control", value: "no-store")])
            response.growing = file
            exchange.respond(HTTPResponse.forAll(response))
        }
    }

    /// - Returns: `nil` for a room that is asleep, or not public any more.
    func nowDocument(of id: RoomID) -> NowDocument? {
        guard let home = rooms[id], home.room.description().settings.visibility == .public else { return nil }
        let (room, now) = (home.room, MonotonicClock.nowMicroseconds())
        let heard = room.tracks.view(at: now)
        return NowDocument(
            room: room.description(), nowPlaying: heard.current, upcomingTracks: heard.upcoming,
            playback: home.playback(now: now).playback, serverMicroseconds: now,
            serverMilliseconds: MonotonicClock.wallMilliseconds())
    }

    private func nowDocument(asleep found: RoomNow) -> NowDocument {
        let now = MonotonicClock.nowMicroseconds()
        return NowDocument(
            room: found.room, nowPlaying: nil, upcomingTracks: [],
            playback: Playback(
                state: .stopped, anchorMicroseconds: now, positionMicroseconds: 0, revision: 0, epoch: 0),
            serverMicroseconds: now, serverMilliseconds: MonotonicClock.wallMilliseconds())
    }
}

extension HTTPResponse {
    /// What pages of all origins may read.
    fileprivate static func forAll(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.headers.append((name: "access-control-allow-origin", value: "*"))
        return response
    }
}
