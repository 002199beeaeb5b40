/// The claims of our tokens as JSON, written and read without a general JSON library.
///
/// Only signed claims are ever decoded, so this reader meets our own writing or that of another version of us. It is
/// strict all the same: one flat object, known members, each once, no white space, nothing after it.
enum ClaimsJSON {
    static func encode(_ claims: AccessTokens.Claims) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(256)
        appendMember("{\"sub\":", claims.subject, to: &text)
        append(",\"iat\":", to: &text)
        text += String(claims.issuedAt).utf8
        append(",\"exp\":", to: &text)
        text += String(claims.expiresAt).utf8
        appendMember(",\"jti\":", claims.tokenID, to: &text)
        if claims.isGuest { append(",\"gst\":true", to: &text) }
        appendMember(",\"name\":", claims.username, to: &text)
        appendMember(",\"fam\":", claims.family, to: &text)
        appendMember(",\"role\":", claims.role, to: &text)
        if let time = claims.authenticatedAt {
            append(",\"auth_time\":", to: &text)
            text += String(time).utf8
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    private static func append(_ literal: StaticString, to text: inout [UInt8]) {
        text.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    private static func appendMember(_ name: StaticString, _ value: String?, to text: inout [UInt8]) {
        guard let value else { return }
        append(name, to: &text)
        appendString(value, to: &text)
    }

    static func decode(_ text: [UInt8]) -> AccessTokens.Claims? {
        var reader = Reader(text)
        var members: [String: Value] = [:]
        guard reader.take("{") else { return nil }
        repeat {
            guard let name = reader.string(), known.contains(name), members[name] == nil, reader.take(":"),
                let value = reader.value()
            else { return nil }
            members[name] = value
        } while reader.take(",")
        guard reader.take("}"), reader.isAtEnd,
            case .text(let subject) = members["sub"], case .number(let issuedAt) = members["iat"],
            case .number(let expiresAt) = members["exp"], case .text(let tokenID) = members["jti"]
        else { return nil }
        var claims = AccessTokens.Claims(
            subject: subject, issuedAt: issuedAt, expiresAt: expiresAt, tokenID: tokenID)
        if let value = members["gst"] {
            guard case .flag(let isGuest) = value else { return nil }
            claims.isGuest = isGuest
        }
        let texts: [(String, WritableKeyPath<AccessTokens.Claims, String?>)] = [
            ("name", \.username), ("fam", \.family), ("role", \.role),
        ]
        for (name, property) in texts {
            guard let value = members[name] else { continue }
            guard case .text(let text) = value else { return nil }
            claims[keyPath: property] = text
        }
        if let value = members["auth_time"] {
            guard case .number(let time) = value else { return nil }
            claims.authenticatedAt = time
        }
        return claims
    }

    private static let known: Set<String> = [
        "sub", "iat", "exp", "jti", "gst", "name", "fam", "role", "auth_time",
    ]

    private enum Value {
        case text(String)
        case number(Int64)
        case flag(Bool)
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)

    private static func appendString(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                text += "\\u00".utf8
                for digit in [byte >> 4, byte & 15] { text.append(hexadecimal[Int(digit)]) }
            default:
                text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    private struct Reader {
        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }

        mutating func take(_ literal: StaticString) -> Bool {
            let count = literal.utf8CodeUnitCount
            guard bytes.count - position >= count else { return false }
            let expected = UnsafeBufferPointer(start: literal.utf8Start, count: count)
            guard bytes[position..<position + count].elementsEqual(expected) else { return false }
            position += count
            return true
        }

        mutating func value() -> Value? {
            if take("true") { return .flag(true) }
            if take("false") { return .flag(false) }
            if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return string().map(Value.text) }
            return number().map(Value.number)
        }

        /// An integer as our writer writes it: no leading zero, fraction or exponent.
        private mutating func number() -> Int64? {
            let start = position
            while position < bytes.count, position - start < 20, isPartOfNumber(bytes[position]) { position += 1 }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            guard let number = Int64(text), String(number) == text else { return nil }
            return number
        }

        private func isPartOfNumber(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }

        mutating func string() -> String? {
            guard take("\"") else { return nil }
            var content: [UInt8] = []
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                switch byte {
                case UInt8(ascii: "\""): return String(validating: content, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let escaped = escape() else { return nil }
                    content.append(escaped)
                case 0..<0x20: return nil
                default: content.append(byte)
                }
            }
            return nil
        }

        /// The three escapes that `appendString` writes.
        private mutating func escape() -> UInt8? {
            if take("\"") { return UInt8(ascii: "\"") }
            if take("\\") { return UInt8(ascii: "\\") }
            guard take("u00"), bytes.count - position >= 2 else { return nil }
            let digits = String(decoding: bytes[position..<position + 2], as: UTF8.self)
            position += 2
            guard let value = UInt8(digits, radix: 16), value < 0x20, digits.utf8.first != UInt8(ascii: "+") else {
                return nil
            }
            return value
        }
    }
}
