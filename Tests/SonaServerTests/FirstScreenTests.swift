import SonaEventLoop
import SonaWire
import Testing

@testable import SonaServer

/// What the document shows before the script runs. That the script draws the same at the same places is watched in a
/// browser: `page_checks first_screen`.
@Suite struct FirstScreenTests {
    private let site = Site(.embedded)

    private func page(
        _ path: String, language: String? = nil, room: RoomFace? = nil, profile: ServerProfile = ServerProfile()
    ) -> String {
        let request = Site.Request(path: path, acceptLanguage: language)
        return String(decoding: site.response(to: request, room: room, profile: profile).body, as: UTF8.self)
    }

    @Test func `the frame has the links of the script's frame`() throws {
        let screen = try #require(FirstScreen(SiteFiles.embedded.contents))
        #expect(screen.links.count >= 3 && screen.links.contains { $0.path == "/" && $0.pages.contains("room") })
        let text = page("/settings")
        for link in screen.links { #expect(text.contains("<a href=\"\(link.path)\""), "\(link.path)") }
        #expect(text.contains("<a href=\"/settings\" aria-current=\"page\">"))
        #expect(!page("/").contains("<a href=\"/settings\" aria-current"))
        #expect(!text.contains("d=\"\""), "an icon or the mark is not drawn")
        #expect(!text.contains("/admin") && !text.contains("room-grid"))
    }

    @Test(
        arguments: [
            (nil, "en"), ("", "en"), ("pl", "pl"), ("pl-PL,pl;q=0.9,en;q=0.8", "pl"), ("ES-mx", "es"), ("de, pl", "en"),
            ("*", "en"), (" es", "es"), ("english", "en"),
        ] as [(String?, String)])
    func `the words are those of the language that the script takes`(header: String?, language: String) {
        let text = page("/", language: header)
        #expect(text.contains("<html lang=\"\(language)\">"))
        #expect(text.contains("/locales/first.\(language).json\" as=\"fetch\""))
        #expect(text.contains("Ustawienia") == (language == "pl"))
        // A key that has no words stands for itself.
        #expect(!text.contains("nav.") || !text.contains(">nav."), "a key in place of words")
    }

    @Test(arguments: ["/embed/r/@ada", "/r/@ada?display", "/r/@ada?a=1&display=2"])
    func `pages without a frame have none in the document`(address: String) {
        let parts = address.split(separator: "?").map(String.init)
        let request = Site.Request(path: parts[0], query: parts.count > 1 ? parts[1] : "")
        let text = String(decoding: site.response(to: request).body, as: UTF8.self)
        #expect(!text.contains("first-screen") && text.contains("/packs/\(parts.count > 1 ? "display" : "embed").js"))
        #expect(page("/r/@ada").contains("first-screen"))
    }

    @Test func `the server has its operator's name and rules from the beginning`() {
        var profile = ServerProfile()
        profile.title = "<Attic> & radio"
        profile.registration = .closed
        profile.logo = "/logo?v=1"
        let text = page("/", profile: profile)
        #expect(text.contains("<span class=\"truncate\" aria-hidden=\"true\">&lt;Attic&gt; &amp; radio</span>"))
        #expect(text.contains("<img class=\"server-logo\" src=\"/logo?v=1\" alt=\"\">"))
        #expect(!text.contains("href=\"/sign-up\"") && text.contains("href=\"/sign-in\""))
        #expect(page("/").contains("href=\"/sign-up\""))
    }

    @Test(arguments: [("", 0x811C_9DC5 as UInt32), ("a", 0xE40C_292C), ("foobar", 0xBF9C_F968)])
    func `the drawn cover goes by the hash that the page's drawing goes by`(text: String, hash: UInt32) {
        // Source: FNV test vectors of Fowler, Noll and Vo (FNV-1a, 32 bits).
        #expect(DrawnCover.hash(text) == hash)
    }

    @Test(arguments: [
        ("en", 0, "0 listening"), ("en", 1, "1 listening"), ("pl", 22, "few"), ("pl", 12, "many"), ("pl", 5, "many"),
    ])
    func `numbers of things have their forms`(language: String, count: Int, expected: String) {
        let words = PageWords(
            language,
            Array(
                (language == "en"
                    ? "{\n\"n.one\": \"{count} listening\",\n\"n.other\": \"{count} listening\"\n}"
                    : "{\n  \"n.one\": \"one\",\n  \"n.few\": \"few\",\n  \"n.many\": \"many\"\n}").utf8))
        #expect(words.plural("n", count) == expected)
    }

    @Test func `the words that every page needs are in one file of valid JSON`() throws {
        let files = FirstWords.files(of: [
            "locales/en.json": Array("{\n\"a\": \"1\"\n}\n".utf8),
            "locales/room.en.json": Array(" { \"b\": \"}\" } ".utf8),
            "locales/errors.en.json": Array("{}".utf8), "locales/host.en.json": Array("{\"c\": \"3\"}".utf8),
        ])
        #expect(Array(files.keys) == ["locales/first.en.json"])
        let object = try JSON.parse(try #require(files["locales/first.en.json"]))
        #expect(object["a"]?.string == "1" && object["b"]?.string == "}" && object["c"] == nil)
    }
}
