internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `share.send`.
struct SharingMethods: MethodArea {
    let access: RoomAccess
    let library: Library

    static func area(of methods: Methods) -> SharingMethods { methods.sharing }

    static var methods: [Method] { [signedIn(send)] }

    func send(_ request: ShareSend, _ asker: Asker) async throws -> Empty {
        let model = access.model
        let details = try await model.people.details(of: request.user, for: asker.uid)
        // Strangers can't write to people by sharing.
        guard details.relation?.isFollowedBy == true else { throw WireError(.shareNotFollowed) }
        var (shared, filtered) = (NewNotification(.shared, from: asker.uid), FilteredTexts(model.words))
        guard request.seconds == nil || request.track != nil else {
            throw WireError(.requestInvalid, "Only a track has moments.", field: "data.at_s")
        }
        shared.text = try filtered.take(ifPresent: request.text, "data.text")
        switch (request.room, request.track, request.album, request.playlist) {
        case (let room?, nil, nil, nil):
            let reached = try await access.reach(room, asker)
            (shared.room, shared.title) = (reached.id, try await reached.onLoop { $0.room.settings.title })
        case (nil, let track?, nil, nil):
            let found = try await library.finder.track(track, for: try await library.listener(for: asker.account))
            (shared.track, shared.title) = (found.id, found.title)
            // A moment past the end is none, as in a link.
            shared.seconds = request.seconds.flatMap { Int64($0) * 1_000 < found.durationMilliseconds ? $0 : nil }
        case (nil, nil, let album?, nil):
            let found = try await library.finder.album(album, for: try await library.listener(for: asker.account))
            (shared.album, shared.title) = (found.album.id, found.album.name)
        case (nil, nil, nil, let playlist?):
            let found = try await library.playlists.get(
                PlaylistGet(playlist: playlist, limit: 1), for: try await library.listener(for: asker.account))
            (shared.playlist, shared.title) = (playlist, found.playlist.title)
        default:
            throw WireError(.requestInvalid, "Name one room, track, album or playlist.", field: "data.room")
        }
        try await model.notifications.send(shared, to: [details.user.uid])
        await model.reports.flag(filtered.flagged, shared.text ?? "", about: .user(asker.uid), by: asker.uid)
        return Empty()
    }
}
