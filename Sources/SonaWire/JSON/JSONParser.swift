extension JSON {
    /// Parses one JSON text, strictly.
    ///
    /// It is stricter than RFC 8259 where parsers disagree. It refuses duplicate keys, lone surrogates and a byte order
    /// mark. It refuses integers beyond ±(2^53 − 1), numbers too large for a Double, and objects of more than
    /// `Limits.objectMembersMax` members. Time is linear in the bytes.
    /// - Parameters:
    ///   - bytes: The whole text; it may lie anywhere and is not kept.
    ///   - depthMax: Arrays and objects inside one another, the outermost counted. Bounds the stack that is used.
    /// - Throws: `JSONError` of kind `tooDeep` or `malformed`, whichever comes first in the text.
    ///
    /// Source: Protocol/spec/connection.md, "Text messages"; RFC 8259.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer, depthMax: Int = Limits.nestingDepthMax
    ) throws(JSONError) -> JSON {
        var parser = JSONParser(bytes: bytes, depthMax: depthMax)
        return try parser.text()
    }

    /// The same for bytes in an array.
    public static func parse(_ bytes: [UInt8], depthMax: Int = Limits.nestingDepthMax) throws(JSONError) -> JSON {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(JSONError) in try parse(buffer, depthMax: depthMax) }
        }
        return try result.get()
    }
}

/// One pass over the bytes of a JSON text. Recursion is bounded by `depthMax`, and `index` never passes the end.
struct JSONParser {
    private let bytes: UnsafeRawBufferPointer
    private let depthMax: Int
    private var index = 0
    /// Hashes of the keys of all objects that are open, the innermost object's last. One array for the whole text.
    private var keyHashes: [UInt64] = []
    /// Bytes of a string that holds escapes, decoded so far.
    private var scratch: [UInt8] = []

    init(bytes: UnsafeRawBufferPointer, depthMax: Int) {
        self.bytes = bytes
        self.depthMax = depthMax
        // Most requests have no more.
        keyHashes.reserveCapacity(16)
    }

