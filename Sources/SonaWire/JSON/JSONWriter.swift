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
    public private(set) var bytes: [UInt8]
    /// Whether a value stands before the next one in the same array or object.
    private var needsComma = false

    /// - Parameter reserving: Bytes to make room for at once.
    public init(reserving: Int = 256) {
        bytes = []
        bytes.reserveCapacity(reserving)
    }

    // MARK: Structure

    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes an object whose members `members` writes.
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// Writes a key known at compile time, which must not need escaping.
    public mutating func key(_ key: StaticString) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes any key, escaped.
    public mutating func key(_ key: String) {
        string(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: Values

    public mutating func null() { word("null") }
    public mutating func bool(_ value: Bool) { word(value ? "true" : "false") }

    /// Writes an integer. One beyond ±(2^53 − 1) is moved to that bound, because no receiver would accept it.
    public mutating func integer(_ value: some FixedWidthInteger) {
        beginValue()
        let clamped = min(max(Int64(clamping: value), -Limits.integerMax), Limits.integerMax)
        if clamped < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(clamped.magnitude)
    }

    /// Writes a number; one that is not finite becomes `null`, for JSON has no other word for it.
    public mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        beginValue()
        bytes.append(contentsOf: value.description.utf8)
    }

    public mutating func string(_ value: String) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    // MARK: Members

    public mutating func member(_ key: StaticString, _ value: String) {
        self.key(key)
        string(value)
    }

    public mutating func member(_ key: StaticString, _ value: some FixedWidthInteger) {
        self.key(key)
        integer(value)
    }

    public mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        bool(value)
    }

    public mutating func member(_ key: StaticString, _ value: some WireObject) {
        self.key(key)
        value.encode(into: &self)
    }

    public mutating func member(_ key: StaticString, _ values: [some WireObject]) {
        self.key(key)
        beginArray()
        for value in values { value.encode(into: &self) }
        endArray()
    }

    public mutating func member(_ key: StaticString, _ values: [some FixedWidthInteger]) {
        self.key(key)
        beginArray()
        for value in values { integer(value) }
        endArray()
    }

    public mutating func member(_ key: StaticString, _ values: [String]) {
        self.key(key)
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    public mutating func member(_ key: StaticString, orNull value: String?) {
        if let value { member(key, value) } else { nullMember(key) }
    }

    public mutating func member(_ key: StaticString, orNull value: (some FixedWidthInteger)?) {
        if let value { member(key, value) } else { nullMember(key) }
    }

    public mutating func member(_ key: StaticString, orNull value: (some WireObject)?) {
        if let value { member(key, value) } else { nullMember(key) }
    }

    public mutating func member(_ key: StaticString, ifPresent value: String?) {
        if let value { member(key, value) }
    }

    public mutating func member(_ key: StaticString, ifPresent value: (some FixedWidthInteger)?) {
        if let value { member(key, value) }
    }

    public mutating func member(_ key: StaticString, ifPresent value: Bool?) {
        if let value { member(key, value) }
    }

    public mutating func member(_ key: StaticString, ifPresent value: (some WireObject)?) {
        if let value { member(key, value) }
    }

    // MARK: Bytes

    private mutating func nullMember(_ key: StaticString) {
        self.key(key)
        null()
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    /// Before every value: the comma it may need, and the one the next value will.
    private mutating func beginValue() {
        comma()
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func word(_ word: StaticString) {
        beginValue()
        bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func appendDigits(_ value: UInt64) {
        guard value >= 10 else { return bytes.append(UInt8(ascii: "0") + UInt8(value)) }
        // From the last one on; 64 bits have twenty digits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var first = digits.count
            var rest = value
            while rest > 0 {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            bytes.append(contentsOf: digits[first...])
        }
    }

    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var runStart = 0
        for (index, byte) in text.enumerated() {
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart..<index]))
            runStart = index + 1
            bytes.append(UInt8(ascii: "\\"))
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
            case 0x08: bytes.append(UInt8(ascii: "b"))
            case 0x09: bytes.append(UInt8(ascii: "t"))
            case 0x0A: bytes.append(UInt8(ascii: "n"))
            case 0x0C: bytes.append(UInt8(ascii: "f"))
            case 0x0D: bytes.append(UInt8(ascii: "r"))
            default:
                bytes.append(contentsOf: "u00".utf8)
                bytes.append(Self.hexDigits[Int(byte >> 4)])
                bytes.append(Self.hexDigits[Int(byte & 15)])
            }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart...]))
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
