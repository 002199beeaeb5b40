import SonaText
import Testing

@Suite struct DisplayTextTests {
    private static func problem(_ typed: String, _ rules: DisplayText.Rules = .name) -> DisplayTextError? {
        do throws(DisplayTextError) {
            _ = try DisplayText(typed, rules)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "Ada", "Ada Lovelace", "Łukasz 🎸", "DJ Борис", "東京タワー", "مُحَمَّد", "שָׁלוֹם", "नमस्ते", "👩‍👩‍👧‍👦",
        "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "می\u{200C}خواهم", "❤\u{FE0F}", "\u{E000}", "\u{1FAE9}", "<b>&", "a\u{200E}b", "བསྒྲུབས", "KoЯn", "-",
        "1\u{FE0F}\u{20E3}",
    ])
    func `a text of any language is shown as typed`(typed: String) throws {
        let text = try DisplayText(typed, .name)
        #expect(text.text == typed && text.description == typed)
    }

    @Test func `white space around a text is trimmed, and NFC made of it`() throws {
        let text = try DisplayText(" \t\u{A0}\u{3000}e\u{301} a\u{2003}\r\n", .name)
        #expect(Array(text.text.utf8) == Array("\u{E9} a".utf8))
        #expect(text.characterCount == 3)
        #expect(try DisplayText("👩‍👩‍👧é 🇵🇱", .name).characterCount == 4)
        #expect(try DisplayText(text.text, .name) == text)
    }

    @Test(arguments: ["", " ", "\n", "\u{200B}", "\u{3164}", "\u{2800}", "\u{115F}\u{A0}\u{FEFF}", "\u{AD}"])
    func `a text without visible characters is empty`(typed: String) throws {
        #expect(Self.problem(typed) == .empty)
        let lines = try DisplayText(typed, .lines)
        #expect(lines.text.isEmpty && lines.characterCount == 0)
    }

    @Test func `a name has 1 to 100 bytes, a title 200, lines 2000`() {
        for (rules, bytesMax) in [(DisplayText.Rules.name, 100), (.title, 200), (.lines, 2_000)] {
            #expect(rules.bytesMax == bytesMax)
            let half = String(repeating: "é", count: bytesMax / 2)
            #expect(Self.problem(half, rules) == nil)
            #expect(Self.problem("  \(half)  ", rules) == nil, "trimmed characters must not count")
            #expect(Self.problem(half + "a", rules) == .tooManyBytes(maximum: bytesMax))
            #expect(Self.problem(String(repeating: "a", count: 1_000_000), rules) == .tooManyBytes(maximum: bytesMax))
        }
    }

    @Test func `characters are counted as a reader does`() {
        let rules = DisplayText.Rules(characters: 2...3, bytesMax: 200)
        #expect(Self.problem("👩‍👩‍👧", rules) == .tooShort(minimum: 2))
        #expect(Self.problem("👩‍👩‍👧é", rules) == nil)
        #expect(Self.problem("👩‍👩‍👧e\u{301}\u{302}🇵🇱", rules) == nil)
        #expect(Self.problem("👩‍👩‍👧é🇵🇱!", rules) == .tooLong(maximum: 3))
    }

    @Test(arguments: [
        ("a\u{0}b", 1), ("\u{1B}[31m", 0), ("a\tb", 1), ("ab\u{7F}", 2), (" a\u{9F}b", 2), ("a\u{FFFE}", 1),
        ("a\u{1FFFF}b", 1), ("\u{FFF9}a\u{FFFA}b\u{FFFB}", 0), ("é🎸\u{8}", 2),
    ])
    func `control characters are refused`(typed: String, place: Int) {
        #expect(Self.problem(typed) == .controlCharacter(at: place), "\(scalars(typed))")
        #expect(Self.problem(typed, .lines) == .controlCharacter(at: place))
    }

    @Test func `embeddings and overrides of direction are refused, ended or not`() {
        for value in UInt32(0x202A)...0x202E {
            let control = Unicode.Scalar(value).map(String.init) ?? ""
            // Direction controls join no character: each is one.
            #expect(Self.problem("ab\(control)cd") == .bidirectionalControl(at: 2))
            #expect(Self.problem("ab\(control)cd\u{202C}") == .bidirectionalControl(at: 2))
        }
    }

