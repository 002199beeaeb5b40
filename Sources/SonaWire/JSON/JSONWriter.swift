/// Writes JSON by hand into an array of bytes: no intermediate values, no Foundation.
///
/// The writer puts the commas; that begins and ends match, and that an object's values follow keys, is the caller's
/// duty. Texts come out as UTF-8 with only what RFC 8259 demands escaped.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { writer in
///     writer.member("room", room.rawValue)
///     writer.member("limit", 50)
/// }
/// ```
public struct JSONWriter: Sendable {
    private var text: ByteText
    /// Whether a value stands before the next one in the same array or object.
    private var needsComma = false

    /// - Parameter reserving: Bytes to make room for at once.
    public init(reserving: Int = 256) {
        text = ByteText(reserving: reserving)
    }

    /// The bytes written so far.
    public var bytes: [UInt8] { text.bytes }

    // MARK: Structure

    /// Writes `{`. Each call needs an `endObject`.
    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    /// Writes `}` for the latest `beginObject`.
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    /// Writes `[`. Each call needs an `endArray`.
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    /// Writes `]` for the latest `beginArray`.
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes an object whose members `members` writes.
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// Writes a key known at compile time, which must not need escaping.
    public mutating func key(_ key: StaticString) {
        text.write(most: key.utf8CodeUnitCount + 4) { [needsComma] place in
            (needsComma ? place.then(UInt8(ascii: ",")) : place)
                .then(UInt8(ascii: "\"")).then(key).then(UInt8(ascii: "\"")).then(UInt8(ascii: ":"))
        }
        needsComma = false
    }

    /// Writes any key, escaped.
    public mutating func key(_ key: String) {
        string(key)
        text.append(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: Values

    /// Writes the value `null`.
    public mutating func null() { word("null") }
    /// Writes the value `true` or `false`.
    public mutating func bool(_ value: Bool) { word(value ? "true" : "false") }

    /// Writes an integer. One beyond ±(2^53 − 1) is moved to that bound, because no receiver would accept it.
    public mutating func integer(_ value: some FixedWidthInteger) {
        beginValue()
        let clamped = min(max(Int64(clamping: value), -Limits.integerMax), Limits.integerMax)
        if clamped < 0 { text.append(UInt8(ascii: "-")) }
        appendDigits(clamped.magnitude)
    }

    /// Writes a number; one that is not finite becomes `null`, for JSON has no other word for it.
    public mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        beginValue()
        var digits = value.description
        digits.withUTF8 { digits in text.write(most: digits.count) { $0.then(digits) } }
    }

    /// Writes a string with its quotes, escaping what JSON requires to be escaped.
    public mutating func string(_ value: String) {
        beginValue()
        var value = value
        value.withUTF8 { value in
            guard JSONEscaping.isNeeded(value) else {
                return text.write(most: value.count + 2) {
                    $0.then(UInt8(ascii: "\"")).then(value).then(UInt8(ascii: "\""))
                }
            }
            text.append(UInt8(ascii: "\""))
            appendEscaped(value)
            text.append(UInt8(ascii: "\""))
        }
    }

    // MARK: Members

    /// Writes a key with its value.
    public mutating func member(_ key: StaticString, _ value: String) {
        self.key(key)
        string(value)
    }

    /// Writes a key with its value.
    public mutating func member(_ key: StaticString, _ value: some FixedWidthInteger) {
        self.key(key)
        integer(value)
    }

    /// Writes a key with its value.
    public mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        bool(value)
    }

    /// Writes a key with its value.
    public mutating func member(_ key: StaticString, _ value: some WireObject) {
        self.key(key)
        value.encode(into: &self)
    }

    /// Writes a key with an array of values.
    public mutating func member(_ key: StaticString, _ values: [some WireObject]) {
        self.key(key)
        beginArray()
        for value in values { value.encode(into: &self) }
        endArray()
    }

    /// Writes a key with an array of values.
    public mutating func member(_ key: StaticString, _ values: [some FixedWidthInteger]) {
        self.key(key)
        beginArray()
        for value in values { integer(value) }
        endArray()
    }

