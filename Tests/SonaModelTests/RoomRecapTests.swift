import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct RoomRecapTests {
    private let room: RoomID
    private let host: UserID

    init() throws {
        room = try #require(RoomID("abcdefghij0123456789"))
        host = try #require(UserID("host"))
    }

    private var recap: Recap {
        Recap(
            room: room, title: "Lagos\nnights",
            plays: [
                RoomPlay(
                    id: 1, session: 1, atMilliseconds: 1_795_290_619_750,
                    track: Track(
                        title: "Så \"länge\"", artist: "AC/DC", album: "Post", durationMicroseconds: 201_500_000,
                        artwork: "https://example.org/a.jpg"),
                    host: User(uid: host, username: Username("ada"), isGuest: false)),
                RoomPlay(
                    id: 2, session: 1, atMilliseconds: 1_795_290_821_250,
                    track: Track(title: "Two\r\n#EXTM3U", durationMicroseconds: 499_999, artwork: "/v1/art/2"),
                    host: nil),
                RoomPlay(
                    id: 3, session: 1, atMilliseconds: 1_795_290_999_999, track: Track(title: ""), host: nil),
            ])
    }

    @Test func `as M3U: a line of length and name, and one that no player takes for another`() {
        #expect(
            recap.m3u == """
                #EXTM3U
                #PLAYLIST:Lagos nights
                #EXTINF:202,AC/DC - Så "länge"
                #EXTALB:Post
                ./AC_DC - Så "länge"
                #EXTINF:0,Two  #EXTM3U
                ./Two  #EXTM3U
                #EXTINF:-1,Unknown
                ./Unknown

                """)
        #expect(Recap(room: room, title: "", plays: []).m3u == "#EXTM3U\n#PLAYLIST:\n")
    }

    @Test func `as JSPF: what is known, in the members it has for it`() throws {
        let json = try JSON.parse(Array(recap.jspf.utf8))
        let playlist = try #require(json["playlist"])
        #expect(playlist["title"] == .string("Lagos nights"))
        #expect(playlist["date"] == .string("2026-11-21T19:50:19Z"))
        let tracks = try #require(playlist["track"]?.array)
        #expect(tracks.count == 3)
        #expect(
            tracks[0]
                == .object([
                    .init(key: "title", value: .string("Så \"länge\"")), .init(key: "creator", value: .string("AC/DC")),
                    .init(key: "album", value: .string("Post")), .init(key: "duration", value: .integer(201_500)),
                    .init(key: "image", value: .string("https://example.org/a.jpg")),
                    .init(key: "annotation", value: .string("Played at 2026-11-21T19:50:19Z")),
                ]))
        // What is no URI is no image, and what nobody knows is not there.
        #expect(tracks[1]["image"] == nil && tracks[1]["creator"] == nil && tracks[1]["duration"] == .integer(500))
        #expect(tracks[2]["duration"] == nil)
        let empty = try JSON.parse(Array(Recap(room: room, title: "x", plays: []).jspf.utf8))
        #expect(empty["playlist"]?["track"] == .array([]) && empty["playlist"]?["date"] == nil)
    }

    @Test func `as CSV: quoted where it must be, and no formula`() {
        let host = User(uid: host, username: nil, isGuest: false)
        let track = Track(
            title: "=SUM(A1)", artist: "Earth, \"Wind\"", album: "One\nTwo", durationMicroseconds: 201_500_000)
        let plays = [
            RoomPlay(id: 1, session: 1, atMilliseconds: 1_795_290_619_000, track: track, host: host),
            RoomPlay(id: 2, session: 1, atMilliseconds: 1_795_290_619_000, track: Track(), host: nil),
        ]
        #expect(
            Recap(room: room, title: "x", plays: plays).csv == "at,title,artist,album,seconds,host\r\n"
                + "2026-11-21T19:50:19Z,'=SUM(A1),\"Earth, \"\"Wind\"\"\",One Two,202,host\r\n"
                + "2026-11-21T19:50:19Z,,,,,\r\n")
    }

    @Test func `numbers beyond all reason do no harm`() throws {
        for extreme in [Int64.min, -1, 0, .max] {
            let play = RoomPlay(
                id: 1, session: 1, atMilliseconds: extreme, track: Track(durationMicroseconds: extreme), host: nil)
            let recap = Recap(room: room, title: "x", plays: [play])
            #expect(recap.m3u.contains("#EXTINF:") && recap.jspf.contains("Z\""))
            _ = try JSON.parse(Array(recap.jspf.utf8))
            _ = try JSON.parse(Array(recap.json.utf8))
        }
    }

    @Test func `as JSON: all there is`() throws {
        let json = try JSON.parse(Array(recap.json.utf8))
        #expect(json["room"] == .string(room.rawValue) && json["title"] == .string("Lagos\nnights"))
        let tracks = try #require(json["tracks"]?.array)
        #expect(tracks.count == 3)
        #expect(tracks[0]["at_ms"] == .integer(1_795_290_619_750) && tracks[0]["duration_us"] == .integer(201_500_000))
        #expect(tracks[0]["host"] == .string("host") && tracks[1]["host"] == .null)
        #expect(tracks[1]["title"] == .string("Two\r\n#EXTM3U") && tracks[1]["artwork"] == .string("/v1/art/2"))
    }
}
