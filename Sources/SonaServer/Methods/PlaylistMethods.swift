internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// `playlist.*`.
struct PlaylistMethods: MethodArea {
    let library: Library
    let model: Model

    private var playlists: Playlists { library.playlists }

    static func area(of methods: Methods) -> PlaylistMethods { methods.playlists }

    static var methods: [Method] {
        [
            signedIn(create), signedIn(get, .apart), signedIn(list, .apart), signedIn(update), signedIn(delete),
            signedIn(pin), signedIn(copy), signedIn(add), signedIn(remove), signedIn(move), signedIn(shuffled, .apart),
            signedIn(preview, .apart), signedIn(invite), signedIn(accept), signedIn(collaborators, .apart),
            signedIn(leave),
            signedIn(export, .apart), signedIn(read), signedIn(removePicture),
        ]
    }

    private func listener(_ asker: Asker) async throws -> Listener { try await library.listener(for: asker.account) }

    // MARK: Lists

    func create(_ request: PlaylistCreate, _ asker: Asker) async throws -> PlaylistResult {
        var (request, texts) = (request, FilteredTexts(model.words))
        request.title = try texts.take(request.title, "data.title")
        request.about = try texts.take(request.about, "data.description")
        let made = try await playlists.create(request, by: try await listener(asker))
        await flag(texts, made, asker)
        return PlaylistResult(playlist: made)
    }

    func get(_ request: PlaylistGet, _ asker: Asker) async throws -> PlaylistPage {
        try await playlists.get(request, for: try await listener(asker))
    }

    func list(_ request: PlaylistList, _ asker: Asker) async throws -> PlaylistListPage {
        try await playlists.list(request, for: try await listener(asker))
    }

    func update(_ request: PlaylistUpdate, _ asker: Asker) async throws -> PlaylistResult {
        var (request, texts) = (request, FilteredTexts(model.words))
        request.title = try texts.take(ifPresent: request.title, "data.title")
        request.about = try texts.take(ifPresent: request.about, "data.description")
        let updated = try await playlists.update(request, by: try await listener(asker))
        await flag(texts, updated, asker)
        return PlaylistResult(playlist: updated)
    }

    private func flag(_ texts: FilteredTexts, _ playlist: Playlist, _ asker: Asker) async {
        let quote = [playlist.title, playlist.about].filter { !$0.isEmpty }.joined(separator: "\n")
        await model.reports.flag(texts.flagged, quote, about: .user(asker.uid), by: asker.uid)
    }

    func delete(_ request: PlaylistDelete, _ asker: Asker) async throws -> Empty {
        try await playlists.delete(request.playlist, by: try await listener(asker))
        return Empty()
    }

    func pin(_ request: PlaylistPin, _ asker: Asker) async throws -> PlaylistResult {
        PlaylistResult(playlist: try await playlists.pin(request, by: try await listener(asker)))
    }

    func copy(_ request: PlaylistCopy, _ asker: Asker) async throws -> PlaylistResult {
        var (request, texts) = (request, FilteredTexts(model.words))
        request.title = try texts.take(ifPresent: request.title, "data.title")
        let copy = try await playlists.copy(request, by: try await listener(asker))
        await flag(texts, copy, asker)
        return PlaylistResult(playlist: copy)
    }

    // MARK: Entries

    func add(_ request: PlaylistAdd, _ asker: Asker) async throws -> PlaylistEdit {
        try await playlists.add(request, by: try await listener(asker))
    }

    func remove(_ request: PlaylistRemove, _ asker: Asker) async throws -> PlaylistEdit {
        try await playlists.remove(request, by: try await listener(asker))
    }

    func move(_ request: PlaylistMove, _ asker: Asker) async throws -> PlaylistEdit {
        try await playlists.move(request, by: try await listener(asker))
    }

    func shuffled(_ request: PlaylistShuffled, _ asker: Asker) async throws -> PlaylistPage {
        try await playlists.shuffled(request, for: try await listener(asker))
    }

    func preview(_ request: PlaylistPreview, _ asker: Asker) async throws -> PlaylistPreviewed {
        try await playlists.preview(request, for: try await listener(asker))
    }

