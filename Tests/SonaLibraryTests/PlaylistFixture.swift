import SonaBase
import SonaCrypto
import SonaDatabase
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// A library with rows of tracks in place of files, and people who make playlists of them.
final class PlaylistStage: Sendable {
    let folder = TemporaryFolder()
    let model: Model
    let library: Library
    let now = Monitor<Int64>(1_800_000_000_000)
    /// What was told, in order.
    let told = Monitor<[PlaylistChange]>([])

    var playlists: Playlists { library.playlists }

    init() async throws {
        var options = Model.Options()
        options.passwordCost = .test
        options.quietMilliseconds = 0...0
        let (model, daos) = try await Model.open(dataFolder: folder.file("data"), as: Shelf.layout, options)
        var music = Library.Options()
        music.clock = WallClock { [now] in now.withLock { $0 } }
        self.model = model
        library = try await Library(daos.library, model, music)
        library.playlists.onChange { [told] change in told.withLock { $0.append(change) } }
    }

    func close() async {
        await library.close()
        await model.close()
    }

    /// An account as somebody who asks.
    func listener(_ name: String) async throws -> Listener {
        let account = try await model.accounts.signUp(
            Accounts.SignUp(email: "\(name)@example.org", password: "pass-\(name)-word", username: name)
        ).account
        return try await library.listener(for: account)
    }

    let guest = Listener(uid: nil, guestAccess: .preview, folders: [])

    /// Adds tracks that everybody sees, or private ones of an account; each on the album of its number divided by ten.
    func tracks(_ count: Int, owner: UserID? = nil, from first: Int = 0) async throws -> [MusicID] {
        let records = (first..<first + count).map { place -> TrackRecord in
            var track = TrackRecord(
                number: nil, id: .random(milliseconds: 1), title: "Song \(place)", kind: "mp3", owner: owner,
                scope: owner == nil ? TrackScope.approved : TrackScope.own, addedMilliseconds: Int64(place),
                changedMilliseconds: 1)
            track.durationMilliseconds = 1_000
            track.year = 1_980 + place % 40
            track.titleKey = "song \(place)"
            track.artist = "Band \(place % 7)"
            return track
        }
        try await library.tables.music.write { db in try db.insert(contentsOf: records) }
        return records.map(\.id)
    }

    func make(
        _ title: String, _ tracks: [MusicID] = [], by listener: Listener, _ visibility: PlaylistVisibility = .private
    )
        async throws -> Playlist
    {
        try await playlists.create(
            PlaylistCreate(title: title, visibility: visibility, tracks: tracks), by: listener)
    }

    /// All entries of a list, page by page.
    func entries(_ id: MusicID, _ listener: Listener, limit: Int = 100) async throws -> [PlaylistEntry] {
        var entries: [PlaylistEntry] = []
        var cursor: String?
        repeat {
            let page = try await playlists.get(PlaylistGet(playlist: id, limit: limit, cursor: cursor), for: listener)
            #expect(page.from == entries.count)
            entries += page.entries
            cursor = page.nextCursor
        } while cursor != nil
        return entries
    }

    func titles(_ id: MusicID, _ listener: Listener) async throws -> [String?] {
        try await entries(id, listener).map { $0.track?.title }
    }
}

/// The code of the refusal that `body` throws; `nil` if it throws none.
func refusal<Value>(_ body: () async throws -> Value) async -> ErrorCode? {
    do {
        _ = try await body()
        return nil
    } catch { return (error as? Refusal)?.code }
}
