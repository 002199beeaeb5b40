import SonaWire
import Testing

@testable import SonaServer

/// What links to this server say of themselves elsewhere.
struct LinkPreviewTests {
    private let track = MusicID("01JDHV6Z3Q8R5W7XK2M4N9P0TA")

    @Test func `only links to this server lead to a page of it`() {
        let base = "https://sona.example"
        #expect(OEmbed.path("https://sona.example/r/@ada", base: base) == "/r/@ada")
        #expect(OEmbed.path("https://sona.example/album/X?from=1#top", base: base) == "/album/X")
        for link in [
            "https://sona.example.org/r/@ada", "https://sona.example", "http://sona.example/r/@ada", "/r/@ada", "",
            "https://sona.example@elsewhere.example/r/@ada",
        ] {
            #expect(OEmbed.path(link, base: base) == nil, "\(link)")
        }
    }

    @Test func `pages of tracks and albums are about music, others are not`() throws {
        let id = try #require(track)
        #expect(SiteRoutes.music("/track/\(id.rawValue)") == .track(id))
        #expect(SiteRoutes.music("/album/\(id.rawValue)") == .album(id))
        for path in ["/artist/\(id.rawValue)", "/track/", "/track/short", "/track/\(id.rawValue)/more", "/", ""] {
            #expect(SiteRoutes.music(path) == nil, "\(path)")
        }
    }

    @Test func `a playlist shows its own picture, and without one the cover of an album`() throws {
        let id = try #require(track)
        var playlist = Playlist(
            id: id,
            owner: User(uid: try #require(UserID("h3QmZx7RkP0aVbN5tY2wLs9DfGeC")), username: nil, isGuest: false),
            title: "Lagos nights", about: "", visibility: .public, version: 1, entryCount: 1, durationMilliseconds: 1,
            covers: [MusicCover(path: "/v1/covers/8kE2", color: nil)], rule: nil, role: .listener, isPinned: false,
            collaboratorCount: 0, createdMilliseconds: 1, changedMilliseconds: 1)
        func picture() -> String? { PageCard(playlist, base: "https://sona.example", path: "/playlists/X").picture }
        func embedded() -> String {
            let subject = LinkPreviews.Subject.playlist(playlist)
            let card = subject.card(base: "https://sona.example", path: "/playlists/X")
            return String(
                decoding: OEmbed.answer(
                    subject, card, base: "https://sona.example", serverTitle: "Sona", maxWidth: nil), as: UTF8.self)
        }
        #expect(picture() == "/v1/covers/8kE2/full")
        #expect(
            embedded().contains(#""thumbnail_url":"https://sona.example/v1/covers/8kE2/256","thumbnail_width":256"#))
        playlist.picture = Photo(
            id: try #require(PhotoID("own")), color: try #require(HexColor("#c81428")),
            foreground: try #require(HexColor("#ffffff")), width: 640, height: 480)
        #expect(picture() == "/v1/photos/own/full")
        #expect(
            embedded().contains(
                #""thumbnail_url":"https://sona.example/v1/photos/own/full","thumbnail_width":640,"thumbnail_height":480"#
            ),
            "\(embedded())")
    }

    @Test func `a moment is a whole number of seconds, and everything else is none`() {
        #expect(
            SiteRoutes.moment("83") == 83 && SiteRoutes.moment("083") == 83 && SiteRoutes.moment("999999") == 999_999)
        for text in [nil, "", "0", "-1", "+1", "1.5", "1000000", "1:23", "٣"] {
            #expect(SiteRoutes.moment(text) == nil)
        }
        #expect(OEmbed.moment("https://sona.example/track/X?a=1&t=83#t=9") == 83)
        for link in ["/track/X", "/track/X?", "/track/X?at=83", "/track/X#?t=83", "/track/X?t="] {
            #expect(OEmbed.moment("https://sona.example\(link)") == nil, "\(link)")
        }
    }

    @Test func `a card of a moment says when, and its address leads there`() throws {
        let id = try #require(track)
        let path = "/track/\(id.rawValue)"
        let long = MusicTrack(
            id: id, title: "Harbour", artists: [], album: nil, disc: nil, place: nil, year: nil, genres: [],
            durationMilliseconds: 3_700_000, kind: "flac", bitrate: 900, sampleRate: 44_100, channels: 2, loudness: nil,
            cover: nil, access: .full, owner: nil, status: nil, isEdited: false, plays: 0, addedMilliseconds: 1)
        func card(_ seconds: Int?) -> PageCard { PageCard(long, at: seconds, base: "https://sona.example", path: path) }
        #expect(card(nil).title == "Harbour" && card(nil).path == path)
        #expect(card(83).title == "Harbour (from 1:23)" && card(83).path == path + "?t=83")
        #expect(card(3_605).title == "Harbour (from 1:00:05)")
        #expect(card(83).markup.contains("\"og:url\" content=\"https://sona.example\(path)?t=83\""))
        #expect(card(83).markup.contains("\(id.rawValue)%3Ft%3D83\""))
        #expect(card(3_699).path == path + "?t=3699")
        #expect(card(3_700) == card(nil))
    }

    @Test func `a card names the address of oEmbed, with all of the page's address in its query`() {
        let card = PageCard(
            title: "Harbour <b>", description: "By Tide.", base: "https://sona.example", path: "/track/X&Y")
        #expect(
            card.markup.contains(
                "href=\"https://sona.example/oembed?url=https%3A%2F%2Fsona.example%2Ftrack%2FX%26Y\""),
            "\(card.markup)")
        #expect(card.markup.contains("content=\"Harbour &lt;b&gt;\""))
        // A server that does not know its address names none.
        #expect(!PageCard(title: "A", description: "B", path: "/track/X").markup.contains("oembed"))
    }
}
