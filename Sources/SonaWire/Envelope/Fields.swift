/// Reads the fields of one JSON object with their bounds, and says which one is at fault.
///
/// `null` counts as absent everywhere. Paths in errors begin with `prefix`, which is `data` for requests.
struct Fields {
    private let json: JSON
    private let prefix: String

    /// - Throws: `request.invalid` naming the object itself if `json` is no object.
    init(_ json: JSON, prefix: String = "") throws(WireError) {
        guard json.object != nil else {
            throw WireError(.requestInvalid, "An object is expected.", field: prefix)
        }
        self.json = json
        self.prefix = prefix
    }

    /// The fields of a request's `data`.
    init(request json: JSON) throws(WireError) { try self.init(json, prefix: "data") }

    /// The value under `key`, unless absent or `null`.
    func value(_ key: String) -> JSON? {
        guard let value = json[key], !value.isNull else { return nil }
        return value
    }

    // MARK: Errors

    func name(_ key: String) -> String { prefix.isEmpty ? key : "\(prefix).\(key)" }

    /// - Parameter complaint: What follows the field's name in the sentence.
    func invalid(_ key: String, _ complaint: String, code: ErrorCode = .requestInvalid) -> WireError {
        let name = name(key)
        return WireError(code, "\(name) \(complaint).", field: name)
    }

    private func required(_ key: String) throws(WireError) -> JSON {
        guard let value = value(key) else { throw invalid(key, "is missing") }
        return value
    }

    /// The value under `key` in a form.
    func required<Value>(_ key: String, _ form: Form<Value>) throws(WireError) -> Value {
        guard let value = try form.read(self, key) else { throw invalid(key, "is missing") }
        return value
    }

    // MARK: Integers and booleans

