internal import SonaLibrary
internal import SonaWire

/// Places in songs.
extension Call {
    func bookmarks() async throws -> Element {
        let bookmarks = try await library.bookmarks.list(for: listener)
        let shelved = Dictionary(
            try await finder.shelvedTracks(bookmarks.map(\.track), for: listener).map { ($0.track.id, $0) }
        ) { first, _ in first }
        let told = bookmarks.compactMap { bookmark -> Element? in
            guard var entry = shelved[bookmark.track]?.element else { return nil }
            entry.set("bookmarkPosition", bookmark.positionMilliseconds)
            var told = Element()
            told.set("position", bookmark.positionMilliseconds)
            told.set("username", username)
            told.set("comment", bookmark.comment)
            told.set("created", date(bookmark.createdMilliseconds))
            told.set("changed", date(bookmark.changedMilliseconds))
            told.set("entry", entry)
            return told
        }
        return Element("bookmarks", Element("bookmark", told))
    }

    func createBookmark() async throws -> Element {
        let id = try parameters.id()
        guard let position = try parameters.number("position") else { throw SubsonicError.missing("position") }
        guard position >= 0 else { throw SubsonicError(.generic, "position must not be less than 0.") }
        try service.host.take(LikeSet.type, account)
        try await library.bookmarks.set(id, at: Int64(position), comment: parameters.first("comment"), for: listener)
        return Element()
    }

    func deleteBookmark() async throws -> Element {
        let id = try parameters.id()
        try service.host.take(LikeSet.type, account)
        try await library.bookmarks.remove(id, for: listener)
        return Element()
    }
}
