import Testing

@testable import SonaText

struct WordFilterTests {
    private func filter(_ words: String...) throws -> WordFilter {
        WordFilter(try words.map { try #require(WordPattern($0)) })
    }

    private func found(_ filter: WordFilter, _ text: String) -> [String] {
        filter.matches(in: text).map { match in
            String(decoding: Array(text.utf8)[match.range], as: UTF8.self)
        }
    }

    @Test(
        arguments: [
            ("bad", "bad", ["bad"]), ("bad", "A bad idea.", ["bad"]), ("bad", "BAD!", ["BAD"]),
            ("bad", "badge", []), ("bad", "too-bad", ["bad"]), ("bad", "nobad", []),
            ("bad", "bаd", ["bаd"]), ("bad", "ｂａｄ", ["ｂａｄ"]), ("bad", "b\u{200B}ad", ["b\u{200B}ad"]),
            ("bad", "ba\u{308}d", ["ba\u{308}d"]), ("bad", "bäd", ["bäd"]), ("bàd", "bad", ["bad"]),
            ("scam", "SCAM", ["SCAM"]), ("scam", "sсаm", ["sсаm"]), ("fool", "f00l", ["f00l"]),
            ("bad*", "badge and bad", ["bad", "bad"]), ("*bad", "too nobad", ["bad"]), ("*bad*", "xbadx", ["bad"]),
            ("buy now", "Buy,  NOW please", ["Buy,  NOW"]), ("buy now", "buy it now", []), ("buy*", "buyer", ["buy"]),
            ("плохо", "Так ПЛОХО.", ["ПЛОХО"]), ("坏", "坏", ["坏"]), ("*坏话*", "说坏话吗", ["坏话"]), ("żółw", "ZOLW", ["ZOLW"]),
            ("1st", "the lst", ["lst"]),
        ] as [(String, String, [String])])
    func `a word is found also where it is written with letters that look alike`(
        pattern: String, text: String, places: [String]
    ) throws {
        #expect(found(try filter(pattern), text) == places)
    }

    @Test(arguments: ["", "  ", "*", "**", "a*", "*a*", "b*d", "*b*d*", "...", "\u{200B}", "* *"])
    func `what is no pattern is refused`(text: String) { #expect(WordPattern(text) == nil) }

    @Test func `patterns that find the same are equal`() throws {
        #expect(WordPattern("Bad") == WordPattern(" bаd "))
        #expect(WordPattern("bad") != WordPattern("bad*"))
        #expect(WordPattern("buy now") == WordPattern("buy - now"))
    }

    @Test func `patterns within each other are all found`() throws {
        let filter = try filter("*he*", "*she*", "*hers*", "*his*", "he")
        #expect(found(filter, "ushers") == ["she", "he", "hers"])
        #expect(found(filter, "he") == ["he", "he"])
    }

    /// Goal: the automaton finds what a plain search finds. Way: random texts of three letters, against each pattern.
    @Test func `random texts are searched as by comparing each place`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let letters = ["a", "b", " "]
            func word(_ count: Int) -> String {
                (0..<count).map { _ in letters[Int.random(in: 0..<2, using: &generator)] }.joined()
            }
            let words = (0..<5).map { _ in word(Int.random(in: 2...4, using: &generator)) }
            let filter = WordFilter(try words.map { try #require(WordPattern("*\($0)*")) })
            let text = (0..<40).map { _ in letters[Int.random(in: 0..<3, using: &generator)] }.joined()
            let bytes = Array(text.utf8)
            var wanted: Set<Range<Int>> = []
            for word in words {
                let sought = Array(word.utf8)
                for start in 0...(bytes.count - sought.count) where Array(bytes[start..<start + sought.count]) == sought
                {
                    wanted.insert(start..<start + sought.count)
                }
            }
            #expect(Set(filter.matches(in: text).map(\.range)) == wanted, "\(words) in \(text)")
        }
    }

    @Test func `a filter without patterns finds nothing`() { #expect(WordFilter([]).matches(in: "anything").isEmpty) }

    /// Goal: no text takes long. Way: texts made for a search that goes back, with as many patterns as there may be.
    @Test func `time grows with the text and not with the patterns`() throws {
        let patterns = (0..<1_000).map { WordPattern("*" + String(repeating: "a", count: 20) + "b\($0)*") }
        let many = WordFilter(patterns.compactMap { $0 })
        let one = WordFilter([try #require(patterns[0])])
        let text = String(repeating: "a", count: 4_000)
        func time(_ filter: WordFilter) -> Duration {
            (0..<5).map { _ in ContinuousClock().measure { _ = filter.matches(in: text) } }.min() ?? .zero
        }
        #expect(time(many) < time(one) * 20 + .milliseconds(5))
    }
}
