import Testing

/// A message taken apart again, by rules written down apart from those that made it.
struct MailReader {
    /// Unfolded, in their order.
    let fields: [(name: String, value: String)]
    let text: String

    /// - Parameter lines: Without their ends; dots that SMTP stuffed into them are taken out here if `isStuffed`.
    init(_ lines: [String], isStuffed: Bool = true) throws {
        let lines = lines.map { isStuffed && $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
        let end = try #require(lines.firstIndex(of: ""))
        var fields: [(name: String, value: String)] = []
        for line in lines[..<end] {
            if line.hasPrefix(" ") {
                fields[fields.count - 1].value += line
            } else {
                let colon = try #require(line.firstIndex(of: ":"))
                fields.append((String(line[..<colon]), String(line[line.index(colon, offsetBy: 2)...])))
            }
        }
        self.fields = fields
        text = try Self.text(lines[(end + 1)...])
    }

    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    private static func text(_ lines: ArraySlice<String>) throws -> String {
        var bytes: [UInt8] = []
        for line in lines {
            var rest = Array(line.utf8)[...]
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "=") else {
                    bytes.append(byte)
                    continue
                }
                guard !rest.isEmpty else { break }
                bytes.append(try #require(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)))
                rest = rest.dropFirst(2)
            }
            if !line.hasSuffix("=") { bytes.append(UInt8(ascii: "\n")) }
        }
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    /// Decodes the encoded words of a header and joins them.
    static func decoded(_ value: String) throws -> String {
        guard value.contains("=?") else { return value }
        var text = ""
        for word in value.split(separator: " ") {
            guard word.hasPrefix("=?UTF-8?B?"), word.hasSuffix("?=") else {
                text += " " + word
                continue
            }
            #expect(word.utf8.count <= 75)
            // Whole characters in every word, so each is valid by itself.
            let bytes = try base64(word.dropFirst(10).dropLast(2))
            text += try #require(String(validating: bytes, as: UTF8.self))
        }
        return text
    }

    private static func base64(_ text: Substring) throws -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        #expect(text.count.isMultiple(of: 4))
        var bits = ""
        for character in text where character != "=" {
            let value = try #require(alphabet.firstIndex(of: character))
            let digits = String(value, radix: 2)
            bits += String(repeating: "0", count: 6 - digits.count) + digits
        }
        return stride(from: 0, through: bits.count - 8, by: 8).compactMap { start in
            UInt8(bits.dropFirst(start).prefix(8), radix: 2)
        }
    }
}
