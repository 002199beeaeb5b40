import SonaEventLoop
import SonaWire
import Testing

@testable import SonaServer

/// The preview of a link to a room. Source: The Open Graph protocol (ogp.me).
@Suite struct PageCardTests {
    private let site = Site(SiteFiles(["index.html": Array("<head>{{card}}</head>".utf8)]))
    private let card = PageCard(
        title: #"<b>"Late" & 'loud'</b>"#, description: "a\nb", base: "https://sona.example", path: "/r/@ada",
        picture: "/v1/photos/x/full", pictureText: "Picture of the room")

    private func page(_ path: String, _ card: PageCard?, knowing: String? = nil) -> HTTPResponse {
        site.response(to: .init(path: path, host: "sona.example", ifNoneMatch: knowing), card: card)
    }

    private func tag(_ response: HTTPResponse) -> String? { response.headers.first { $0.name == "etag" }?.value }

    @Test func `text that people typed stays text in the page's head`() {
        let text = String(decoding: page("/r/@ada", card).body, as: UTF8.self)
        #expect(text.contains("<title>&lt;b&gt;&quot;Late&quot; &amp; &#39;loud&#39;&lt;/b&gt;</title>"), "\(text)")
        #expect(text.contains(#"<meta property="og:description" content="a b">"#))
        #expect(text.contains(#"<meta property="og:url" content="https://sona.example/r/@ada">"#))
        #expect(text.contains(#"<meta property="og:image" content="https://sona.example/v1/photos/x/full">"#))
        #expect(!text.contains("{{"))
    }

    @Test func `a page about nothing in particular describes Sona`() {
        for path in ["/", "/r/@nobody", "/sign-in"] {
            let text = String(decoding: page(path, nil).body, as: UTF8.self)
            #expect(
                text.contains("<title>Sona</title>") && text.contains("the same moment of it")
                    && !text.contains("og:url"))
        }
    }

    @Test func `another card is another version of the page`() {
        let one = tag(page("/r/@ada", card))
        var other = card
        other.title = "Early"
        #expect(one != nil && one != tag(page("/r/@ada", other)) && one != tag(page("/r/@ada", nil)))
        #expect(page("/r/@ada", card, knowing: one).status == 304)
        let packed = site.response(to: .init(path: "/r/@ada", host: nil, acceptEncoding: "gzip"), card: card)
        #expect(packed.headers.contains { $0 == ("content-encoding", "gzip") } && tag(packed) != one)
        #expect(
            packed.headers.contains { $0 == ("vary", "accept-encoding, accept-language") }
                && packed.body != page("/r/@ada", card).body)
    }

    @Test func `a page is made once as long as its card stays the same`() {
        var other = card
        other.description = "c"
        for _ in 0..<10 {
            #expect(page("/r/@ada", card).body == page("/r/@ada", card).body)
            #expect(page("/r/@ada", other).body != page("/r/@ada", card).body)
            _ = site.response(to: .init(path: "/r/@ada", host: nil, acceptEncoding: "gzip"), card: card)
        }
        #expect(site.pages.figures.made == 2)
    }

    @Test func `pages are kept up to a number and a size, the most recently used ones`() {
        for number in 0..<400 {
            var other = card
            other.title = "\(number)"
            _ = page("/r/@ada", other)
            _ = page("/r/@ada", card)
        }
        #expect(site.pages.figures.count == CardedPages.countMax && site.pages.figures.made == 401)
        let large = Site(
            SiteFiles(["index.html": Array(("<head>{{card}}</head>" + String(repeating: "<p>", count: 100_000)).utf8)]))
        for number in 0..<100 {
            var other = card
            other.title = "\(number)"
            _ = large.response(to: .init(path: "/r/@ada", host: nil), card: other)
        }
        let figures = large.pages.figures
        #expect(figures.count > 1 && figures.count < 100 && figures.bytes <= CardedPages.bytesMax)
    }

    @Test func `addresses come from the configuration, else from the request`() {
        #expect(PageCard.base(publicAddress: "https://a.example/", host: "b", isSecure: false) == "https://a.example")
        #expect(PageCard.base(publicAddress: nil, host: "b:1", isSecure: true) == "https://b:1")
        #expect(PageCard.base(publicAddress: nil, host: nil, isSecure: true) == nil)
        #expect(PageCard.base(publicAddress: nil, host: "x/evil?", isSecure: true) == nil)
        #expect(
            PageCard.base(publicAddress: nil, host: "b", isSecure: false, isForwarded: true) == nil, "which scheme?")
    }
}
