import SonaBase
import SonaTestSupport
import SonaText
import Testing

@Suite struct SuggestionsTests {
    private struct Unavailable: Error, Equatable {}

    @Test func `a taken name gives names like it that are free`() {
        var dice = SeededGenerator(seed: 31)
        let names = UsernameRules.ascii.suggestions(for: "alice", count: 5, using: &dice) { _ in true }
        #expect(names.count == 5)
        #expect(names.allSatisfy { $0.display.contains("alice") && $0.key != NameKey("alice") })
        #expect(Set(names.map(\.key)).count == 5)
    }

    @Test func `the same dice give the same names`() {
        func names(_ seed: UInt64) -> [CanonicalName] {
            var dice = SeededGenerator(seed: seed)
            return UsernameRules.ascii.candidates(for: "alice", count: 10, using: &dice)
        }
        #expect(names(32) == names(32))
        #expect(names(32) != names(33))
    }

    @Test func `names that are taken are left out, and not asked about without end`() {
        var dice = SeededGenerator(seed: 34)
        var asked = 0
        let none = UsernameRules.ascii.suggestions(for: "alice", count: 5, using: &dice) { _ in
            asked += 1
            return false
        }
        #expect(none.isEmpty && asked == 40)
        let some = UsernameRules.ascii.suggestions(for: "alice", count: 3, using: &dice) { !$0.display.contains("_") }
        #expect(some.count == 3 && some.allSatisfy { !$0.display.contains("_") })
        #expect(UsernameRules.ascii.suggestions(for: "alice", count: 0, using: &dice) { _ in true }.isEmpty)
    }

    @Test func `a search that fails ends the search`() {
        var dice = SeededGenerator(seed: 35)
        #expect(throws: Unavailable()) {
            _ = try UsernameRules.ascii.suggestions(for: "alice", count: 3, using: &dice) {
                _ throws(Unavailable) in throw Unavailable()
            }
        }
    }

    @Test(arguments: [
        ("Élodie!", "Elodie"), ("Алиса", "Alisa"), ("Jean-Luc Picard", "Jean_Luc_Picard"), ("ab", "ab"), ("_x_", "x"),
        ("ラーメン", "ramen"), ("Łódź", "Lodz"),
    ])
    func `the part of an invalid name that ASCII can express is kept`(typed: String, stem: String) {
        var dice = SeededGenerator(seed: 36)
        let names = UsernameRules.ascii.candidates(for: typed, count: 6, using: &dice)
        #expect(names.count == 6 && names.allSatisfy { $0.display.contains(stem) }, "\(names)")
    }

    @Test(arguments: ["", "....", "東京", "admin", "Sona.Support", "\u{200B}", "😀"])
    func `a text that leaves no usable part, or is reserved, gives other names`(typed: String) {
        var dice = SeededGenerator(seed: 37)
        let names = UsernameRules.ascii.candidates(for: typed, count: 6, using: &dice)
        #expect(names.count == 6 && names.allSatisfy { !$0.display.lowercased().contains("admin") }, "\(names)")
    }

    @Test func `every candidate passes the rules for any typed text`() throws {
        var texts = RandomTexts(seed: 38)
        var dice = SeededGenerator(seed: 39)
        for round in 0..<600 {
            let typed = round.isMultiple(of: 2) ? texts.next() : texts.nextUsername()
            for rules in [UsernameRules.ascii, .anyScript] {
                let names = rules.candidates(for: typed, count: 8, using: &dice)
                #expect(names.count <= 8 && Set(names.map(\.key)).count == names.count)
                #expect(names.allSatisfy { $0.key != NameKey(typed) })
                for name in names { #expect(try rules.check(name.display) == name) }
            }
        }
    }

    @Test func `a long name is cut, and a million characters cost no more than sixty-four`() {
        var dice = SeededGenerator(seed: 40)
        for typed in [
            String(repeating: "a", count: 24), String(repeating: "x", count: 1_000_000),
            "e" + String(repeating: "\u{301}", count: 1_000_000),
        ] {
            let names = UsernameRules.ascii.candidates(for: typed, count: 8, using: &dice)
            #expect(names.count == 8 && names.allSatisfy { $0.display.utf8.count <= 24 })
        }
    }

    @Test func `rules with little room give few names or none`() {
        var dice = SeededGenerator(seed: 41)
        var rules = UsernameRules.ascii
        rules.characters = 1...2
        let names = rules.candidates(for: "alice", count: 50, using: &dice)
        #expect(names.count <= 50 && names.allSatisfy { 1...2 ~= $0.display.count })
    }
}