    @Test func `isolates are allowed if they end in their line`() {
        for open in ["\u{2066}", "\u{2067}", "\u{2068}"] {
            #expect(Self.problem("a \(open)שלום\u{2069} b") == nil)
            #expect(Self.problem("a \(open)x\(open)y\u{2069}\u{2069} b") == nil)
            #expect(Self.problem("a \(open)שלום b") == .bidirectionalControl(at: 2))
            #expect(Self.problem("a \(open)x\(open)y\u{2069} b") == .bidirectionalControl(at: 2))
            #expect(Self.problem("ab\(open)c\nd\u{2069}", .lines) == .bidirectionalControl(at: 2))
        }
        #expect(Self.problem("ab\u{2069}c") == .bidirectionalControl(at: 2))
        #expect(Self.problem("\u{2066}a\u{2069}\u{2069}") == .bidirectionalControl(at: 3))
    }

    @Test func `four marks may stand on a letter, five may not`() {
        for mark in ["\u{301}", "\u{E47}", "\u{20DD}", "\u{5B4}"] {
            #expect(Self.problem("xy" + String(repeating: mark, count: 4)) == nil)
            #expect(Self.problem("xy" + String(repeating: mark, count: 5) + "z") == .tooManyMarks(at: 1))
        }
        // Selectors and joiners between them help nothing; the next letter does.
        #expect(Self.problem("x" + String(repeating: "\u{301}\u{34F}", count: 5)) == .tooManyMarks(at: 0))
        #expect(Self.problem(String(repeating: "x\u{301}\u{301}\u{301}\u{301}", count: 5)) == nil)
        #expect(Self.problem("ế\u{323}\u{301}") == nil)
        #expect(Self.problem("ế\u{323}\u{301}\u{301}") == .tooManyMarks(at: 0))
    }

    @Test func `eight invisible characters may stand in a row, nine may not`() {
        #expect(Self.problem("a" + String(repeating: "\u{200D}", count: 8) + "b") == nil)
        #expect(Self.problem("a" + String(repeating: "\u{200D}", count: 9) + "b") == .invisible(at: 0))
        // A message in tags, which no screen shows.
        let tags = String(
            String.UnicodeScalarView("smuggled".unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xE0000) }))
        #expect(Self.problem("a\(tags)\(tags)b") == .invisible(at: 0))
    }

    @Test func `a name is one line, and line breaks of all systems are line breaks`() throws {
        for line in ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{B}", "\u{C}"] {
            #expect(Self.problem("a\(line)b") == .tooManyLines(maximum: 1))
            #expect(try DisplayText("a\(line)b", .lines).text == "a\nb")
        }
        #expect(Self.problem(String(repeating: "a\n", count: 99) + "a", .lines) == nil)
        #expect(Self.problem(String(repeating: "a\n", count: 100) + "a", .lines) == .tooManyLines(maximum: 100))
    }

    @Test func `words of mixed scripts are refused if the rules say so`() {
        var rules = DisplayText.Rules.name
        rules.allowsMixedScripts = false
        #expect(Self.problem("DJ Борис 東京 🎸 42", rules) == nil)
        #expect(Self.problem("Ada's 東京tower!", rules) == nil)
        #expect(Self.problem("DJ  Бoris", rules) == .mixedScripts(at: 4))
        #expect(Self.problem("  KoЯn", rules) == .mixedScripts(at: 2))
    }

    @Test func `every problem has a code that stays`() {
        let all: [DisplayTextError] = [
            .empty, .tooShort(minimum: 1), .tooLong(maximum: 1), .tooManyBytes(maximum: 1), .tooManyLines(maximum: 1),
            .controlCharacter(at: 0), .bidirectionalControl(at: 0), .tooManyMarks(at: 0), .invisible(at: 0),
            .mixedScripts(at: 0),
        ]
        #expect(
            all.map(\.code) == [
                "empty", "too_short", "too_long", "too_many_bytes", "too_many_lines", "control_character",
                "bidirectional_control", "too_many_marks", "invisible", "mixed_scripts",
            ])
        #expect(Set(all.map(\.description)).count == all.count)
    }
}
