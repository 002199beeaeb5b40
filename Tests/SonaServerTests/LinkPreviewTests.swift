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
