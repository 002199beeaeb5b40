import SonaWire
import Testing

@Suite struct JSONWriterTests {
    @Test func `the writer puts in commas and colons`() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("a", 1)
            writer.key("b")
            writer.beginArray()
            writer.integer(2)
            writer.object { $0.member("c", "d") }
            writer.object { _ in }
            writer.beginArray()
            writer.endArray()
            writer.null()
            writer.endArray()
            writer.member("e", true)
            writer.key("f\"")
            writer.number(0.5)
        }
        #expect(text(writer) == #"{"a":1,"b":[2,{"c":"d"},{},[],null],"e":true,"f\"":0.5}"#)
    }

    @Test func `absent members are written as null or left out`() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("a", orNull: nil as String?)
            writer.member("b", ifPresent: nil as String?)
            writer.member("c", orNull: 3 as Int?)
            writer.member("d", ifPresent: nil as Int?)
            writer.member("e", orNull: nil as Track?)
            writer.member("f", ifPresent: nil as Track?)
            writer.member("g", [Empty(), Empty()])
        }
        #expect(text(writer) == #"{"a":null,"c":3,"e":null,"g":[{},{}]}"#)
    }

    @Test func `integers are written in full and held to 2^53 - 1`() {
        let pairs: [(Int64, String)] = [
            (0, "0"), (-1, "-1"), (9, "9"), (10, "10"), (-1_234_567_890, "-1234567890"),
            (Limits.integerMax, "9007199254740991"), (-Limits.integerMax, "-9007199254740991"),
            (.max, "9007199254740991"), (.min, "-9007199254740991"),
        ]
        for (value, expected) in pairs {
            var writer = JSONWriter()
            writer.integer(value)
            #expect(text(writer) == expected)
        }
        var writer = JSONWriter()
        writer.integer(UInt64.max)
        #expect(text(writer) == "9007199254740991")
    }

    @Test func `numbers that are not finite become null`() {
        for value in [Double.nan, .infinity, -.infinity] {
            var writer = JSONWriter()
            writer.number(value)
            #expect(text(writer) == "null")
        }
    }

    @Test func `every scalar encodes and decodes to itself`() throws {
        let scalars =
            (0...0x2FFF).compactMap { Unicode.Scalar($0 as UInt32) } + ["\u{FFFF}", "\u{10FFFF}", "\u{1F3B5}"]
        var string = ""
        string.unicodeScalars.append(contentsOf: scalars)
        var writer = JSONWriter()
        writer.string(string)
        #expect(try JSON.parse(writer.bytes).string.map { $0.utf8.elementsEqual(string.utf8) } == true)
    }

    @Test func `control characters are escaped and nothing else`() {
        var writer = JSONWriter()
        writer.string("\"\\/\u{8}\u{9}\u{A}\u{C}\u{D}\u{0}\u{1F}\u{7F}é")
        #expect(text(writer) == #""\"\\/\b\t\n\f\r\u0000\u001f"# + "\u{7F}é\"")
    }

    @Test func `a byte to be escaped is found at every place, and no other byte is escaped`() throws {
        // Neighbours of what is escaped, and what a whole word's arithmetic might mistake for it.
        let others = ["!", "#", "[", "]", " ", "\u{7F}", "\u{80}", "\u{A2}", "\u{DC}", "\u{FF}", "\u{10FFFF}", "a"]
        for special in ["\"", "\\", "\n", "\u{0}", "\u{1F}"] + others {
            for length in 0...24 {
                for other in others {
                    for place in 0...length {
                        var characters = [String](repeating: other, count: length)
                        characters.insert(special, at: place)
                        let string = characters.joined()
                        var writer = JSONWriter(reserving: 1)
                        writer.string(string)
                        let isPlain = others.contains(special)
                        guard try JSON.parse(writer.bytes).string == string,
                            !isPlain || writer.bytes.count == string.utf8.count + 2
                        else {
                            Issue.record("\(string.debugDescription) became \(text(writer))")
                            return
                        }
                    }
                }
            }
        }
    }

    private func text(_ writer: JSONWriter) -> String { String(decoding: writer.bytes, as: UTF8.self) }
}