    // MARK: People

    func invite(_ request: PlaylistInvite, _ asker: Asker) async throws -> PlaylistInvitation {
        try await playlists.invite(request, by: try await listener(asker))
    }

    func accept(_ request: PlaylistAccept, _ asker: Asker) async throws -> PlaylistResult {
        PlaylistResult(playlist: try await playlists.accept(request, by: try await listener(asker)))
    }

    func collaborators(_ request: PlaylistCollaborators, _ asker: Asker) async throws -> PlaylistCollaboratorList {
        try await playlists.collaborators(request.playlist, for: try await listener(asker))
    }

    func leave(_ request: PlaylistLeave, _ asker: Asker) async throws -> Empty {
        try await playlists.leave(request, by: try await listener(asker))
        return Empty()
    }

    // MARK: Pictures

    /// `POST /v1/playlists/<id>/picture`.
    func setPicture(_ bytes: [UInt8], of id: MusicID, _ account: Accounts.Account) async throws -> PlaylistResult {
        try account.require(.libraryCollect)
        let listener = try await library.listener(for: account)
        try await playlists.requireEditor(of: id, listener)
        let picture = try await model.photos.picture(bytes, "playlist.set_picture", by: account.uid)
        return PlaylistResult(playlist: try await playlists.set(picture, of: id, by: listener))
    }

    func removePicture(_ request: PlaylistRemovePicture, _ asker: Asker) async throws -> PlaylistResult {
        PlaylistResult(playlist: try await playlists.removePicture(of: request.playlist, by: try await listener(asker)))
    }

    // MARK: Files

    func export(_ request: PlaylistExport, _ asker: Asker) async throws -> PlaylistFile {
        try await playlists.export(request, for: try await listener(asker))
    }

    func read(_ request: PlaylistImport, _ asker: Asker) async throws -> PlaylistImported {
        try await read(request, asker.account)
    }

    /// `POST /v1/playlists/import`: the same for a file that is too long for a message.
    ///
    /// - Parameter options: The fields of the request that the query names.
    func read(
        _ bytes: [UInt8], _ options: [String: String], _ account: Accounts.Account
    ) async throws -> PlaylistImported {
        guard bytes.count <= Limits.playlistFileBytesMax else { throw WireError.playlistFileTooLarge }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
            throw WireError(.playlistUnreadable)
        }
        // The text is put in afterwards: that of a message is shorter.
        let members = options.map { JSON.Member(key: $0.key, value: .string($0.value)) }
        var request = try PlaylistImport(.object(members + [JSON.Member(key: "text", value: .string("-"))]))
        request.text = text
        try account.require(.libraryCollect)
        try model.accounts.take(PlaylistImport.type, account)
        return try await read(request, account)
    }

    private func read(_ request: PlaylistImport, _ account: Accounts.Account) async throws -> PlaylistImported {
        let words = model.words
        return try await playlists.read(request, by: try await library.listener(for: account)) { title in
            var texts = FilteredTexts(words)
            return try texts.take(title, "data.title")
        }
    }
}

extension WireError {
    /// A playlist in a file that has more than `Limits.playlistFileBytesMax` bytes.
    static var playlistFileTooLarge: WireError {
        WireError(.uploadTooLarge, "A playlist may have \(Limits.playlistFileBytesMax) bytes.")
    }
}

/// Tells accounts that are here of changes of playlists.
struct PlaylistNotices: Sendable {
    let library: Library
    let shard: Shard

    /// Each account is told once for all its connections. What it may see is asked for each, for entries name tracks.
    func tell(_ change: PlaylistChange) async {
        let accounts = await shard.perform { core in
            change.audience.compactMap { uid in core.sessions(of: uid).lazy.compactMap(\.account).first }
        }
        for account in accounts {
            // An account that can't be told just now sees the gap between the versions.
            guard let listener = try? await library.listener(for: account),
                let event = try? await library.playlists.event(of: change, for: listener)
            else { continue }
            let uid = account.uid
            await shard.perform { core in
                for session in core.sessions(of: uid) { session.send(event) }
            }
        }
    }
}
