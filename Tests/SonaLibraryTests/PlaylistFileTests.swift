import SonaBase
import SonaDatabase
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// Playlists in files, and smart ones.
@Suite struct PlaylistFileTests {
    private static let items = [
        PlaylistText.Item(
            path: "Music/Beyoncé/Halo & more.flac", title: "Halo <live>", artist: "Beyoncé", album: "I Am… \"Sasha\"",
            durationMilliseconds: 261_000, id: MusicID("01JDHV6Z3Q8R5W7XK2M4N9P0TA")),
        PlaylistText.Item(path: "a b.mp3", title: "No artist", durationMilliseconds: 1_000),
    ]

    @Test(arguments: PlaylistFormat.allCases)
    func `what is written is read again`(format: PlaylistFormat) throws {
        let written = PlaylistText(title: "Nights & days", items: Self.items)
        var read = try #require(PlaylistText.parse(written.text(format), nil))
        // An address is percent-encoded; M3U has no identifiers.
        for place in read.items.indices {
            read.items[place].path =
                format == .xspf
                ? PlaylistText.components("file://\(read.items[place].path ?? "")").joined(separator: "/")
                : read.items[place].path
            if format == .m3u8 { read.items[place].id = Self.items[place].id }
        }
        #expect(read == written)
    }

    @Test func `files of other programs are read`() throws {
        let m3u =
            "\u{FEFF}#EXTM3U\r\n#EXTINF:123 tvg-id=\"x\",Artist - Song - Part 2\r\nC:\\Music\\Artist\\song.mp3\r\n\r\nplain.mp3"
        let list = try #require(PlaylistText.parse(m3u, nil))
        #expect(list.items.map(\.title) == ["Song - Part 2", nil])
        #expect(list.items[0].artist == "Artist" && list.items[0].durationMilliseconds == 123_000)
        #expect(PlaylistText.components(list.items[0].path ?? "") == ["C:", "Music", "Artist", "song.mp3"])
        let xspf = """
            <?xml version='1.0'?><!-- a > b --><x:playlist xmlns:x="http://xspf.org/ns/0/" version="1"><x:title>A &amp; B &#x263A;</x:title>
            <x:trackList><x:track><x:location>file:///a%20b/c.mp3?x</x:location><x:title><![CDATA[<One>]]></x:title></x:track><x:track/></x:trackList></x:playlist>
            """
        let other = try #require(PlaylistText.parse(xspf, nil))
        #expect(other.title == "A & B ☺" && other.items.count == 2 && other.items[0].title == "<One>")
        #expect(PlaylistText.components(other.items[0].path ?? "") == ["a b", "c.mp3"])
        let jspf =
            #"{"playlist":{"title":"J","track":[{"title":"T","creator":"C","location":"http://h/x.mp3","duration":5}]}}"#
        #expect(PlaylistText.parse(jspf, nil)?.items.first?.durationMilliseconds == 5)
    }

