internal import SonaBase
internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Where pages of long lists ended, so that the next one begins there and nothing is skipped: an app that asks for a whole
/// library comes for page after page. In memory, for a while; without one the page is found by its offset. Any thread.
final class PageEnds: Sendable {
    struct Key: Hashable {
        var uid: UserID
        var list: String
        var folder: Int64?
        /// Of the page that begins there.
        var offset: Int
    }

    private struct Entry {
        var mark: ShelfMark
        var until: ContinuousClock.Instant
    }

    private let entries = Monitor<[Key: Entry]>([:])
    private static let countMax = 10_000
    private static let life = Duration.seconds(600)

    func find(_ key: Key) -> ShelfMark? {
        entries.withLock { $0[key].flatMap { $0.until > .now ? $0.mark : nil } }
    }

    func note(_ mark: ShelfMark?, _ key: Key) {
        entries.withLock { entries in
            if entries.count >= Self.countMax { entries.removeAll() }
            entries[key] = mark.map { Entry(mark: $0, until: .now + Self.life) }
        }
    }
}

extension Call {
    /// A page of all albums by name, or of all songs by title, and of what is asked for in other orders.
    func albums(_ order: AlbumOrder, _ page: ShelfPage) async throws -> [ShelvedAlbum] {
        guard order == .name else { return try await finder.albums(order, page, for: listener).albums }
        return try await paged("albums", page) { page in
            let (albums, end) = try await finder.albums(order, page, for: listener)
            return (albums, end)
        }
    }

    func tracks(_ order: TrackOrder, _ page: ShelfPage) async throws -> [ShelvedTrack] {
        guard order == .title else { return try await finder.tracks(order, page, for: listener).tracks }
        return try await paged("tracks", page) { page in
            let (tracks, end) = try await finder.tracks(order, page, for: listener)
            return (tracks, end)
        }
    }

    private func paged<Item>(
        _ list: String, _ page: ShelfPage, _ read: (ShelfPage) async throws -> ([Item], ShelfMark?)
    ) async throws -> [Item] {
        var (page, key) = (page, PageEnds.Key(uid: account.uid, list: list, folder: page.folder, offset: page.offset))
        if page.offset > 0 { page.after = service.ends.find(key) }
        let (items, end) = try await read(page)
        key.offset += page.limit
        service.ends.note(end, key)
        return items
    }
}
