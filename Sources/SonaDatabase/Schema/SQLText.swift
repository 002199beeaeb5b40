/// Reads SQL as far as two texts of one meaning can be told to be the same.
enum SQLText {
    /// Words and signs of a text; names lose their double quotes, strings keep their single ones, comments are left out.
    private static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.hasPrefix("*/") { rest.removeFirst() }
                rest = rest.dropFirst(2)
            } else if first == "'" || first == "\"" {
                let quoted = quotedPrefix(rest, by: first)
                tokens.append(first == "\"" ? String(quoted.dropFirst().dropLast()) : String(quoted))
                rest = rest[quoted.endIndex...]
            } else if first.isLetter || first.isNumber || first == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
                tokens.append(String(word))
                rest = rest[word.endIndex...]
            } else {
                tokens.append(String(first))
                rest.removeFirst()
            }
        }
        return tokens
    }

    /// The quoted text with its quotes; a doubled quote is part of it.
    private static func quotedPrefix(_ text: Substring, by quote: Character) -> Substring {
        var end = text.index(after: text.startIndex)
        while end < text.endIndex {
            let next = text.index(after: end)
            if text[end] == quote {
                guard next < text.endIndex, text[next] == quote else { return text[..<next] }
                end = text.index(after: next)
            } else {
                end = next
            }
        }
        return text
    }

    static func normalized(_ text: String) -> String { tokens(text).joined(separator: " ") }

    /// How often each of `words` occurs.
    static func count(_ words: [String], in text: String) -> [String: Int] {
        let tokens = tokens(text).map { $0.uppercased() }
        return Dictionary(uniqueKeysWithValues: words.map { word in (word, tokens.count { $0 == word }) })
    }

    /// The conditions of the CHECK constraints in a `CREATE TABLE`.
    static func checks(in text: String) -> [String] {
        let tokens = tokens(text)
        var checks: [String] = []
        for (place, token) in tokens.enumerated() where token.uppercased() == "CHECK" {
            var depth = 0
            var parts: [String] = []
            for token in tokens[(place + 1)...] {
                if token == ")" { depth -= 1 }
                if depth > 0 { parts.append(token) }
                if token == "(" { depth += 1 }
                if depth == 0 { break }
            }
            checks.append(parts.joined(separator: " "))
        }
        return checks
    }
}
