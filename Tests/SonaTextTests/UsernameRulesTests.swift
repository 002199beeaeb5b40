import SonaTestSupport
import SonaText
import Testing

@Suite struct UsernameRulesTests {
    private static func problem(_ typed: String, _ rules: UsernameRules = .ascii) -> UsernameError? {
        do throws(UsernameError) {
            _ = try rules.check(typed)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a name is kept as typed`() throws {
        let name = try UsernameRules.ascii.check("Ada.Lovelace-1_X")
        #expect(name.display == "Ada.Lovelace-1_X" && name.description == name.display)
        #expect(name.key == NameKey("ada.lovelace-1_x"))
    }

    @Test func `every username of the protocol that is not reserved is allowed`() throws {
        var texts = RandomTexts(seed: 21)
        var rules = UsernameRules.ascii
        rules.reserved = .none
        for _ in 0..<2_000 {
            let typed = texts.nextUsername()
            #expect(try rules.check(typed).display == typed)
        }
        for typed in ["123", "007", "ada.", "a--", "a._", "0-0"] { #expect(Self.problem(typed) == nil, "\(typed)") }
    }

    @Test(arguments: [
        ("", UsernameError.empty), ("ab", .tooShort(minimum: 3)), (" ", .invalidCharacter(at: 0)),
        ("ada ", .invalidCharacter(at: 3)), (" ada", .invalidCharacter(at: 0)), ("a/da", .invalidCharacter(at: 1)),
        ("%%%", .invalidCharacter(at: 0)), ("ad\0a", .invalidCharacter(at: 2)), ("ada\n", .invalidCharacter(at: 3)),
        ("ada\r\n", .invalidCharacter(at: 3)), ("@ada", .invalidCharacter(at: 0)), ("ad😀", .invalidCharacter(at: 2)),
        ("_ada", .leadingPunctuation), (".ada", .leadingPunctuation), ("-ada", .leadingPunctuation),
        ("Ａlice", .invalidCharacter(at: 0)), ("аlice", .invalidCharacter(at: 0)),
        ("adé", .invalidCharacter(at: 2)), ("ade\u{301}", .invalidCharacter(at: 2)),
        ("ad1\u{301}", .invalidCharacter(at: 2)),
        ("alice\u{200B}", .invisible(at: 5)), ("\u{FEFF}alice", .invisible(at: 0)),
        ("al\u{202E}ice", .invisible(at: 2)),
        ("al\u{AD}ice", .invisible(at: 2)), ("admin", .reserved), ("ADMIN", .reserved), ("adrnin", .reserved),
    ])
    func `a text of another form is refused`(typed: String, expected: UsernameError) {
        #expect(Self.problem(typed) == expected, "\(scalars(typed))")
    }

    @Test func `a name has 3 to 24 characters`() {
        #expect(Self.problem("ab") == .tooShort(minimum: 3))
        #expect(Self.problem("abc") == nil)
        #expect(Self.problem(String(repeating: "a", count: 24)) == nil)
        #expect(Self.problem(String(repeating: "a", count: 25)) == .tooLong(maximum: 24))
        #expect(Self.problem(String(repeating: "a", count: 1_000_000)) == .tooLong(maximum: 24))
    }

    @Test func `three hundred marks are too many bytes before they are too many marks`() {
        let zalgo = "ada" + String(repeating: "\u{301}", count: 300)
        #expect(Self.problem(zalgo) == .tooManyBytes(maximum: 96))
        #expect(Self.problem("ad" + "e\u{301}\u{302}\u{303}\u{304}") == .invalidCharacter(at: 2))
        #expect(Self.problem("ad" + "e\u{301}\u{302}\u{303}\u{304}\u{306}") == .tooManyMarks(at: 2))
    }

    @Test(arguments: [
        "Алиса", "Zoë", "Ελένη", "さくら", "東京tokyo", "한국어", "مريم", "अलीस", "อลิซ", "Ada_1", "Łukasz", "Nguyễn",
    ])
    func `with any script a name of one language is allowed`(typed: String) throws {
        let name = try UsernameRules.anyScript.check(typed)
        #expect(name.display == typed && name.key == NameKey(typed))
        #expect((Self.problem(typed, .ascii) == nil) == (typed == "Ada_1"))
    }

    @Test(arguments: [
        ("аlice", UsernameError.mixedScripts), ("Алиcа", .mixedScripts), ("ада_ada", .mixedScripts),
        ("عدن1٢", .mixedScripts), ("Ａlice", .invalidCharacter(at: 0)), ("ⓐda", .invalidCharacter(at: 0)),
        ("ada😀", .invalidCharacter(at: 3)), ("ada\u{2019}s", .invalidCharacter(at: 3)),
        ("ада ада", .invalidCharacter(at: 3)),
        ("алиса\u{200D}", .invisible(at: 4)), ("\u{301}ада", .invalidCharacter(at: 0)),
        ("ад1\u{301}", .invalidCharacter(at: 2)),
        ("-ада", .leadingPunctuation), ("аб", .tooShort(minimum: 3)),
    ])
    func `with any script a text of another form is no name`(typed: String, expected: UsernameError) {
        #expect(Self.problem(typed, .anyScript) == expected, "\(scalars(typed))")
    }

    /// Source: UTS #39, section 5.1, the table of examples.
    @Test(arguments: [
        ("Circle", true), ("Circ1e", true), ("Сirсlе", false), ("ねガな", true), ("〆切り", true),
    ])
    func `the examples of UTS 39 are of one script or not`(typed: String, isAllowed: Bool) {
        #expect(Self.problem(typed, .anyScript) == (isAllowed ? nil : .mixedScripts))
    }

    @Test func `with any script a name has 24 characters and 96 bytes`() {
        let four = "\u{20000}"  // A letter of four bytes.
        #expect(Self.problem(String(repeating: four, count: 24), .anyScript) == nil)
        #expect(Self.problem(String(repeating: four, count: 25), .anyScript) == .tooLong(maximum: 24))
        let six = "कि"  // One character of six bytes.
        #expect(Self.problem(String(repeating: six, count: 16), .anyScript) == nil)
        #expect(Self.problem(String(repeating: six, count: 16) + "क", .anyScript) == .tooManyBytes(maximum: 96))
        #expect(Self.problem(String(repeating: six, count: 64) + "क", .anyScript) == .tooLong(maximum: 24))
    }

    @Test func `with any script four marks are allowed and five are not`() {
        #expect(Self.problem("adn\u{300}\u{301}\u{302}\u{303}", .anyScript) == nil)
        #expect(Self.problem("adn\u{300}\u{301}\u{302}\u{303}\u{304}", .anyScript) == .tooManyMarks(at: 2))
        // NFC puts one of them into the letter; it counts all the same.
        #expect(Self.problem("ade\u{300}\u{301}\u{302}\u{303}", .anyScript) == nil)
        #expect(Self.problem("ade\u{300}\u{301}\u{302}\u{303}\u{304}", .anyScript) == .tooManyMarks(at: 2))
    }

    @Test func `a name that was typed in pieces is put together`() throws {
        let jamo = "\u{1112}\u{1161}\u{11AB}"  // 한, nine bytes for three.
        let typed = String(repeating: jamo, count: 24)
        let name = try UsernameRules.anyScript.check(typed)
        #expect(Array(name.display.utf8) == Array(String(repeating: "한", count: 24).utf8))
    }

    @Test func `every problem has a code that stays`() {
        let all: [UsernameError] = [
            .empty, .tooShort(minimum: 3), .tooLong(maximum: 24), .tooManyBytes(maximum: 96), .invalidCharacter(at: 0),
            .leadingPunctuation, .invisible(at: 0), .tooManyMarks(at: 0), .mixedScripts, .reserved,
        ]
        #expect(
            all.map(\.code) == [
                "empty", "too_short", "too_long", "too_many_bytes", "invalid_character", "leading_punctuation",
                "invisible", "too_many_marks", "mixed_scripts", "reserved",
            ])
        #expect(Set(all.map(\.description)).count == all.count)
        #expect(UsernameError.invalidCharacter(at: 3).description == "Character 4 of the name is not allowed.")
    }
}
