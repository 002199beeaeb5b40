import SonaBase
import SonaRooms
import SonaTestSupport
import SonaText
import SonaWire
import Testing

@Suite struct DirectorySearchTests {
    private static let room = RoomID.number(1)

    @Test(arguments: [
        ("Déjà", DirectoryEntry(1, "Soirée déjà vu")), ("late", DirectoryEntry(1, track: "Too Late")),
        ("portis", DirectoryEntry(1, artist: "Portishead")), ("ada", DirectoryEntry(1, named: "ada.lovelace")),
        ("lovel", DirectoryEntry(1, named: "ada.lovelace")), ("dj-x", DirectoryEntry(1, host: "DJ_X")),
        ("trip h", DirectoryEntry(1, tags: ["trip hop"])), ("hop", DirectoryEntry(1, tags: ["trip", "hop"])),
        // Words of one query may be in several fields, in any order.
        ("room ada beyonc hal", DirectoryEntry(1, named: "ada", track: "Halo", artist: "Beyoncé")),
        ("halo beyonce", DirectoryEntry(1, track: "Halo", artist: "Beyoncé", tags: ["pop"])),
        ("acdc", DirectoryEntry(1, artist: "AC/DC")), ("ac dc", DirectoryEntry(1, artist: "AC/DC")),
        ("ac/dc", DirectoryEntry(1, artist: "ACDC")), ("dont", DirectoryEntry(1, track: "Don’t Stop")),
        ("東", DirectoryEntry(1, "東京の夜")), ("京", DirectoryEntry(1, "東京の夜")), ("の夜", DirectoryEntry(1, "東京の夜")),
        ("ラーメン", DirectoryEntry(1, track: "らーめん")), ("ยา", DirectoryEntry(1, track: "ภาษาไทย ยาว")),
        ("하", DirectoryEntry(1, artist: "한국")), ("محمد", DirectoryEntry(1, artist: "مُحَمَّد")),
        ("кин", DirectoryEntry(1, artist: "КИНО")), ("елка", DirectoryEntry(1, "Ёлка")),
        ("istan", DirectoryEntry(1, "İSTANBUL")), ("ISPARTA", DirectoryEntry(1, "ısparta")),
        ("strasse", DirectoryEntry(1, "Straße")), ("हिन", DirectoryEntry(1, "हिन्दी गीत")),
        ("🔥", DirectoryEntry(1, "Set 🔥🔥")), ("👩‍🚀", DirectoryEntry(1, "ground control 👩‍🚀")),
        ("", DirectoryEntry(1)), (" – ", DirectoryEntry(1)), ("ﬁn", DirectoryEntry(1, "Final")),
    ])
    func `a room is found by how its words begin, in any script`(typed: String, entry: DirectoryEntry) throws {
        var directory = RoomDirectory([entry, DirectoryEntry(2, "qqq", by: 2)])
        #expect(try directory.all(typed).contains(Self.room))
        // Every text typed on the way there finds it too.
        var beginning = String.UnicodeScalarView()
        for scalar in typed.unicodeScalars {
            beginning.append(scalar)
            guard SearchKey(String(beginning)).text.allSatisfy(\.isASCII) else { continue }
            #expect(try directory.all(String(beginning)).contains(Self.room), "\(String(beginning))")
        }
    }

    @Test(arguments: [
        ("oom", DirectoryEntry(1)), ("tate", DirectoryEntry(1, track: "Too Late")),
        ("tript", DirectoryEntry(1, tags: ["trip", "trap"])), ("triphop", DirectoryEntry(1, tags: ["trip", "hop"])),
        // No word runs from one field into the next.
        ("roomhalo", DirectoryEntry(1, track: "Halo")), ("夜東", DirectoryEntry(1, "東京の夜")),
        ("room ada x", DirectoryEntry(1, named: "ada")), ("user-7", DirectoryEntry(1, by: 7)),
        ("🔥", DirectoryEntry(1, "Set 🧊")),
    ])
    func `a query that begins no word of a room does not find it`(typed: String, entry: DirectoryEntry) throws {
        var directory = RoomDirectory([entry])
        #expect(try directory.all(typed).isEmpty)
        #expect(try directory.all("") == [Self.room])
    }