    func integerIfPresent(_ key: String, in range: ClosedRange<Int64>) throws(WireError) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let integer = value.integer else { throw invalid(key, "must be an integer") }
        guard range.contains(integer) else {
            throw invalid(key, "must be \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) throws(WireError) -> Int64 {
        guard let integer = try integerIfPresent(key, in: range) else { throw invalid(key, "is missing") }
        return integer
    }

    /// An array of integers.
    func integersIfPresent(
        _ key: String, in range: ClosedRange<Int64>, count: ClosedRange<Int> = 0...Int.max
    ) throws(WireError) -> [Int64]? {
        guard let value = value(key) else { return nil }
        guard let values = value.array else { throw invalid(key, "must be an array") }
        guard count.contains(values.count) else {
            throw invalid(key, "must hold \(count.lowerBound) to \(count.upperBound) integers")
        }
        var integers: [Int64] = []
        integers.reserveCapacity(values.count)
        for value in values {
            guard let integer = value.integer, range.contains(integer) else {
                throw invalid(key, "must hold integers of \(range.lowerBound) to \(range.upperBound)")
            }
            integers.append(integer)
        }
        return integers
    }

    func integers(_ key: String, in range: ClosedRange<Int64>) throws(WireError) -> [Int64] {
        guard let integers = try integersIfPresent(key, in: range) else { throw invalid(key, "is missing") }
        return integers
    }

    /// An integer of any fixed width, bounded by that width.
    func integer<Value: FixedWidthInteger>(_ key: String, as type: Value.Type) throws(WireError) -> Value {
        let wide = try integer(key, in: Int64(clamping: Value.min)...Int64(clamping: Value.max))
        guard let value = Value(exactly: wide) else { throw invalid(key, "is out of range") }
        return value
    }

    func boolIfPresent(_ key: String) throws(WireError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let bool = value.bool else { throw invalid(key, "must be true or false") }
        return bool
    }

    func bool(_ key: String) throws(WireError) -> Bool {
        guard let bool = try boolIfPresent(key) else { throw invalid(key, "is missing") }
        return bool
    }

    // MARK: Strings

    /// Any string within a number of UTF-8 bytes.
    func stringIfPresent(_ key: String, bytes: ClosedRange<Int>) throws(WireError) -> String? {
        guard let value = value(key) else { return nil }
        guard let string = value.string else { throw invalid(key, "must be a string") }
        guard bytes.contains(string.utf8.count) else {
            throw invalid(key, "must have \(bytes.lowerBound) to \(bytes.upperBound) bytes")
        }
        return string
    }

    func string(_ key: String, bytes: ClosedRange<Int>) throws(WireError) -> String {
        guard let string = try stringIfPresent(key, bytes: bytes) else { throw invalid(key, "is missing") }
        return string
    }

    /// A string that is shown on one line: no control characters, no line or paragraph separators.
    func lineIfPresent(_ key: String, bytes: ClosedRange<Int>) throws(WireError) -> String? {
        guard let line = try stringIfPresent(key, bytes: bytes) else { return nil }
        guard Self.isLine(line) else { throw invalid(key, "must not hold control characters or line breaks") }
        return line
    }

    private static func isLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: false
            default: true
            }
        }
    }

    func line(_ key: String, bytes: ClosedRange<Int>) throws(WireError) -> String {
        guard let line = try lineIfPresent(key, bytes: bytes) else { throw invalid(key, "is missing") }
        return line
    }

    /// A string that `make` turns into something better, or refuses.
    func parsedIfPresent<Value>(
        _ key: String, _ expected: @autoclosure () -> String, code: ErrorCode = .requestInvalid,
        _ make: (String) -> Value?
    ) throws(WireError) -> Value? {
        guard let value = value(key) else { return nil }
        guard let string = value.string else { throw invalid(key, "must be a string") }
        guard let made = make(string) else { throw invalid(key, "must be \(expected())", code: code) }
        return made
    }

    func parsed<Value>(
        _ key: String, _ expected: @autoclosure () -> String, code: ErrorCode = .requestInvalid,
        _ make: (String) -> Value?
    ) throws(WireError) -> Value {
        guard let made = try parsedIfPresent(key, expected(), code: code, make) else {
            throw invalid(key, "is missing")
        }
        return made
    }

    /// One word of a closed list.
    func wordIfPresent<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String, as type: Word.Type
    ) throws(WireError) -> Word? {
        try parsedIfPresent(key, "one of " + type.allCases.map(\.rawValue).joined(separator: ", ")) {
            Word(rawValue: $0)
        }
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String, as type: Word.Type
    ) throws(WireError) -> Word {
        guard let word = try wordIfPresent(key, as: type) else { throw invalid(key, "is missing") }
        return word
    }

    // MARK: Objects

    func objectIfPresent<Object: WireObject>(_ key: String, as type: Object.Type) throws(WireError) -> Object? {
        guard let value = value(key) else { return nil }
        do {
            return try Object(value)
        } catch {
            throw error.inside(name(key))
        }
    }

    func object<Object: WireObject>(_ key: String, as type: Object.Type) throws(WireError) -> Object {
        guard let object = try objectIfPresent(key, as: type) else { throw invalid(key, "is missing") }
        return object
    }

    /// An object whose fields are nobody's business here.
    func anyObjectIfPresent(_ key: String) throws(WireError) -> JSON? {
        guard let value = value(key) else { return nil }
        guard value.object != nil else { throw invalid(key, "must be an object") }
        return value
    }

    func anyObject(_ key: String) throws(WireError) -> JSON {
        guard let object = try anyObjectIfPresent(key) else { throw invalid(key, "is missing") }
        return object
    }

    // MARK: Arrays

    func array<Object: WireObject>(
        _ key: String, of type: Object.Type, count: ClosedRange<Int> = 0...Int.max
    ) throws(WireError) -> [Object] {
        guard let objects = try arrayIfPresent(key, of: type, count: count) else { throw invalid(key, "is missing") }
        return objects
    }

    func arrayIfPresent<Object: WireObject>(
        _ key: String, of type: Object.Type, count: ClosedRange<Int> = 0...Int.max
    ) throws(WireError) -> [Object]? {
        guard let value = value(key) else { return nil }
        guard let values = value.array else { throw invalid(key, "must be an array") }
        guard count.contains(values.count) else {
            throw invalid(key, "must hold \(count.lowerBound) to \(count.upperBound) objects")
        }
        var objects: [Object] = []
        objects.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do {
                objects.append(try Object(value))
            } catch {
                throw error.inside("\(name(key))[\(index)]")
            }
        }
        return objects
    }

    /// An array of strings, each within a number of bytes.
    func strings(_ key: String, bytes: ClosedRange<Int>) throws(WireError) -> [String] {
        guard let strings = try stringsIfPresent(key, bytes: bytes) else { throw invalid(key, "is missing") }
        return strings
    }

    func stringsIfPresent(_ key: String, bytes: ClosedRange<Int>) throws(WireError) -> [String]? {
        guard let value = value(key) else { return nil }
        guard let values = value.array else { throw invalid(key, "must be an array") }
        var strings: [String] = []
        for value in values {
            guard let string = value.string, bytes.contains(string.utf8.count) else {
                throw invalid(key, "must hold strings of \(bytes.lowerBound) to \(bytes.upperBound) bytes")
            }
            strings.append(string)
        }
        return strings
    }

    /// A bounded array of strings, each of which is shown on one line. An item at fault is named by its place.
    func linesIfPresent(
        _ key: String, bytes: ClosedRange<Int>, count: ClosedRange<Int>
    ) throws(WireError) -> [String]? {
        guard let value = value(key) else { return nil }
        guard let values = value.array else { throw invalid(key, "must be an array") }
        guard count.contains(values.count) else {
            throw invalid(key, "must hold \(count.lowerBound) to \(count.upperBound) strings")
        }
        var lines: [String] = []
        lines.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            guard let line = value.string, bytes.contains(line.utf8.count), Self.isLine(line) else {
                throw invalid(
                    "\(key)[\(index)]", "must be one line of \(bytes.lowerBound) to \(bytes.upperBound) bytes")
            }
            lines.append(line)
        }
        return lines
    }
}
