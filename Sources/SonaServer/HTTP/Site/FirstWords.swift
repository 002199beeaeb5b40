/// The words of a language that every page needs, in one file: the page asks for them before it shows anything.
enum FirstWords {
    /// What stands before the language in the names of the catalogues that are put together.
    private static let parts = ["", "room.", "errors."]

    static func path(_ language: String) -> String { "locales/first.\(language).json" }

    /// The languages that a site has words in: two letters each.
    static func languages(of contents: [String: [UInt8]]) -> Set<String> {
        Set(
            contents.keys.compactMap { path in
                guard path.hasPrefix("locales/"), path.hasSuffix(".json") else { return nil }
                let name = path.dropFirst("locales/".count).dropLast(".json".count)
                return name.count == 2 ? String(name) : nil
            })
    }

    /// The files by path. Catalogues are objects of texts without objects in them, so they are joined without being read.
    static func files(of contents: [String: [UInt8]]) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for language in languages(of: contents) {
            let inner = parts.compactMap { part in contents["locales/\(part)\(language).json"] }.compactMap(members)
            files[path(language)] = Array("{\n".utf8) + inner.joined(separator: Array(",\n".utf8)) + Array("\n}\n".utf8)
        }
        return files
    }

    /// What is between the brackets of an object; `nil` if there is nothing.
    private static func members(_ catalogue: [UInt8]) -> [UInt8]? {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
        func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            let front = bytes.drop(while: isSpace)
            return front.prefix((front.lastIndex { !isSpace($0) } ?? front.startIndex - 1) + 1 - front.startIndex)
        }
        let whole = trimmed(catalogue[...])
        guard whole.first == UInt8(ascii: "{"), whole.last == UInt8(ascii: "}") else { return nil }
        let inner = trimmed(whole.dropFirst().dropLast())
        return inner.isEmpty ? nil : Array(inner)
    }
}
