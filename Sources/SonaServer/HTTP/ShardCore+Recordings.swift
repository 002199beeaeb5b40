internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// The sound of recordings: `GET /v1/recordings/ID`.
///
/// Source: Protocol/spec/replays.md, "replay.recordings".
extension ShardCore {
    func playRecording(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        guard let id = RecordingID(String(request.path.dropFirst(Limits.recordingsPathPrefix.count))) else {
            return exchange.respond(.error(WireError(.recordingNotFound)))
        }
        let services = services
        respond(exchange, headers: { _ in [(name: "cache-control", value: "no-store")] }) { methods in
            // For `<audio>`, which sends no headers.
            guard let token = request.queryValue("t") else { throw WireError(.authRequired) }
            let now = MonotonicClock.wallMilliseconds()
            guard let account = services.library.tokens.verify(token, for: id, now: now) else {
                throw WireError(.authTokenInvalid)
            }
            let current = try services.model.accounts.current(account)
            guard try await services.model.accounts.lasts(current) else { throw WireError(.authTokenInvalid) }
            if current.isGuest, !services.live.takesGuests { throw WireError(.authAccountRequired) }
            return try await methods.recordings.sound(of: id, for: current, request, files: services.recordings.files)
        }
    }
}
