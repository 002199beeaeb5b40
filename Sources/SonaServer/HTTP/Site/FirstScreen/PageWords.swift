internal import SonaWire

/// The page's words in one language, as far as the document has some.
struct PageWords: Sendable {
    private let language: String
    private let texts: [String: String]

    /// - Parameter catalogue: An object of texts, one on a line. Lines that are not a key and a text are left out.
    init(_ language: String, _ catalogue: [UInt8]) {
        self.language = language
        var texts: [String: String] = [:]
        for line in catalogue.split(separator: UInt8(ascii: "\n")) {
            var member = line.drop { $0 == UInt8(ascii: " ") }
            guard member.first == UInt8(ascii: "\"") else { continue }
            if member.last == UInt8(ascii: ",") { member = member.dropLast() }
            let object = try? JSON.parse([UInt8(ascii: "{")] + member + [UInt8(ascii: "}")])
            guard let member = object?.object?.first, let text = member.value.string else { continue }
            texts[member.key] = text
        }
        self.texts = texts
    }

    /// The words of a key; the key itself if there are none.
    subscript(key: String) -> String { texts[key] ?? key }

    /// The words for a number of things.
    func plural(_ key: String, _ count: Int) -> String {
        (texts["\(key).\(form(count))"] ?? self["\(key).other"]).replacing("{count}", with: String(count))
    }

    /// Source: Unicode CLDR, "Language Plural Rules", cardinal numbers.
    private func form(_ count: Int) -> String {
        switch (language, count) {
        case (_, 1): "one"
        case ("pl", let count): (2...4).contains(count % 10) && !(12...14).contains(count % 100) ? "few" : "many"
        default: "other"
        }
    }
}
