import SonaTestSupport
import Testing

@testable import SonaConfiguration

struct ConfigurationTableTests {
    struct Shop: Equatable {
        enum Mood: String, CaseIterable { case calm, merry, wild }
        var name: String?
        var seats = 4
        var doors: [String] = ["front"]
        var isOpen = false
        var mood: Mood?
        var safeCode: String?
        var menu: String?
    }

    private static let table = ConfigurationTable<Shop>(
        prefix: "SHOP_", otherVariables: ["SHOP_STAFF"],
        [
            ConfigurationSection(
                "Shop",
                [
                    .one("name", \.name, .text("name"), "What is written above the door.", [.reloadable]),
                    .one("seats", \.seats, .number(1...99), "Chairs."),
                    .many("door", \.doors, .text("door"), "A way in.", [.reloadable]),
                    .flag("open", \.isOpen, "Let people in.", [.reloadable]),
                    .one("mood", \.mood, .word, "How it feels.", usually: "as the weather"),
                ]),
            ConfigurationSection(
                "Secrets",
                [
                    .one("safe-code", \.safeCode, .text("code"), "Opens the safe.", .secret),
                    .one("menu", \.menu, .path("file"), "What there is to eat.", .file),
                ]),
        ])

    private func resolve(
        file: String? = nil, _ environment: [String: String] = [:], flags: [String: [String]] = [:],
        credentials: String? = nil
    ) -> ResolvedConfiguration<Shop> {
        var sources = ConfigurationSources()
        sources.flags = flags
        sources.environment = environment
        sources.credentialsFolder = credentials
        sources.file = file.map { ConfigurationFile(path: "shop.conf", text: $0) }
        return Self.table.resolve(sources, over: Shop())
    }

    @Test func `a flag stands above the environment, that above the file, and that above the default`() {
        let file = "seats = 7\nname = File\n"
        var resolved = resolve()
        #expect(resolved.target == Shop() && resolved.origin("seats") == .standard)
        resolved = resolve(file: file)
        #expect(resolved.target.seats == 7 && resolved.origin("seats") == .file("shop.conf", line: 1))
        resolved = resolve(file: file, ["SHOP_SEATS": "8"])
        #expect(resolved.target.seats == 8 && resolved.origin("seats") == .environment("SHOP_SEATS"))
        #expect(resolved.target.name == "File" && resolved.origin("name") == .file("shop.conf", line: 2))
        resolved = resolve(file: file, ["SHOP_SEATS": "8"], flags: ["seats": ["9"]])
        #expect(resolved.target.seats == 9 && resolved.origin("seats") == .flag("seats"))
        #expect(resolved.faults.isEmpty && resolved.warnings.isEmpty)
    }

    @Test func `the list of the highest source replaces the others`() {
        let file = "door = side back\nopen = yes\ndoor = roof\n"
        #expect(resolve(file: file).target.doors == ["side", "back", "roof"])
        #expect(resolve(file: file, ["SHOP_DOOR": " one  two "]).target.doors == ["one", "two"])
        #expect(resolve(file: file, ["SHOP_DOOR": "one"], flags: ["door": ["a b", "c"]]).target.doors == ["a b", "c"])
    }

    @Test func `an empty value is as if it were not there`() {
        let resolved = resolve(file: "seats =\nname = \n", ["SHOP_SEATS": ""])
        #expect(resolved.target == Shop() && resolved.faults.isEmpty)
    }