    mutating func text() throws(JSONError) -> JSON {
        skipSpace()
        let result = try value(depth: 0)
        skipSpace()
        guard index == bytes.count else { throw malformed("something follows the value") }
        return result
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        guard let byte = peek() else { throw malformed("the text ends where a value should be") }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw malformed("no value begins like this")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        guard depth <= depthMax else { throw JSONError(.tooDeep, at: index, "nested deeper than \(depthMax)") }
        index += 1
        let firstHash = keyHashes.count
        defer { keyHashes.removeSubrange(firstHash...) }
        var members: [JSON.Member] = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        members.reserveCapacity(4)
        while true {
            let keyStart = index
            guard peek() == UInt8(ascii: "\"") else { throw malformed("a key should be here") }
            let key = try string()
            let hash = hash(key)
            for place in members.indices where keyHashes[firstHash + place] == hash {
                // The same bytes, not merely canonically equal.
                if members[place].key.utf8.elementsEqual(key.utf8) {
                    throw JSONError(.malformed, at: keyStart, "the key occurs twice")
                }
            }
            guard members.count < Limits.objectMembersMax else {
                throw JSONError(.malformed, at: keyStart, "more than \(Limits.objectMembersMax) members")
            }
            keyHashes.append(hash)
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw malformed("a colon should be here") }
            skipSpace()
            members.append(JSON.Member(key: key, value: try value(depth: depth)))
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw malformed("a comma or brace should be here") }
            skipSpace()
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        guard depth <= depthMax else { throw JSONError(.tooDeep, at: index, "nested deeper than \(depthMax)") }
        index += 1
        var values: [JSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            values.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { throw malformed("a comma or bracket should be here") }
            skipSpace()
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let count = word.utf8CodeUnitCount
        guard bytes.count - index >= count,
            UnsafeRawBufferPointer(rebasing: bytes[index..<index + count])
                .elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: count))
        else { throw malformed("no value begins like this") }
        index += count
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> JSON {
        let start = index
        let negative = take(UInt8(ascii: "-"))
        // Magnitude of the integer part; nil once it is beyond 2^53 − 1.
        var magnitude: Int64? = 0
        guard let first = peek(), isDigit(first) else { throw malformed("a digit should be here") }
        if first == UInt8(ascii: "0") {
            index += 1
            if let next = peek(), isDigit(next) { throw malformed("a number does not begin with zero") }
        } else {
            while let digit = peek(), isDigit(digit) {
                index += 1
                // No overflow: the factor is at most 2^53 − 1.
                magnitude = magnitude.map { $0 * 10 + Int64(digit - UInt8(ascii: "0")) }
                if let value = magnitude, value > Limits.integerMax { magnitude = nil }
            }
        }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        if isInteger {
            guard let magnitude else { throw JSONError(.malformed, at: start, "the integer is beyond 2^53 - 1") }
            return .integer(negative ? -magnitude : magnitude)
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw JSONError(.malformed, at: start, "the number is too large")
        }
        return .number(value)
    }

    private mutating func digits() throws(JSONError) {
        guard let first = peek(), isDigit(first) else { throw malformed("a digit should be here") }
        while let digit = peek(), isDigit(digit) { index += 1 }
    }

    // MARK: Strings

    /// Reads a string, the opening quote being next.
    private mutating func string() throws(JSONError) -> String {
        let start = index
        index += 1
        scratch.removeAll(keepingCapacity: true)
        var runStart = index
        var escaped = false
        // All bytes of the string together: its top bit tells whether there is anything to validate.
        var union: UInt8 = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                let run = UnsafeRawBufferPointer(rebasing: bytes[runStart..<index])
                if escaped { scratch.append(contentsOf: run) }
                index += 1
                if union < 0x80, !escaped { return String(decoding: run, as: UTF8.self) }
                let text = escaped ? String(validating: scratch, as: UTF8.self) : String(validating: run, as: UTF8.self)
                guard let text else { throw JSONError(.malformed, at: start, "the string is not UTF-8") }
                return text
            case UInt8(ascii: "\\"):
                escaped = true
                scratch.append(contentsOf: bytes[runStart..<index])
                index += 1
                try escape()
                runStart = index
            case 0..<0x20:
                throw malformed("a control character in a string")
            default:
                union |= byte
                index += 1
            }
        }
        throw malformed("the text ends within a string")
    }

    /// FNV-1a over the bytes of a key.
    private func hash(_ key: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    /// Reads what follows a backslash and appends the character to `scratch`.
    private mutating func escape() throws(JSONError) {
        guard let byte = peek() else { throw malformed("the text ends within a string") }
        let plain: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = byte
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0C
        case UInt8(ascii: "n"): plain = 0x0A
        case UInt8(ascii: "r"): plain = 0x0D
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "u"):
            index += 1
            return try unicodeEscape()
        default: throw malformed("no such escape")
        }
        index += 1
        scratch.append(plain)
    }

    private mutating func unicodeEscape() throws(JSONError) {
        let start = index
        var code = try fourHexDigits()
        switch code {
        case 0xD800...0xDBFF:
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
                throw JSONError(.malformed, at: start, "a lone surrogate")
            }
            let low = try fourHexDigits()
            guard 0xDC00...0xDFFF ~= low else { throw JSONError(.malformed, at: start, "a lone surrogate") }
            code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
        case 0xDC00...0xDFFF:
            throw JSONError(.malformed, at: start, "a lone surrogate")
        default:
            break
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw JSONError(.malformed, at: start, "a lone surrogate")
        }
        scratch.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    }

    private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = hexDigit(byte) else {
                throw malformed("four hexadecimal digits should be here")
            }
            code = code << 4 | UInt32(digit)
            index += 1
        }
        return code
    }

    // MARK: Bytes

    private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private func malformed(_ reason: String) -> JSONError { JSONError(.malformed, at: index, reason) }
}
