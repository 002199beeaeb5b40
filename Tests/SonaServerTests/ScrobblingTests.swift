import SonaLibrary
import SonaWire
import Testing

@testable import SonaServer

/// What services of others are sent, without them.
struct ScrobblingTests {
    private let listen = Scrobbles.Listen(
        title: "Tide", artist: "Ada", album: "", durationMilliseconds: 180_000, atSeconds: 1_796_115_200)

    @Test func `ListenBrainz gets the time of a listen, and none of what is heard now`() throws {
        let sent = try JSON.parse(ListenBrainz.body("single", [listen]))
        guard case .array(let payload)? = sent["payload"], let first = payload.first else {
            Issue.record("no payload")
            return
        }
        #expect(sent["listen_type"] == .string("single"))
        #expect(first["listened_at"] == .integer(1_796_115_200))
        #expect(first["track_metadata"]?["artist_name"] == .string("Ada"))
        #expect(first["track_metadata"]?["release_name"] == nil)
        #expect(first["track_metadata"]?["additional_info"]?["duration_ms"] == .integer(180_000))
        let now = try JSON.parse(ListenBrainz.body("playing_now", [listen]))
        guard case .array(let present)? = now["payload"] else { return }
        #expect(present.first?["listened_at"] == nil)
    }

    /// Source: https://www.last.fm/api/authspec, section 8: MD5 of
    /// `api_keyxxxxxxxxmethodauth.getSessiontokenyyyyyymysecret`.
    @Test func `Last.fm's signature is over names and values in the order of the names`() {
        let fields = ["method": "auth.getSession", "api_key": "xxxxxxxx", "token": "yyyyyy"]
        #expect(LastFM.signature(fields, "mysecret") == "f462da5c166769c6c6014860b36a02af")
        let many = LastFM.signature(["artist[10]": "a", "artist[1]": "b", "method": "m"], "s")
        #expect(many == LastFM.signature(["method": "m", "artist[1]": "b", "artist[10]": "a"], "s"))
        #expect(many != LastFM.signature(["method": "m", "artist[1]": "a", "artist[10]": "b"], "s"))
    }

    @Test(arguments: [
        "https://x.example/apis/listenbrainz", "https://x.example/apis/listenbrainz/",
        "https://x.example/apis/listenbrainz/1", "https://x.example/apis/listenbrainz/1/",
    ])
    func `the path of a service stays, and a version at its end goes`(text: String) throws {
        #expect(try ListenBrainz.root(text) == "https://x.example/apis/listenbrainz")
    }

    @Test func `each wait is twice as long, up to an hour, and never shorter than the service says`() {
        let waits = (0...12).map { Scrobbler.wait(failures: $0, seconds: nil, jitter: 1) }
        #expect(waits.prefix(4) == [5_000, 10_000, 20_000, 40_000])
        #expect(waits.last == 3_600_000 && waits == waits.sorted())
        #expect(Scrobbler.wait(failures: 0, seconds: 90, jitter: 0.8) == 90_000)
        #expect(Scrobbler.wait(failures: 0, seconds: 1, jitter: 1.2) == 6_000)
    }

    @Test(arguments: [(30_000, false), (30_001, true), (0, true)])
    func `what is hardly longer than a jingle is not sent`(milliseconds: Int64, isWanted: Bool) {
        var other = listen
        other.durationMilliseconds = milliseconds
        #expect(other.isWanted == isWanted)
        other.artist = ""
        #expect(!other.isWanted)
    }
}