    @Test func `live rooms come first, then names, then listeners in steps, then the newest, then by number`() throws {
        let ranked = [
            DirectoryEntry(8, "jazz", isLive: true, listeners: 0, created: 1),
            DirectoryEntry(5, artist: "Jazzanova", isLive: true, listeners: 900, created: 9),
            DirectoryEntry(7, track: "Jazz", isLive: false, listeners: 9, created: 1),
            DirectoryEntry(6, named: "jazzman", listeners: 7, created: 4),
            DirectoryEntry(3, "Jazz", listeners: 4, created: 3),
            DirectoryEntry(2, host: "jazzlady", listeners: 6, created: 2),
            DirectoryEntry(4, "jazz", listeners: 5, created: 2),
            DirectoryEntry(9, "jazz", created: Limits.integerMax),
            DirectoryEntry(1, listeners: 100_000, created: 9, tags: ["jazz"]),
        ]
        for order in [ranked, ranked.reversed()] {
            var directory = RoomDirectory(order)
            #expect(try directory.all("jazz") == ranked.map(\.room.id))
            // Without a query no room is a better match than another.
            #expect(try directory.all("") == [5, 8, 1, 7, 6, 3, 2, 4, 9].map { RoomID.number($0) })
        }
    }

    @Test func `a listener who comes and goes does not change a room's place each time`() throws {
        var directory = RoomDirectory([
            DirectoryEntry(1, listeners: 7, created: 1), DirectoryEntry(2, listeners: 6, created: 2),
        ])
        let order = [(7, false), (8, true), (7, true), (8, true), (6, true), (5, false), (7, false), (0, false)]
        for (count, isFirst) in order {
            directory.put(DirectoryEntry(1, listeners: count, created: 1))
            #expect(try directory.all("").first == .number(isFirst ? 1 : 2), "\(count)")
        }
        // The step from one listener to none is a step of its own.
        directory.put(DirectoryEntry(2, listeners: 0, created: 2))
        directory.put(DirectoryEntry(1, listeners: 1, created: 1))
        #expect(try directory.all("").first == .number(1))
        directory.put(DirectoryEntry(1, listeners: 0, created: 1))
        #expect(try directory.all("").first == .number(2))
    }

    @Test func `impossible numbers only move a room to the end of its kind`() throws {
        var directory = RoomDirectory([
            DirectoryEntry(1, listeners: .min, created: .min), DirectoryEntry(2, listeners: .max, created: .max),
            DirectoryEntry(3, isLive: true, listeners: -1, created: -1), DirectoryEntry(4),
        ])
        #expect(try directory.all("") == [3, 2, 1, 4].map { RoomID.number($0) })
        directory.put(DirectoryEntry(2, listeners: .max - 1, created: .max))
        directory.remove(.number(2))
        #expect(try directory.all("") == [3, 1, 4].map { RoomID.number($0) })
    }