    @Test(arguments: [
        "<playlist><trackList>", "<playlist></other>", "<html></html>", "{\"playlist\":1}", "{", "<playlist",
        "<!DOCTYPE x [<!ENTITY a \"b\">]><playlist></playlist>", "<playlist><![CDATA[x", "a\0b",
    ])
    func `what is no playlist is refused`(text: String) { #expect(PlaylistText.parse(text, nil) == nil) }

    @Test func `a list goes out and comes in again, and what was not found is told`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let tracks = try await stage.tracks(12)
        try await stage.library.tables.music.write { db in
            try db.execute("UPDATE tracks SET artist_key = lower(artist)")
        }
        let list = try await stage.make("Out", Array(tracks[3..<9]), by: ada)
        for format in PlaylistFormat.allCases {
            let file = try await stage.playlists.export(PlaylistExport(playlist: list.id, format: format), for: ada)
            #expect(file.name.hasPrefix("Out."))
            let done = try await stage.playlists.read(PlaylistImport(text: file.text), by: ada) { $0 }
            #expect(done.addedCount == 6 && done.missingCount == 0 && done.playlist.title == "Out", "\(format)")
            #expect(
                try await stage.titles(done.playlist.id, ada) == (3..<9).map { "Song \($0)" }, "\(format)")
        }
        let text = """
            #EXTM3U
            #EXTINF:1,Band 1 - Song 1
            x.mp3
            #EXTINF:200,Band 1 - Song 1
            other length.mp3
            #EXTINF:1,Somebody - Song 1
            other artist.mp3
            #EXTINF:-1,song 2
            title alone.mp3
            """
        let into = PlaylistImport(playlist: list.id, text: text, key: "again")
        let done = try await stage.playlists.read(into, by: ada) { $0 }
        #expect(done.addedCount == 2 && done.missing.map(\.place) == [2, 3])
        #expect(done.missing.map(\.text) == ["Band 1 - Song 1", "Somebody - Song 1"])
        #expect(try await stage.playlists.read(into, by: ada) { $0 }.addedCount == 0)
        #expect(try await stage.entries(list.id, ada).count == 8)
        #expect(
            await refusal { try await stage.playlists.read(PlaylistImport(text: "<x/>"), by: ada) { $0 } }
                == .playlistUnreadable)
        await stage.close()
    }

    @Test func `a file is found by its path, the longest common end first`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let tracks = try await stage.tracks(3)
        try await stage.library.tables.music.write { db in
            try db.executeScript(
                """
                INSERT INTO music_folders (number, name) VALUES (1, 'Music');
                INSERT INTO music_directories (number, folder, path) VALUES (1, 1, CAST('A/One' AS BLOB));
                INSERT INTO music_directories (number, folder, path) VALUES (2, 1, CAST('A/Two' AS BLOB));
                INSERT INTO music_files (directory, name, size, modified_ns, inode, has_picture, track)
                    SELECT 1, CAST('song.mp3' AS BLOB), 1, 1, 1, 0, min(number) FROM tracks;
                INSERT INTO music_files (directory, name, size, modified_ns, inode, has_picture, track)
                    SELECT 2, CAST('song.mp3' AS BLOB), 1, 1, 1, 0, max(number) FROM tracks;
                """)
        }
        let text = "/home/ada/A/Two/song.mp3\nD:\\A\\One\\song.mp3\nsong.mp3\n"
        let done = try await stage.playlists.read(PlaylistImport(title: "Paths", text: text), by: ada) { $0 }
        #expect(done.missing.map(\.place) == [3])
        #expect(try await stage.entries(done.playlist.id, ada).map { $0.track?.id } == [tracks[2], tracks[0]])
        await stage.close()
    }

    @Test func `a smart list is made by its rule, for each person who looks`() async throws {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        _ = try await stage.tracks(20)
        _ = try await stage.tracks(2, owner: ada.uid, from: 30)
        func smart(_ rule: PlaylistRule) async throws -> Playlist {
            try await stage.playlists.create(
                PlaylistCreate(title: "Smart", visibility: .public, rule: rule), by: ada)
        }
        let years = try await smart(
            PlaylistRule(conditions: [PlaylistCondition(field: .year, minimum: 1_990, maximum: 2_010)], sort: .year))
        #expect(try await stage.titles(years.id, ben).first == "Song 19")
        #expect(try await stage.entries(years.id, ben, limit: 3).count == 10)
        #expect(try await stage.entries(years.id, ada, limit: 3).count == 11)
        for (who, count) in [(ben, 10), (ada, 11)] {
            let preview = try await stage.playlists.preview(
                PlaylistPreview(rule: try #require(years.rule), limit: 2), for: who)
            #expect(preview.total == count && preview.durationMilliseconds == Int64(count) * 1_000)
            let shown = try await stage.entries(years.id, who, limit: 3).prefix(2).map { $0.track?.id }
            #expect(preview.tracks.map(\.id) == shown)
        }
        let not = try await smart(
            PlaylistRule(conditions: [PlaylistCondition(field: .year, minimum: 1_990, isNot: true)]))
        #expect(try await stage.entries(not.id, ben).count == 10)
        let either = try await smart(
            PlaylistRule(
                conditions: [
                    PlaylistCondition(any: [
                        PlaylistCondition(field: .year, maximum: 1_981),
                        PlaylistCondition(all: [
                            PlaylistCondition(field: .year, minimum: 1_985),
                            PlaylistCondition(field: .year, maximum: 1_985),
                        ]),
                    ])
                ], sort: .random, limit: 2))
        #expect(try await stage.entries(either.id, ben).count == 2)
        let page = try await stage.playlists.get(PlaylistGet(playlist: years.id), for: ben)
        #expect(page.total == 10 && page.playlist.entryCount == 10 && page.playlist.durationMilliseconds == 10_000)
        let track = try #require(page.entries.first?.track?.id)
        #expect(
            await refusal { try await stage.playlists.add(PlaylistAdd(playlist: years.id, tracks: [track]), by: ada) }
                == .playlistSmart)
        let shuffled = try await stage.playlists.shuffled(PlaylistShuffled(playlist: years.id, seed: 3), for: ben)
        #expect(Set(shuffled.entries.map(\.id)) == Set(page.entries.map(\.id)))
        await stage.close()
    }

    @Test func `likes and ratings of a rule are those of the list's owner, whoever looks`() async throws {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        let tracks = try await stage.tracks(4)
        try await stage.library.tables.music.write { db in
            for (uid, track, liked, rating) in [
                (ada.uid, tracks[0], 5 as Int64?, nil as Int64?), (ada.uid, tracks[1], nil, 4),
                (ada.uid, tracks[2], 7, 2),
                (ben.uid, tracks[3], 5, 5),
            ] {
                try db.execute(
                    """
                    INSERT INTO track_opinions (uid, track, liked_ms, rating)
                    SELECT \(uid), number, \(liked), \(rating) FROM tracks WHERE id = \(track)
                    """)
            }
        }
        for (conditions, titles) in [
            ([PlaylistCondition(field: .liked)], ["Song 0", "Song 2"]),
            ([PlaylistCondition(field: .rating, minimum: 3)], ["Song 1"]),
            ([PlaylistCondition(field: .liked, isNot: true)], ["Song 1", "Song 3"]),
        ] {
            let list = try await stage.playlists.create(
                PlaylistCreate(
                    title: "Mine", visibility: .public, rule: PlaylistRule(conditions: conditions, sort: .title)),
                by: ada)
            #expect(Set(try await stage.titles(list.id, ben)) == Set(titles))
        }
        await stage.close()
    }

    @Test func `a rule asks for what its owner heard, and has not heard for a while`() async throws {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        let tracks = try await stage.tracks(3)
        let day: Int64 = 86_400_000
        let now = stage.now.withLock { $0 }
        try await stage.library.tables.music.write { db in
            for (uid, track, days) in [
                (ada.uid, tracks[0], 1), (ada.uid, tracks[0], 90), (ada.uid, tracks[1], 40), (ben.uid, tracks[2], 1),
            ] {
                try db.execute(
                    """
                    INSERT INTO plays (uid, track, at_ms, heard_ms, source)
                    SELECT \(uid), number, \(now - Int64(days) * day), 1000, 'alone' FROM tracks WHERE id = \(track)
                    """)
            }
        }
        for (condition, titles) in [
            (PlaylistCondition(field: .heard, minimum: 2), ["Song 0"]),
            (PlaylistCondition(field: .heard, maximum: 1), ["Song 1", "Song 2"]),
            (PlaylistCondition(field: .played, days: 60), ["Song 0", "Song 1"]),
            (PlaylistCondition(field: .played, days: 30, isNot: true), ["Song 1", "Song 2"]),
        ] {
            let list = try await stage.playlists.create(
                PlaylistCreate(
                    title: "Heard", visibility: .public, rule: PlaylistRule(conditions: [condition], sort: .title)),
                by: ada)
            #expect(try await stage.titles(list.id, ben) == titles)
        }
        await stage.close()
    }

    @Test func `search finds public lists, and no others`() async throws {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        for visibility in PlaylistVisibility.allCases {
            _ = try await stage.make("Lagos \(visibility)", by: ada, visibility)
        }
        for listener in [ada, ben, stage.guest] {
            let found = try await stage.library.finder.search(MusicSearch(query: "lag"), for: listener)
            #expect(found.playlists.map(\.title) == ["Lagos public"])
        }
        let tracks = try await stage.library.finder.search(MusicSearch(query: "lag", kind: .tracks), for: ben)
        #expect(tracks.playlists.isEmpty)
        await stage.close()
    }
}