    /// Writes a key with an array of values.
    public mutating func member(_ key: StaticString, _ values: [String]) {
        self.key(key)
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    /// Writes a member whose value is `null` if there is none.
    public mutating func member(_ key: StaticString, orNull value: String?) {
        if let value { member(key, value) } else { nullMember(key) }
    }

    /// Writes a member whose value is `null` if there is none.
    public mutating func member(_ key: StaticString, orNull value: (some FixedWidthInteger)?) {
        if let value { member(key, value) } else { nullMember(key) }
    }

    /// Writes a member whose value is `null` if there is none.
    public mutating func member(_ key: StaticString, orNull value: (some WireObject)?) {
        if let value { member(key, value) } else { nullMember(key) }
    }

    /// Writes a member, or nothing if there is no value.
    public mutating func member(_ key: StaticString, ifPresent value: String?) {
        if let value { member(key, value) }
    }

    /// Writes a member, or nothing if there is no value.
    public mutating func member(_ key: StaticString, ifPresent value: (some FixedWidthInteger)?) {
        if let value { member(key, value) }
    }

    /// Writes a member, or nothing if there is no value.
    public mutating func member(_ key: StaticString, ifPresent value: Bool?) {
        if let value { member(key, value) }
    }

    /// Writes a member, or nothing if there is no value.
    public mutating func member(_ key: StaticString, ifPresent value: (some WireObject)?) {
        if let value { member(key, value) }
    }

    // MARK: Bytes

    private mutating func nullMember(_ key: StaticString) {
        self.key(key)
        null()
    }

    private mutating func comma() {
        if needsComma { text.append(UInt8(ascii: ",")) }
    }

    /// Before every value: the comma it may need, and the one the next value will.
    private mutating func beginValue() {
        comma()
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        comma()
        text.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        text.append(bracket)
        needsComma = true
    }

    private mutating func word(_ word: StaticString) {
        beginValue()
        text.write(most: word.utf8CodeUnitCount) { $0.then(word) }
    }

    private mutating func appendDigits(_ value: UInt64) {
        guard value >= 10 else { return text.append(UInt8(ascii: "0") + UInt8(value)) }
        // From the last one on; 64 bits have twenty digits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var first = digits.count
            var rest = value
            while rest > 0 {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            let written = UnsafeBufferPointer(rebasing: digits[first...])
            text.write(most: written.count) { $0.then(written) }
        }
    }

    private mutating func appendEscaped(_ value: UnsafeBufferPointer<UInt8>) {
        // A byte becomes six at most. Piece by piece, so that a long text does not take six times its room.
        for start in stride(from: 0, to: value.count, by: 64) {
            let piece = value[start..<min(start + 64, value.count)]
            text.write(most: 6 * piece.count) { place in piece.reduce(place) { JSONEscaping.write($1, at: $0) } }
        }
    }
}

/// The bytes that must be escaped. Source: RFC 8259, section 7.
private enum JSONEscaping {
    static func isNeeded(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = UnsafeRawBufferPointer(text)
        var index = 0
        while bytes.count - index >= 8 {
            if hasSpecial(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { return true }
            index += 8
        }
        return bytes[index...].contains(where: isSpecial)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// The same of eight bytes at once. That one of them is special is never missed; which one is not told.
    ///
    /// Source: "Determine if a word has a byte less than n", Bit Twiddling Hacks (S. E. Anderson, Stanford).
    private static func hasSpecial(_ word: UInt64) -> Bool {
        let each: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (each &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (each &* UInt64(UInt8(ascii: "\\")))
        let below = ((word &- each &* 0x20) & ~word) | ((quote &- each) & ~quote) | ((backslash &- each) & ~backslash)
        return below & (each &* 0x80) != 0
    }

    static func write(_ byte: UInt8, at place: ByteText.Place) -> ByteText.Place {
        guard isSpecial(byte) else { return place.then(byte) }
        let escape = place.then(UInt8(ascii: "\\"))
        return switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): escape.then(byte)
        case 0x08: escape.then(UInt8(ascii: "b"))
        case 0x09: escape.then(UInt8(ascii: "t"))
        case 0x0A: escape.then(UInt8(ascii: "n"))
        case 0x0C: escape.then(UInt8(ascii: "f"))
        case 0x0D: escape.then(UInt8(ascii: "r"))
        default: escape.then("u00").then(hexDigit(byte >> 4)).then(hexDigit(byte & 15))
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