    @Test func `private rooms are found among the public ones, only by readers who may enter`() throws {
        var directory = RoomDirectory([
            DirectoryEntry(1, "jazz", created: 3), DirectoryEntry(2, "jazz", by: 2, visibility: .private, created: 2),
            DirectoryEntry(3, "jazz", created: 1), DirectoryEntry(4, "jazz", by: 2, visibility: .private, isLive: true),
        ])
        for text in ["jazz", ""] {
            #expect(try directory.all(text) == [.number(1), .number(3)])
            #expect(
                try directory.all(DirectoryQuery(text, admitted: [.number(2)])) == [1, 2, 3].map { RoomID.number($0) })
            #expect(try directory.all(DirectoryQuery(text, scope: .owners([.number(2)]))).isEmpty)
            #expect(
                try directory.all(DirectoryQuery(text, scope: .owners([.number(2)]), admitted: [.number(4)]))
                    == [.number(4)])
            // An invitation does not override a block.
            #expect(
                try directory.all(DirectoryQuery(text, hidden: [.number(2)], admitted: [.number(2), .number(77)]))
                    == [.number(1), .number(3)])
        }
        #expect(directory.publicCount == 2 && directory.count == 4)
        directory.put(DirectoryEntry(1, "jazz", visibility: .private, created: 3))
        directory.put(DirectoryEntry(4, "jazz", by: 2, isLive: true))
        #expect(try directory.all("jazz") == [.number(4), .number(3)])
        #expect(directory.publicCount == 2)
    }

    @Test func `stored rooms can be read, and removed rooms are gone`() throws {
        var directory = RoomDirectory([DirectoryEntry(1, "jazz", tags: ["a"])])
        #expect(directory.entry(.number(1)) == DirectoryEntry(1, "jazz", tags: ["a"]))
        directory.remove(.number(2))
        directory.remove(.number(1))
        directory.remove(.number(1))
        #expect(directory.entry(.number(1)) == nil && directory.count == 0 && directory.publicCount == 0)
        #expect(try directory.all("").isEmpty)
    }

    @Test func `a room that changes hands belongs to its new owner`() throws {
        var directory = RoomDirectory([DirectoryEntry(1, by: 1, named: "ada"), DirectoryEntry(2, by: 1)])
        directory.put(DirectoryEntry(1, by: 2, named: "bob"))
        #expect(try directory.all(DirectoryQuery(scope: .owners([.number(1)]))) == [.number(2)])
        #expect(try directory.all(DirectoryQuery(scope: .owners([.number(2)]))) == [.number(1)])
        #expect(try directory.all(DirectoryQuery(hidden: [.number(1)])) == [.number(1)])
        #expect(try directory.all("ada").isEmpty)
        #expect(try directory.all("bob") == [.number(1)])
    }

    @Test(arguments: [
        String(repeating: "a ", count: 50), String(repeating: "a/", count: 50), String(repeating: "🔥", count: 25),
        String(repeating: "\u{301}", count: 50), String(repeating: "a\u{301}", count: 33), "\u{0}\u{0}\u{FFFF}",
        String(repeating: "﷽", count: 33), String(repeating: "한", count: 33), String(repeating: " ", count: 100),
        String(repeating: "東a", count: 25), "\u{202E}\u{200D}\u{FE0F}", String(repeating: "ß", count: 50),
        "a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5 6 7 8 9 0", "*", "%", "\"'`;--", "..", "-",
    ])
    func `a hostile query finds the right rooms and does no harm`(text: String) throws {
        let entries = [DirectoryEntry(1, "a"), DirectoryEntry(2, text), DirectoryEntry(3, "aaa 🔥 東a 한 ss")]
        var directory = RoomDirectory(entries)
        let found = try directory.all(text)
        #expect(found.contains(.number(2)))
        let words = SearchKey(text).text.split(separator: " ").count
        guard words <= 10 else { return }
        let expected = entries.filter { SearchKey($0.room.settings.title).prefixMatches(SearchQuery(text)) }
        #expect(Set(found) == Set(expected.map(\.room.id)))
    }

    /// Goal: the signature never rules out a room that matches, in scripts with spaces and without.
    ///
    /// Way: texts of random letters, and beginnings of their words, compared with `SearchKey` alone.
    @Test func `a room ruled out by its signature would not have matched`() throws {
        let blocks: [ClosedRange<UInt32>] = [
            0x61...0x66, 0x391...0x395, 0x430...0x434, 0x5D0...0x5D4, 0x627...0x62B, 0x915...0x919, 0xE01...0xE05,
            0xE81...0xE84, 0xF40...0xF44, 0x1000...0x1004, 0x1780...0x1784, 0x1980...0x1984, 0x1A20...0x1A24,
            0x3042...0x3046, 0x30A2...0x30A6, 0x3105...0x3109, 0x4E00...0x4E04, 0xA000...0xA004, 0xA984...0xA988,
            0xAC00...0xAC04, 0x1F600...0x1F604, 0x20000...0x20004, 0x300...0x304, 0x20...0x20, 0x2D...0x2F,
        ]
        var generator = SeededGenerator(seed: 21)
        func text(_ count: ClosedRange<Int>) -> String {
            let chosen = (0..<3).compactMap { _ in blocks.randomElement(using: &generator) } + [0x20...0x20]
            let scalars = (0..<Int.random(in: count, using: &generator)).compactMap { _ in
                chosen.randomElement(using: &generator).flatMap {
                    Unicode.Scalar(UInt32.random(in: $0, using: &generator))
                }
            }
            return String(String.UnicodeScalarView(scalars))
        }
        let texts = (0..<200).map { _ in text(1...20) }
        let keys = texts.map { SearchKey($0) }
        var directory = RoomDirectory(texts.enumerated().map { DirectoryEntry($0.offset, $0.element) })
        var hitCount = 0
        for _ in 0..<300 {
            var query = text(1...4)
            if Bool.random(using: &generator), let found = texts.randomElement(using: &generator) {
                let start = Int.random(in: 0..<found.unicodeScalars.count, using: &generator)
                query = String(String.UnicodeScalarView(found.unicodeScalars.dropFirst(start).prefix(4)))
            }
            let words = SearchQuery(query)
            let expected = keys.indices.filter { keys[$0].prefixMatches(words) }
            #expect(Set(try directory.all(query)) == Set(expected.map { RoomID.number($0) }), "\(query)")
            hitCount += expected.count < texts.count ? expected.count : 0
        }
        #expect(hitCount > 500)
    }

    @Test func `only the first ten words of a long query count`() throws {
        let words = (1...12).map { "w\($0)x" }
        var directory = RoomDirectory([
            DirectoryEntry(1, words.prefix(10).joined(separator: " ")),
            DirectoryEntry(2, words.prefix(9).joined(separator: " ")),
        ])
        #expect(try directory.all(words.joined(separator: " ")) == [.number(1)])
        #expect(try directory.all(words.prefix(10).joined(separator: " ")) == [.number(1)])
        #expect(try directory.all(words.prefix(9).joined(separator: " ")).count == 2)
    }

    @Test func `only the beginning of a long field counts, and no letter is cut`() throws {
        // The limit of 200 bytes falls inside the last letter, because these letters have two bytes.
        let title = "x" + String(repeating: "д", count: 99) + "ёй word"
        var directory = RoomDirectory([DirectoryEntry(1, track: title, artist: String(repeating: "long ", count: 99))])
        #expect(try directory.all("x" + String(repeating: "д", count: 99)) == [.number(1)])
        #expect(try directory.all("x" + String(repeating: "д", count: 99) + "е").isEmpty)
        #expect(try directory.all("word").isEmpty)
        #expect(try directory.all("�").isEmpty)
        #expect(try directory.all("long") == [.number(1)])
    }

    @Test func `a page has at least one room, if there is one`() throws {
        var directory = RoomDirectory([DirectoryEntry(1, created: 1), DirectoryEntry(2)])
        for limit in [Int.min, -1, 0, 1] {
            let page = try directory.search(DirectoryQuery(), reader: .number(1), limit: limit, now: 0)
            #expect(page.entries == [DirectoryEntry(1, created: 1)] && page.nextCursor != nil)
        }
        let page = try directory.search(DirectoryQuery(), reader: .number(1), limit: 2, now: 0)
        #expect(page.entries.count == 2 && page.nextCursor == nil)
    }
}
