import Testing

@testable import SonaTransfer

struct FreshnessTests {
    private static let now = 1_700_000_000

    private func seconds(_ lines: [String]) -> Int? {
        var head = ResponseHead()
        head.take(line: "HTTP/1.1 200 OK\r\n")
        for line in lines { head.take(line: line + "\r\n") }
        head.take(line: "\r\n")
        return Freshness.seconds(of: head, now: Self.now)
    }

    @Test(
        arguments: [
            ([], nil),
            (["Cache-Control: max-age=60"], 60),
            (["cache-control:MAX-AGE=60"], 60),
            (["Cache-Control: public, max-age=\"60\", must-revalidate"], 60),
            (["Cache-Control: public", "Cache-Control: max-age = 60"], 60),
            (["Cache-Control: max-age=60, max-age=30"], 30),
            (["Cache-Control: max-age=60", "Age: 45"], 15),
            (["Cache-Control: max-age=60", "Age: 61"], 0),
            (["Cache-Control: max-age=60", "Age: old"], 60),
            (["Cache-Control: max-age=0"], 0),
            (["Cache-Control: max-age"], 0),
            (["Cache-Control: max-age=-1"], 0),
            (["Cache-Control: max-age=6 0x"], 0),
            (["Cache-Control: max-age=99999999999999999999999"], 1 << 31),
            (["Cache-Control: s-maxage=60"], nil),
            (["Cache-Control: max-age=60, no-store"], 0),
            (["Cache-Control: no-cache"], 0),
            (["Cache-Control:"], nil),
            // max-age goes before Expires.
            (["Expires: Tue, 14 Nov 2023 22:14:20 GMT", "Cache-Control: max-age=7"], 7),
            // `now` is 22:13:20; the server's clock goes before ours.
            (["Expires: Tue, 14 Nov 2023 22:14:20 GMT"], 60),
            (["Expires: Tue, 14 Nov 2023 22:14:20 GMT", "Date: Tue, 14 Nov 2023 22:14:00 GMT"], 20),
            (["Expires: Tuesday, 14-Nov-23 22:14:20 GMT"], 60),
            (["Expires: Tue Nov 14 22:14:20 2023"], 60),
            (["Expires: Tue, 14 Nov 2023 22:13:19 GMT"], 0),
            (["Expires: 0"], 0),
            (["Expires: soon"], 0),
        ] as [([String], Int?)])
    func `the time to keep an answer is read from its head`(lines: [String], expected: Int?) {
        #expect(seconds(lines) == expected)
    }

    @Test func `the head of an interim answer and a trailer do not count`() {
        var head = ResponseHead()
        for line in ["HTTP/1.1 103 Early", "Age: 1", "", "HTTP/1.1 200 OK", "Age: 2", "", "Age: 3"] {
            head.take(line: line + "\r\n")
        }
        #expect(head.values(of: "age") == ["2"])
    }
}
