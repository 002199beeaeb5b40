import SonaRooms
import SonaWire
import Testing

@Suite struct PartyTrackReferenceTests {
    @Test(arguments: [
        "http://a", "https://radio.example/a.ogg", "HTTPS://Radio.Example:8443/x?y=z#t=1", "http://192.0.2.1/",
        "https://[2001:db8::1]:80/a", "https://h?q", "https://h/a%20b", "https://h/@me", "0", "abc-DEF_1.2~3",
        "https://h/" + String(repeating: "x", count: 502),
    ])
    func `an address of the web or a plain identifier is a source`(text: String) throws {
        #expect(try TrackReference(Track(title: "T"), source: text).source?.text == text)
    }

    @Test(arguments: [
        "", " ", "a b", "ftp://h/a", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,x", "http:/h",
        "http://", "http:///a", "https://?q", "https://user@h/", "https://user:secret@h/", "https://h:99999/",
        "https://h:/", "https://h:+1/", "https://h\u{0}/", "https://h/ü", "https://h/a b", "https://h/<a>",
        "https://[::1/", "https://[zz::1]/", "https://[2001:db8::1]x/", "a/b", "../up", ".", "..", "-x", "a:b",
        "https://h/" + String(repeating: "x", count: 503), String(repeating: "x", count: 513),
    ])
    func `any other text is not a source`(text: String) {
        #expect(throws: PartyRefusal(.invalidTrack)) { try TrackReference(Track(title: "T"), source: text) }
    }

    @Test func `a track needs a title or a source`() throws {
        #expect(throws: PartyRefusal(.invalidTrack)) { try TrackReference(Track(artist: "A", album: "B")) }
        #expect(throws: PartyRefusal(.invalidTrack)) { try TrackReference(Track(title: " \u{3000} ")) }
        #expect(try TrackReference(Track(), source: "id").keys == ["l:id"])
        #expect(try TrackReference(Track(title: "÷")).keys.count == 1)
    }

    @Test func `texts are lines of at most 512 bytes`() throws {
        let line = String(repeating: "é", count: 256)
        _ = try TrackReference(Track(title: line, artist: line, album: line))
        for text in [line + "x", "a\nb", "a\u{85}b", "a\u{2028}b"] {
            #expect(throws: PartyRefusal(.invalidTrack)) { try TrackReference(Track(title: text)) }
            #expect(throws: PartyRefusal(.invalidTrack)) { try TrackReference(Track(title: "T", artist: text)) }
            #expect(throws: PartyRefusal(.invalidTrack)) { try TrackReference(Track(title: "T", album: text)) }
        }
        for duration in [-1, Limits.integerMax + 1] {
            let track = Track(title: "T", durationMicroseconds: duration)
            #expect(throws: PartyRefusal(.invalidTrack)) { try TrackReference(track) }
        }
    }

    @Test(arguments: [
        ("Help!", "help"), ("  Straße ", "STRASSE"), ("Café", "CAFE\u{301}"),
        ("Don’t Stop", "don't stop"), ("Don't Stop", "DONT STOP!"), ("A - B", "a b"), ("Привет", "ПРИВЕТ"),
    ])
    func `another spelling is the same track`(one: String, other: String) throws {
        let one = try TrackReference(Track(title: one, artist: "X"), source: "one")
        let other = try TrackReference(Track(title: other, artist: "x"), source: "https://h/other")
        #expect(one.isSame(as: other))
        #expect(one != other)
    }

    @Test func `other words, another artist or another address are another track`() throws {
        let track = try TrackReference(Track(title: "Intro", artist: "X"))
        for (title, artist) in [("Intro 2", "X"), ("Intro", "Y"), ("Intró", "X"), ("In tro", "X")] {
            #expect(!track.isSame(as: try TrackReference(Track(title: title, artist: artist))), "\(title)")
        }
        let one = try TrackReference(Track(title: "Intro"), source: "one")
        #expect(!one.isSame(as: try TrackReference(Track(title: "Intro"), source: "two")))
        #expect(!one.isSame(as: try TrackReference(Track(title: "Intro"))))
    }

    @Test func `an address is the same with another case of its host, another title or another fragment`() throws {
        let one = try TrackReference(Track(title: "One"), source: "https://Radio.Example/A?b#c")
        for (text, isSame) in [
            ("HTTPS://radio.example/A?b", true), ("https://radio.example/A?b#d", true),
            ("https://radio.example/a?b", false), ("https://radio.example/A", false),
            ("http://radio.example/A?b", false),
        ] {
            #expect(one.isSame(as: try TrackReference(Track(title: "Two"), source: text)) == isSame, "\(text)")
        }
        let bare = try TrackReference(Track(), source: "https://h")
        #expect(bare.isSame(as: try TrackReference(Track(), source: "https://H/")))
    }
}