    @Test(arguments: ["yes", "true", "ON", "1"])
    func `words for yes`(word: String) { #expect(resolve(file: "open = \(word)").target.isOpen) }

    @Test(arguments: ["no", "False", "off", "0"])
    func `words for no`(word: String) {
        #expect(!resolve(file: "open = yes", flags: ["open": [word]]).target.isOpen)
    }

    @Test(
        arguments: [
            ("seats = 0", "shop.conf:1 takes a number from 1 to 99, not \"0\"."),
            ("seats = 100", "shop.conf:1 takes a number from 1 to 99, not \"100\"."),
            ("\n# no\nseats = many", "shop.conf:3 takes a number from 1 to 99, not \"many\"."),
            ("open = perhaps", "shop.conf:1 takes yes or no, not \"perhaps\"."),
            ("mood = angry", "shop.conf:1 takes calm, merry or wild, not \"angry\"."),
            ("sets = 3", "shop.conf:1: there is no key \"sets\"; did you mean \"seats\"?"),
            ("parking = 3", "shop.conf:1: there is no key \"parking\"."),
            ("seats = 3\nseats = 4", "shop.conf:2: seats stands twice, first in line 1."),
            ("seats", "shop.conf:1: a line is \"key = value\", or begins with #."),
            ("safe-code-file = /nowhere", "shop.conf:1: /nowhere can't be read: No such file or directory."),
        ])
    func `a fault names its place and what would be right`(file: String, sentence: String) {
        let resolved = resolve(file: file)
        #expect(resolved.faults.map(\.description) == [sentence])
        #expect(resolved.target == Shop())
    }

    @Test func `every fault is told at once, and values without a fault still count`() {
        let resolved = resolve(file: "seats = x\nname = Ada's\nopen = x\n", ["SHOP_MOOD": "x"])
        #expect(resolved.faults.map(\.key) == ["seats", "open", "mood"])
        #expect(resolved.target.name == "Ada's")
    }

    @Test func `a misspelt variable is a fault, and one that is nobody's concern is not`() {
        let environment = [
            "SHOP_SEAT": "4", "SHOP_STAFF": "ada", "SHOP_PORT_8080_TCP": "tcp://10.0.0.1", "SHOP_MOODY_DOORS": "1",
            "SHOP": "x",
        ]
        let resolved = resolve(environment)
        #expect(resolved.faults.map(\.description) == ["There is no variable SHOP_SEAT; did you mean SHOP_SEATS?"])
    }

    @Test func `quotes, spaces, comments and line ends are as in other such files`() {
        let file = "# Shop\r\n\r\n  name=\"  Ada's = best \"  \r\n\tseats\t=\t5\r\n# seats = 6"
        let resolved = resolve(file: file)
        #expect(resolved.target.name == "  Ada's = best " && resolved.target.seats == 5 && resolved.faults.isEmpty)
        #expect(resolved.origin("seats") == .file("shop.conf", line: 4))
        #expect(resolve(file: "name = \"").target.name == "\"")
    }

    @Test func `a secret comes from a file, a credential or the environment and is never shown`() throws {
        let folder = TemporaryFolder()
        TemporaryFolder.write(Array("1234\nsecond line\n".utf8), toFile: folder.file("safe-code"))
        let path = folder.file("safe-code")
        for resolved in [
            resolve(flags: ["safe-code-file": [path]]), resolve(["SHOP_SAFE_CODE_FILE": path]),
            resolve(credentials: folder.path), resolve(file: "safe-code-file = \(path)"),
            resolve(["SHOP_SAFE_CODE": "1234"]),
            resolve(file: "safe-code = 1234"),
        ] {
            #expect(resolved.target.safeCode == "1234" && resolved.faults.isEmpty)
            let shown = Self.table.shown(resolved).first { $0.key == "safe-code" }
            #expect(shown?.values == ["(secret)"] && shown?.origin != .standard)
        }
        #expect(resolve(flags: ["safe-code": ["1234"]]).target.safeCode == nil)
    }

    @Test func `a credential for a key that names a file is that file`() {
        let folder = TemporaryFolder()
        TemporaryFolder.write(Array("soup".utf8), toFile: folder.file("menu"))
        TemporaryFolder.write(Array("6\n".utf8), toFile: folder.file("seats"))
        let resolved = resolve(file: "seats = 3", credentials: folder.path)
        #expect(resolved.target.menu == folder.file("menu") && resolved.target.seats == 6)
        #expect(resolved.origin("seats") == .credential(folder.file("seats")))
        #expect(resolve(["SHOP_SEATS": "7"], credentials: folder.path).target.seats == 7)
    }

    @Test func `a file with a secret that others may read is warned of`() throws {
        let folder = TemporaryFolder()
        for (mode, warnings) in [(0o600, 0), (0o640, 1), (0o604, 1)] as [(UInt32, Int)] {
            TemporaryFolder.write(Array("safe-code = 1\nseats = 2\n".utf8), toFile: folder.file("conf"), mode: mode)
            var sources = ConfigurationSources()
            sources.file = try ConfigurationFile(path: folder.file("conf"))
            let resolved = Self.table.resolve(sources, over: Shop())
            #expect(resolved.warnings.count == warnings && resolved.target.seats == 2)
        }
    }

    @Test func `the document has each key once, and its lines without the # are the defaults`() {
        let text = Self.table.document(heading: ["Shop", "", "All of it."], defaults: Shop())
        #expect(text.hasPrefix("# Shop\n#\n# All of it.\n\n## Shop\n\n# What is written"))
        let lines = text.split(separator: "\n").filter { $0.first == "#" && $0.dropFirst().first?.isLetter == true }
        #expect(
            lines == ["#name =", "#seats = 4", "#door = front", "#open = no", "#mood =", "#safe-code =", "#menu ="])
        let resolved = resolve(file: lines.map { String($0.dropFirst()) }.joined(separator: "\n"))
        #expect(resolved.target == Shop() && resolved.faults.isEmpty)
        #expect(text.contains("Default: as the weather.") && text.contains("Or safe-code-file = a file"))
        #expect(text.contains("# Chairs. Takes a number from 1 to 99. Needs a restart."))
    }

    @Test func `a running program takes over what is reloadable and names the rest`() {
        let old = resolve(file: "seats = 5\nname = Old\ndoor = a").target
        let new = resolve(file: "seats = 6\nopen = yes\ndoor = a").target
        let changes = Self.table.changes(from: old, to: new)
        #expect(changes.taken == ["name", "open"] && changes.waiting == ["seats"])
        let merged = Self.table.merged(old, with: new)
        #expect(merged == Shop(name: nil, seats: 5, doors: ["a"], isOpen: true))
    }
}
