import SonaDatabase
import SonaTestSupport
import Testing

/// The search made from a typed text. That FTS5 takes it is the subject of `SearchRandomTests`.
struct SearchTextTests {
    @Test(arguments: [
        ("abc", #""abc"*"#),
        ("abc ", #""abc""#),
        ("abc\n", #""abc""#),
        ("  two \t words", #""two" "words"*"#),
        ("ideographic\u{3000}space\u{00A0}", #""ideographic" "space""#),
        ("AND", #""AND"*"#),
        ("a OR b", #""a" "OR" "b"*"#),
        ("NEAR(a b, 2)", #""NEAR(a" "b," "2)"*"#),
        ("title:x -y ^z", #""title:x" "-y" "^z"*"#),
        ("*", nil),
        (#"""#, nil),
        (#"say "hello""#, #""say" " hello "*"#),
        (#"a"b"#, #""a b"*"#),
        ("rock & roll", #""rock" "roll"*"#),
        // Something follows the word: it is complete.
        ("rock &", #""rock""#),
        ("AC/DC", #""AC/DC"*"#),
        ("東京", #""東京"*"#),
        ("٣", #""٣"*"#),
        ("Ⅳ ½", #""Ⅳ" "½"*"#),
        ("a\0b\u{1}c\u{7F}d\u{9F}e", #""a" "b" "c" "d" "e"*"#),
        ("\u{F8FF}", "\"\u{F8FF}\"*"),
        ("", nil), ("   ", nil), ("\0", nil), ("\u{301}", nil), ("🎵 – !", nil), ("\u{200B}\u{202E}", nil),
    ])
    func `typed text becomes words and nothing else`(typed: String, pattern: String?) {
        #expect(SearchText(typed)?.pattern == pattern)
    }

    @Test func `any word and a phrase`() {
        #expect(SearchText("a b c", matching: .anyWord)?.pattern == #""a" OR "b" OR "c"*"#)
        #expect(SearchText("a ! c ", matching: .anyWord)?.pattern == #""a" OR "c""#)
        #expect(SearchText("a  b\tc", matching: .phrase)?.pattern == #""a b c"*"#)
        // Characters between the words of a phrase stay: SQLite may take it for a word.
        #expect(SearchText(#"a ! "b" "#, matching: .phrase)?.pattern == #""a !  b ""#)
        #expect(SearchText("a !", matching: .phrase)?.pattern == #""a !"*"#)
        #expect(SearchText("! !", matching: .phrase) == nil)
    }

    @Test func `eight words and 256 scalars are looked at`() throws {
        #expect(SearchText.wordsMax == 8)
        #expect(SearchText.scalarsMax == 256)
        let words = (1...9).map { "w\($0)" }
        let eight = words.prefix(8).map { "\"\($0)\"" }.joined(separator: " ")
        #expect(SearchText(words.prefix(8).joined(separator: " "))?.pattern == eight + "*")
        // With a ninth, the eighth is complete.
        #expect(SearchText(words.joined(separator: " "))?.pattern == eight)
        // A part that is not a word does not count.
        #expect(SearchText("! ! ! ! ! ! ! ! word")?.pattern == #""word"*"#)
        let long = String(repeating: "x", count: 256)
        #expect(SearchText(long)?.pattern == "\"\(long)\"*")
        // The rest of a word that was cut is unknown: it is the beginning of one.
        #expect(SearchText(long + "y z ")?.pattern == "\"\(long)\"*")
        #expect(SearchText(String(repeating: " ", count: 255) + "x")?.pattern == #""x"*"#)
        #expect(SearchText(String(repeating: " ", count: 256) + "x") == nil)
        #expect(try #require(SearchText(String(repeating: "𠮷", count: 10_000))).pattern.utf8.count == 4 * 256 + 3)
        for matching in [SearchText.Matching.allWords, .anyWord, .phrase] {
            let most = try #require(SearchText(String(repeating: "a ", count: 10_000), matching: matching))
            #expect(most.pattern.utf8.filter { $0 == UInt8(ascii: "a") }.count == 8)
        }
    }
}
