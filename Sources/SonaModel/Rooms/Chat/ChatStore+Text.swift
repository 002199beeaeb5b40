package import SonaText
internal import SonaWire

extension DisplayText.Rules {
    /// What may be said at once: 500 characters as a reader counts them, 4 000 bytes, 10 line breaks.
    package static let chat = {
        var rules = DisplayText.Rules(characters: Limits.chatTextGraphemes, bytesMax: Limits.chatTextBytesMax)
        rules.linesMax = Limits.chatLineBreaksMax + 1
        return rules
    }()
}

extension ChatStore {
    /// What somebody says, checked: trimmed, in NFC, without control characters, and with something to see.
    package struct Text: Sendable, Hashable {
        /// Names after an @ that are looked up.
        static let namesMax = 40

        package let text: String

        /// - Throws: `textInvalid`.
        package init(_ typed: String) throws(Refusal) {
            do throws(DisplayTextError) { text = try DisplayText(typed, .chat).text } catch {
                throw .textInvalid(error)
            }
        }

        // MARK: Mentions

        /// Whom an @ may mean, in order: of each place the keys of the names it may be, the longest first.
        ///
        /// An @ counts unless it is part of an address. A name may end in `.`, `-` or `_`, and so may a sentence: only
        /// who knows the names can tell, so the name without them is another candidate.
        var mentionCandidates: [[String]] {
            var candidates: [[String]] = []
            let bytes = Array(text.utf8)
            var index = 0
            while index < bytes.count, candidates.count < Self.namesMax {
                defer { index += 1 }
                guard bytes[index] == UInt8(ascii: "@"), index == 0 || !Self.isWord(bytes[index - 1]) else { continue }
                let name = bytes[(index + 1)...].prefix(while: Self.isName)
                let keys = Self.keys(name)
                if !keys.isEmpty { candidates.append(keys) }
                index += name.count
            }
            return candidates
        }

        private static func keys(_ name: ArraySlice<UInt8>) -> [String] {
            var name = name
            var keys: [String] = []
            // A longer row of such characters is no name, and most of it no candidate.
            while name.count > Limits.usernameBytes.upperBound, name.last.map(isPunctuation) == true {
                name.removeLast()
            }
            while let username = Username(String(decoding: name, as: UTF8.self)) {
                keys.append(username.key)
                guard let last = name.popLast(), isPunctuation(last) else { break }
            }
            return keys
        }

        /// What an @ comes after in an address. Not other letters: many scripts put no space between words.
        private static func isWord(_ byte: UInt8) -> Bool { isName(byte) || byte == UInt8(ascii: "@") }

        private static func isName(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: isPunctuation(byte)
            }
        }

        private static func isPunctuation(_ byte: UInt8) -> Bool { "_.-".utf8.contains(byte) }
    }
}
