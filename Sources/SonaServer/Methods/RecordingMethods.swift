internal import Glibc
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// `replay.recordings` and what belongs to it: the sound of hosts that is kept.
struct RecordingMethods: MethodArea {
    let access: RoomAccess
    let replays: ReplayMethods
    let tokens: MediaTokens

    private var store: RecordingStore { access.model.roomStorage.recordings }

    static func area(of methods: Methods) -> RecordingMethods { methods.recordings }

    static var methods: [Method] { [signedIn(recordings), signedIn(remove)] }

    func recordings(_ request: ReplayRecordings, _ asker: Asker) async throws -> RecordingPage {
        let (replay, _) = try await replays.reach(request.replay, asker)
        let found = try await store.recordings(of: request.replay, after: request.after, limit: request.limit)
        let page = found.prefix(request.limit)
        let now = MonotonicClock.wallMilliseconds()
        let told = page.map { recording, host in
            let token = tokens.make(for: asker.account, recording.id, now: now)
            return Recording(
                id: recording.id, atMilliseconds: recording.startMilliseconds - replay.startMilliseconds,
                lengthMilliseconds: recording.lengthMilliseconds, host: host,
                stream: "\(Limits.recordingsPathPrefix)\(recording.id)?t=\(token)")
        }
        return RecordingPage(
            recordings: told, nextAfter: found.count > request.limit ? page.last?.recording.id : nil)
    }

    func remove(_ request: ReplayRemoveRecording, _ asker: Asker) async throws -> Empty {
        let recording = try await store.recording(request.recording)
        do {
            if recording.host != asker.uid {
                _ = try await access.reach(.id(recording.room), asker, needsEntry: false)
            }
            try await store.remove(request.recording, by: asker.uid)
        } catch {
            guard WireError(error).code == .roomNotFound else { throw error }
            throw WireError(.recordingNotFound)
        }
        return Empty()
    }

    /// The answer with the sound of a recording that is still there.
    func sound(
        of id: RecordingID, for account: Accounts.Account, _ request: HTTPRequest, files: RecordingFiles
    ) async throws -> HTTPResponse {
        let recording = try await store.recording(id)
        if recording.host != account.uid {
            // Whoever may not see the room any more does not hear it either.
            do {
                let stored = try await access.resolve(.id(recording.room), account)
                try await access.refuseIfBanned(account, from: stored.id)
            } catch { throw WireError(.recordingNotFound) }
        }
        guard let file = BodyFile(taking: Glibc.open(files.path(id), O_RDONLY | O_CLOEXEC)) else {
            throw WireError(.recordingNotFound)
        }
        // A file that grows has another tag, and another size, each time.
        return HTTPResponse.file(
            file, to: request, contentType: "audio/ogg", tag: "\"\(id).\(file.size)\"",
            headers: [
                (name: "cache-control", value: "private, no-cache"),
                (name: "x-content-type-options", value: "nosniff"),
                (name: "cross-origin-resource-policy", value: "same-origin"),
            ])
    }
}
