import SonaBase
import SonaDatabase
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// What the server makes of playlists by itself: pictures of covers, counts, and the end of what nobody needs.
@Suite struct PlaylistUpkeepTests {
    @Test func `the picture is of the first four covers, and another one when an entry goes`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let tracks = try await stage.tracks(6)
        try await stage.library.tables.music.write { db in
            // The second track has no picture; the first two of the rest are of one album.
            try db.executeScript(
                """
                INSERT INTO music_files (size, modified_ns, inode, has_picture, track, cover_color)
                    SELECT 1, 1, 1, title <> 'Song 1', number, number FROM tracks;
                INSERT INTO albums (id, name, key, artist, artist_key, sort, artist_sort, identity, added_ms)
                    VALUES ('01JDHV6Z3Q8R5W7XK2M4N9P0TA', 'One', 'one', '', '', x'01', x'01', 'one', 1);
                UPDATE tracks SET album = (SELECT number FROM albums) WHERE title IN ('Song 2', 'Song 3');
                """)
        }
        let list = try await stage.make("Mosaic", tracks, by: ada)
        func covers() async throws -> [MusicCover] {
            try await stage.playlists.get(PlaylistGet(playlist: list.id, limit: 1), for: ada).playlist.covers
        }
        let before = try await covers()
        #expect(before.count == 4 && Set(before).count == 4)
        let first = try #require(try await stage.entries(list.id, ada).first)
        _ = try await stage.playlists.remove(PlaylistRemove(playlist: list.id, entries: [first.id]), by: ada)
        #expect(try await covers() == Array(before.dropFirst()))
        await stage.close()
    }

    @Test func `identifiers of removed entries are forgotten after thirty days`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let tracks = try await stage.tracks(1)
        let list = try await stage.make("Short", tracks, by: ada)
        let add = PlaylistAdd(playlist: list.id, tracks: tracks, entries: [.random(milliseconds: 9)])
        _ = try await stage.playlists.add(add, by: ada)
        _ = try await stage.playlists.remove(
            PlaylistRemove(playlist: list.id, entries: try #require(add.entries)), by: ada)
        let days = Int64(Limits.playlistRemovalDays) * 86_400_000
        stage.now.withLock { $0 += days }
        try await stage.library.tidy()
        #expect(try await stage.playlists.add(add, by: ada).added.isEmpty)
        stage.now.withLock { $0 += 1 }
        try await stage.library.tidy()
        #expect(try await stage.playlists.add(add, by: ada).added.count == 1)
        await stage.close()
    }

    @Test func `figures count playlists by who sees them`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let tracks = try await stage.tracks(2)
        _ = try await stage.make("One", tracks, by: ada)
        _ = try await stage.make("Two", tracks, by: ada, .public)
        let counts = await stage.library.counts()
        #expect(counts.playlists == [.private: 1, .public: 1] && counts.playlistEntries == 4)
        await stage.close()
    }
}
