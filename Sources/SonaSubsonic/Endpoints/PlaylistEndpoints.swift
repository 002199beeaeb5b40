internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Playlists: the account's own, those of others that it may edit, and everybody's public ones.
extension Call {
    private static let listsMax = 2_000

    private func lists(_ scope: PlaylistScope, max: Int = listsMax) async throws -> [Playlist] {
        var (lists, cursor): ([Playlist], String?) = ([], nil)
        repeat {
            let page = try await library.playlists.list(
                PlaylistList(scope: scope, limit: Int(Limits.playlistPageCount.upperBound), cursor: cursor),
                for: listener)
            lists += page.playlists
            cursor = page.nextCursor
        } while cursor != nil && lists.count < max
        return lists
    }

    func playlists() async throws -> Element {
        if let name = parameters.first("username"), name.lowercased() != username.lowercased(), account.role != .admin {
            throw SubsonicError(.forbidden, "Only administrators may ask for the playlists of others.")
        }
        var (all, known) = ([Playlist](), Set<MusicID>())
        for scope in [PlaylistScope.own, .pinned, .shared, .public] {
            for list in try await lists(scope) where known.insert(list.id).inserted { all.append(list) }
        }
        return Element("playlists", Element("playlist", all.map { element($0) }))
    }

    private func element(_ list: Playlist) -> Element {
        var told = Element()
        told.set("id", list.id.rawValue)
        told.set("name", list.title)
        told.set("comment", list.about.isEmpty ? nil : list.about)
        told.set("owner", list.owner.username?.rawValue ?? list.owner.uid.rawValue)
        told.set("public", list.visibility == .public)
        told.set("songCount", list.entryCount)
        told.set("duration", seconds(list.durationMilliseconds))
        told.set("created", date(list.createdMilliseconds))
        told.set("changed", date(list.changedMilliseconds))
        if list.picture != nil || !list.covers.isEmpty { told.set("coverArt", list.id.rawValue) }
        told.set("readonly", list.role == .listener || list.rule != nil)
        return told
    }

    /// All entries whose tracks the account sees, in their order, and the places of those in the whole list.
    private func entries(of id: MusicID) async throws -> (list: Playlist, entries: [PlaylistEntry]) {
        var (entries, from, list): ([PlaylistEntry], Int, Playlist?) = ([], 0, nil)
        while true {
            let page = try await library.playlists.get(
                PlaylistGet(playlist: id, limit: Int(Limits.playlistPageCount.upperBound), from: from), for: listener)
            list = list ?? page.playlist
            entries += page.entries
            from += page.entries.count
            guard !page.entries.isEmpty, from < page.total else { break }
        }
        guard let list else { throw SubsonicError.notFound }
        return (list, entries)
    }

    private func whole(_ id: MusicID) async throws -> Element {
        let (list, entries) = try await entries(of: id)
        let ids = entries.compactMap { $0.track?.id }
        let shelved = Dictionary(
            try await finder.shelvedTracks(Array(Set(ids)), for: listener).map { ($0.track.id, $0) }
        ) { first, _ in first }
        var told = element(list)
        told.set("entry", ids.compactMap { shelved[$0]?.element })
        return Element("playlist", told)
    }

    func playlist() async throws -> Element { try await whole(try parameters.id()) }

    // MARK: Changing

    private func add(_ tracks: [MusicID], to id: MusicID) async throws {
        let step = Int(Limits.playlistBatch.upperBound)
        for start in stride(from: 0, to: tracks.count, by: step) {
            let piece = Array(tracks[start..<min(start + step, tracks.count)])
            _ = try await ask(PlaylistAdd(playlist: id, tracks: piece))
        }
    }

    private func remove(_ entries: [MusicID], from id: MusicID) async throws {
        let step = Int(Limits.playlistBatch.upperBound)
        for start in stride(from: 0, to: entries.count, by: step) {
            let piece = Array(entries[start..<min(start + step, entries.count)])
            _ = try await ask(PlaylistRemove(playlist: id, entries: piece))
        }
    }

    /// Makes a playlist or, with `playlistId`, gives one other songs.
    func createPlaylist() async throws -> Element {
        let songs = try parameters.ids("songId")
        if parameters.has("playlistId") {
            let id = try parameters.id("playlistId")
            if let name = parameters.first("name") { _ = try await ask(PlaylistUpdate(playlist: id, title: name)) }
            let before = try await entries(of: id).entries.map(\.id)
            // Both are in it for a moment.
            guard before.count + songs.count <= Limits.playlistEntriesMax else {
                throw SubsonicError(.generic, "The playlist has too many songs to change all of them at once.")
            }
            try await add(songs, to: id)
            try await remove(before, from: id)
            return try await whole(id)
        }
        let name = try parameters.required("name")
        let first = Array(songs.prefix(Int(Limits.playlistBatch.upperBound)))
        let made = try await ask(PlaylistCreate(title: name, tracks: first)).playlist
        try await add(Array(songs.dropFirst(first.count)), to: made.id)
        return try await whole(made.id)
    }

    func updatePlaylist() async throws -> Element {
        let id = try parameters.id("playlistId")
        let (name, about, isPublic) = (
            parameters.first("name"), parameters.text("comment"), try parameters.flag("public")
        )
        let added = try parameters.ids("songIdToAdd")
        let places = parameters.all("songIndexToRemove").map { Int($0) }
        if name != nil || about != nil || isPublic != nil {
            let visibility = isPublic.map { $0 ? PlaylistVisibility.public : .private }
            _ = try await ask(PlaylistUpdate(playlist: id, title: name, about: about, visibility: visibility))
        }
        if !places.isEmpty {
            // Places count the songs that the app was shown.
            let shown = try await entries(of: id).entries.filter { $0.track != nil }
            var gone: [MusicID] = []
            for place in Set(places) {
                guard let place, shown.indices.contains(place) else { throw SubsonicError.notFound }
                gone.append(shown[place].id)
            }
            try await remove(gone, from: id)
        }
        try await add(added, to: id)
        return Element()
    }

    func deletePlaylist() async throws -> Element {
        _ = try await ask(PlaylistDelete(playlist: try parameters.id()))
        return Element()
    }
}
