import SonaWire
import Testing

@testable import SonaSubsonic

/// One tree, written in two ways.
struct ElementTests {
    private let server = SubsonicServer(name: "sona", version: "0.1.0")

    private var tree: Element {
        var song = Element()
        song.set("id", "1")
        song.set("title", "A <b> & \"c\"\n\u{1}'ł")
        song.set("year", nil as Int?)
        song.set("isDir", false)
        var gain = Element()
        gain.set("trackGain", -6.5)
        song.set("replayGain", gain)
        song.set("moods", texts: ["calm", "<x>"])
        var genre = Element()
        genre.set("songCount", 2)
        genre.set("value", "R&B")
        var list = Element()
        list.set("song", [song])
        list.set("genre", [genre])
        list.set("empty", [])
        return Element("list", list)
    }

    private func text(_ format: SubsonicFormat) -> String {
        String(decoding: server.reply(.success(tree), format).body, as: UTF8.self)
    }

    @Test func `XML has attributes for what is plain and children for the rest`() {
        #expect(
            text(.xml) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <subsonic-response xmlns="http://subsonic.org/restapi" status="ok" version="1.16.1" type="sona" \
                serverVersion="0.1.0" openSubsonic="true"><list><song id="1" \
                title="A &lt;b&gt; &amp; &quot;c&quot;&#10;'ł" isDir="false"><replayGain trackGain="-6.5"/>\
                <moods>calm</moods><moods>&lt;x&gt;</moods></song><genre songCount="2">R&amp;B</genre></list>\
                </subsonic-response>

                """)
    }

    @Test func `JSON has the same members, and lists also if they are empty`() throws {
        let json = try JSON.parse(Array(text(.json).utf8))
        let list = try #require(json["subsonic-response"]?["list"])
        #expect(json["subsonic-response"]?["openSubsonic"] == .bool(true))
        #expect(list["song"]?.array?[0]["title"]?.string == "A <b> & \"c\"\n\u{1}'ł")
        #expect(list["song"]?.array?[0]["replayGain"]?["trackGain"] != nil)
        #expect(list["song"]?.array?[0]["year"] == nil)
        #expect(list["song"]?.array?[0]["moods"]?.array?.count == 2)
        #expect(list["genre"]?.array?[0]["value"]?.string == "R&B")
        #expect(list["empty"]?.array?.isEmpty == true)
    }

    @Test func `JSONP is the JSON in a call`() {
        #expect(text(.jsonp("f.g")) == "f.g(\(text(.json)));")
    }

    @Test func `an error has its number in each form`() {
        let reply = server.reply(.failure(.missing("id")), .xml)
        #expect(reply.code == .parameterMissing)
        #expect(
            String(decoding: reply.body, as: UTF8.self).contains(
                "status=\"failed\" version=\"1.16.1\" type=\"sona\" serverVersion=\"0.1.0\" openSubsonic=\"true\"><error "
                    + "code=\"10\" message=\"Required parameter is missing: id.\"/></subsonic-response>"))
    }

    @Test(arguments: [
        ("f=json", SubsonicFormat.json), ("", .xml), ("f=xml", .xml), ("f=yaml", .xml),
        ("f=jsonp&callback=a.b_$1", .jsonp("a.b_$1")), ("f=jsonp", .jsonp("callback")),
        ("f=jsonp&callback=alert(1)", .jsonp("callback")), ("f=jsonp&callback=1a", .jsonp("callback")),
        ("f=jsonp&callback=\(String(repeating: "a", count: 129))", .jsonp("callback")),
    ])
    func `the form is XML unless another one is asked for`(_ query: String, _ format: SubsonicFormat) {
        #expect(SubsonicFormat(Parameters(query: query)) == format)
    }
}
