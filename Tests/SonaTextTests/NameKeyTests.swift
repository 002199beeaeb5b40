import SonaTestSupport
import SonaText
import Testing

@Suite struct NameKeyTests {
    @Test(arguments: [
        "Ａlice", "аlice", "alice\u{200B}", "ALICE", "aIice", "al1ce", "allce", "a|ice", "\u{202E}alice", "аlісе",
        "𝐚𝐥𝐢𝐜𝐞", "ⓐⓛⓘⓒⓔ", "alic\u{00AD}e", "\u{FEFF}alice", "AL1CE",
    ])
    func `names that look like alice have the key of alice`(name: String) {
        #expect(NameKey(name) == NameKey("alice"), "\(scalars(name))")
    }

    @Test(arguments: ["alicé", "alice2", "alice_", "a.lice", "malice", "alic", "alyce", "ecila", "a lice"])
    func `names that do not look like alice have another key`(name: String) {
        #expect(NameKey(name) != NameKey("alice"))
    }

    @Test(arguments: [
        ("mike", "rnike"), ("MIKE", "RNIKE"), ("william", "vvilliam"), ("b0b", "bob"), ("BOB", "B0B"), ("Ian", "lan"),
        ("corner", "comer"), ("Straße", "STRASSE"), ("РАУРАL", "paypal"), ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ])
    func `letters that pass for others have one key`(one: String, other: String) {
        #expect(NameKey(one) == NameKey(other))
    }

    /// The three kinds of look-alikes: within one script, of mixed scripts, of one script whole.
    ///
    /// Source: UTS #39, section 4.
    @Test(arguments: [("ljeto", "\u{1C9}eto"), ("paypal", "p\u{430}yp\u{430}l"), ("scope", "ѕсоре")])
    func `the examples of UTS 39 have one key`(one: String, other: String) {
        #expect(one != other)
        #expect(NameKey(one) == NameKey(other))
    }

    /// The table of the documentation comment, and that there is no more to it.
    @Test func `within ASCII only these letters are one`() {
        var classes: [String: Set<Character>] = [:]
        let allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
        for character in allowed { classes[NameKey(String(character)).text, default: []].insert(character) }
        let several = Set(classes.values.filter { Set($0.map { $0.lowercased() }).count > 1 })
        #expect(several == [["i", "I", "l", "L", "1"], ["o", "O", "0"]])
        #expect(classes["rn"] == ["m", "M"] && classes["vv"] == ["w", "W"])
        #expect(classes.keys.allSatisfy { $0.count == 1 || $0 == "rn" || $0 == "vv" })
    }

    @Test func `every case variant of a name has its key`() {
        for bits in 0..<32 {
            let variant = "alice".enumerated().map { index, letter in
                bits >> index & 1 == 1 ? letter.uppercased() : String(letter)
            }
            #expect(NameKey(variant.joined()) == NameKey("alice"))
        }
        var texts = RandomTexts(seed: 11)
        for _ in 0..<2_000 {
            let name = texts.nextUsername()
            let other = texts.recased(name)
            #expect(NameKey(name) == NameKey(other), "\(name) \(other)")
        }
    }

    @Test func `the key of a key is the key, whatever the script`() {
        var texts = RandomTexts(seed: 12)
        for _ in 0..<100_000 {
            let text = texts.next()
            let key = NameKey(text)
            // Both == of String and that of bytes, which SQLite's is.
            guard NameKey(key.text) == key, Array(NameKey(key.text).text.utf8) == Array(key.text.utf8) else {
                Issue.record("\(scalars(text)) has the key \(scalars(key.text)), which has another.")
                return
            }
        }
    }

    /// Every character by itself, but for the ten thousands of Han and Hangul, of which one in 16 is taken.
    @Test func `the key of a character is the same in either case and stays`() {
        for value in UInt32(0)...0x1_FFFF where !(0x3400...0xD7A3 ~= value) || value.isMultiple(of: 16) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let key = NameKey(String(scalar)).text
            for text in [key, scalar.properties.uppercaseMapping, scalar.properties.lowercaseMapping]
            where text.unicodeScalars.allSatisfy(Self.isKnownToICU) && NameKey(text).text != key {
                Issue.record("\(scalars(String(scalar))) has the key \(scalars(key)), \(scalars(text)) another.")
            }
        }
    }

    /// Swift's tables are newer than those of some ICUs, and have capitals for letters that had none.
    private static func isKnownToICU(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.age.map { ($0.major, $0.minor) <= (15, 0) } ?? false
    }

    @Test func `canonically equal names have one key`() {
        #expect(NameKey("\u{E9}lodie") == NameKey("e\u{301}lodie"))
        #expect(NameKey("\u{212B}ngström") == NameKey("\u{C5}ngstro\u{308}m"))
        #expect(NameKey("") == NameKey("\u{200B}\u{FEFF}"))
    }

    /// The tables are shared by all threads.
    @Test func `many threads make the same keys`() async {
        let names = (0..<200).map { _ in "Ａli\u{200B}cе" }
        let expected = NameKey("alice")
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { names.count { NameKey($0) == expected && !SearchKey($0).isEmpty } } }
            for await count in group { #expect(count == names.count) }
        }
    }

    /// A change of a line here changes stored keys. It needs a new number of the rules in `KeyVersion`.
    @Test func `keys are unchanged`() {
        let names = ["Alice", "Mike", "Wolf_0", "a.b-c", "Straße", "東京"]
        #expect(names.map { NameKey($0).text } == ["allce", "rnlke", "vvolf_o", "a.b-c", "strasse", "東京"])
        #expect(SearchKey("Łódź: Don't, 東京★").text == "lodz don t dont 東京 ★")
    }

    @Test func `the version names the data that keys are made from`() {
        let parts = KeyVersion.current.split(separator: ", ")
        #expect(parts.count == 3)
        #expect(parts.first == "sona 1" && parts[1].hasPrefix("icu ") && parts[2].hasPrefix("unicode "))
    }
}
