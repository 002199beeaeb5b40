import SonaWire
import Testing

@testable import SonaServer

/// What programs send to the Icecast port.
struct SourceHeadTests {
    private func read(_ text: String) -> (head: SourceHead?, count: Int)? { SourceHead.read(Array(text.utf8)) }

    @Test func `heads of ffmpeg, liquidsoap and darkice are understood, and no more than a head is taken`() throws {
        let ffmpeg =
            "PUT /room1.opus HTTP/1.1\r\nExpect: 100-continue\r\nAuthorization: Basic c291cmNlOmhhY2ttZQ==\r\n\r\n"
        let head = try #require(read(ffmpeg + "OggS")?.head)
        #expect(read(ffmpeg + "OggS")?.count == ffmpeg.utf8.count)
        #expect(head.method == "PUT" && head.path == "/room1.opus" && head.password == "hackme")
        #expect(head.headers["expect"] == "100-continue")
        let darkice = "SOURCE /a HTTP/1.0\nAuthorization: Basic c291cmNlOng=\nice-name: n\n\r\n\r\nOgg"
        #expect(read(darkice)?.head?.password == "x")
        #expect(read("SOURCE /a HTTP/1.0\r\nice-name: n\r\n") == nil, "not whole")
        #expect(read("nonsense\r\n\r\n")?.head == nil)
        #expect(read("OPTIONS * HTTP/1.1\r\nUpgrade: TLS/1.0\r\n\r\n")?.head?.path == "*")
    }

    @Test func `a title is read from a song, or from title and artist`() throws {
        func track(_ query: String) throws -> Track? {
            SourceConnection.track(try #require(read("GET /admin/metadata?\(query) HTTP/1.0\r\n\r\n")?.head))
        }
        #expect(try track("mount=/m&song=Ada+-+One%20more") == Track(title: "One more", artist: "Ada"))
        #expect(try track("song=Alone") == Track(title: "Alone"))
        #expect(try track("title=T&artist=%C3%81da") == Track(title: "T", artist: "Áda"))
        #expect(try track("song=caf%E9") == Track(title: "café"), "Latin-1")
        #expect(try track("song=%0A+") == nil)
        #expect(try track("song=a%0Ab")?.title == "ab")
    }

    @Test(arguments: [1, 2, 5, 100]) func `a body in chunks is put together`(size: Int) throws {
        let head = try #require(read("PUT /m HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")?.head)
        var body = SourceBody(head)
        let bytes = Array("4\r\nOggS\r\nA;x=1\r\n0123456789\r\n0\r\n\r\n".utf8)
        var found: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += body.take(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(String(decoding: found, as: UTF8.self) == "OggS0123456789")
        #expect(body.isOver)
    }

    @Test func `a body ends with its length, or not at all`() throws {
        var counted = SourceBody(try #require(read("PUT /m HTTP/1.1\r\nContent-Length: 5\r\n\r\n")?.head))
        #expect(counted.take([1, 2, 3]) == [1, 2, 3])
        #expect(!counted.isOver)
        #expect(counted.take([4, 5, 6]) == [4, 5])
        #expect(counted.isOver)
        var open = SourceBody(try #require(read("SOURCE /m HTTP/1.0\r\n\r\n")?.head))
        #expect(open.take([1, 2]) == [1, 2])
        #expect(!open.isOver)
    }

    @Test func `what a source sends is known by its first bytes`() {
        func kind(_ bytes: [UInt8], _ type: String? = nil) -> SourceTranscoding.Kind? {
            SourceTranscoding.Kind(bytes, contentType: type)
        }
        var opus = Array("OggS".utf8) + [UInt8](repeating: 0, count: 24) + Array("OpusHead".utf8)
        opus += [1, 2, 56, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]
        #expect(kind(opus, "audio/mpeg") == .opus, "whatever ffmpeg claims")
        opus[46] = 1
        #expect(kind(opus) == .other("ogg"), "surround is encoded anew")
        #expect(kind(Array("OggS".utf8) + [UInt8](repeating: 0, count: 60)) == .other("ogg"))
        #expect(kind([0xFF, 0xFB, 0x94]) == .other("mp3"))
        #expect(kind([0xFF, 0xF1, 0x50]) == .other("aac"))
        #expect(kind(Array("ID3".utf8)) == .other("mp3"))
        #expect(kind(Array("hello".utf8), "text/plain") == nil)
    }

    @Test func `paths of other players`() {
        let room = RoomReference("k2Vb7nQx0ZrT5mLp9sWd")
        #expect(room.map { RadioPath.opus($0) } == RadioPath("/listen/k2Vb7nQx0ZrT5mLp9sWd.opus"))
        #expect(RadioPath("/listen/live.pls") == .live(.pls))
        #expect(RoomReference("@ada").map { RadioPath.list($0, .xspf) } == RadioPath("/listen/@ada.xspf"))
        #expect(RadioPath("/listen/live.opus") == nil)
        #expect(RadioPath("/listen/k2Vb7nQx0ZrT5mLp9sWd.flac") == nil)
    }

    @Test func `playlists keep what is special in their form`() {
        let entries = [RadioList.Entry(address: "http://h/a?t=1&x=2", title: "A <b> & \"c\"")]
        #expect(RadioList.xspf.text(entries).contains("<location>http://h/a?t=1&amp;x=2</location>"))
        #expect(RadioList.xspf.text(entries).contains("<title>A &lt;b&gt; &amp; &quot;c&quot;</title>"))
        #expect(RadioList.m3u.text(entries) == "#EXTM3U\n#EXTINF:-1,A <b> & \"c\"\nhttp://h/a?t=1&x=2\n")
        #expect(RadioList.pls.text(entries).contains("NumberOfEntries=1"))
    }
}
