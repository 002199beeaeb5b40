/// The header fields of one request, as they came.
///
/// One copy of the head's bytes and the places of names and values in it: a value becomes a string when somebody asks for
/// it. Looking one up is O(fields).
public struct HTTPHeaders: Sendable {
    struct Field {
        var name: Range<Int>
        var value: Range<Int>
    }

    private let bytes: [UInt8]
    private let fields: [Field]

    init(_ bytes: [UInt8], _ fields: [Field]) {
        self.bytes = bytes
        self.fields = fields
    }

    /// Fields as sent; a name that was sent twice counts twice.
    public var count: Int { fields.count }

    /// The value of a field; `nil` if it is not there or empty. Values of a field that was sent several times are joined
    /// by a comma and a space (RFC 9110 §5.2).
    ///
    /// - Parameter name: In lower case.
    public subscript(name: StaticString) -> String? {
        var joined: String?
        forEach(name) { value in
            guard !value.isEmpty else { return }
            let text = String(decoding: value, as: UTF8.self)
            joined = joined.map { "\($0), \(text)" } ?? text
        }
        return joined
    }

    /// Whether a field is there, empty or not. `name` in lower case.
    public func has(_ name: StaticString) -> Bool {
        var isThere = false
        forEach(name) { _ in isThere = true }
        return isThere
    }

    /// How often a field was sent. `name` in lower case.
    func count(of name: StaticString) -> Int {
        var count = 0
        forEach(name) { _ in count += 1 }
        return count
    }

    /// Whether a field's value is a text, in lower or upper case; `text` in lower case.
    func value(of name: StaticString, is text: StaticString) -> Bool {
        var isIt = false
        forEach(name) { isIt = Self.matches($0, text) }
        return isIt
    }

    /// Whether a list of tokens has one, in lower or upper case (RFC 9110 §5.6.1); `token` in lower case.
    func has(_ token: StaticString, in name: StaticString) -> Bool {
        var isThere = false
        forEach(name) { value in
            if Self.items(value).contains(where: { Self.matches($0, token) }) { isThere = true }
        }
        return isThere
    }

    /// The items of a list, without the white space around them and in the order in which they came.
    public func items(_ name: StaticString) -> [String] {
        var items: [String] = []
        forEach(name) { items += Self.items($0).map { String(decoding: $0, as: UTF8.self) } }
        return items
    }

    private static func items(_ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        value.split(separator: UInt8(ascii: ",")).compactMap { part in
            var part = part
            while let first = part.first, isSpace(first) { part = part.dropFirst() }
            while let last = part.last, isSpace(last) { part = part.dropLast() }
            return part.isEmpty ? nil : part
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private func forEach(_ name: StaticString, _ body: (ArraySlice<UInt8>) -> Void) {
        for field in fields where Self.matches(bytes[field.name], name) { body(bytes[field.value]) }
    }

    /// Whether bytes are a text, in lower or upper case; `text` in lower case.
    private static func matches(_ bytes: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            guard bytes.count == text.count else { return false }
            var index = bytes.startIndex
            for byte in text {
                let other = bytes[index]
                guard other == byte || (0x41...0x5A).contains(other) && other | 0x20 == byte else { return false }
                index += 1
            }
            return true
        }
    }
}
