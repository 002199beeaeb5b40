internal import SonaWire

/// A fault in a stored queue, with its place.
package struct PartyStateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A path from the top: `waiting[3].id`.
    package let field: String
    /// A few words of English.
    package let reason: String

    package var description: String { field.isEmpty ? reason : "\(field): \(reason)" }
}

/// Reads an object stored by this version or another. Unknown fields are ignored, and fields that may be missing have a
/// default.
struct StoredObject {
    let json: JSON
    let path: String

    init(_ json: JSON, path: String = "") throws(PartyStateError) {
        guard json.object != nil else { throw PartyStateError(field: path, reason: "must be an object") }
        self.json = json
        self.path = path
    }

    func error(_ key: String, _ reason: String) -> PartyStateError {
        PartyStateError(field: path.isEmpty ? key : "\(path).\(key)", reason: reason)
    }

    private func value(_ key: String) -> JSON? {
        guard let value = json[key], !value.isNull else { return nil }
        return value
    }

    // MARK: Values

    func integerIfPresent(
        _ key: String, in range: ClosedRange<Int64> = 0...Limits.integerMax
    ) throws(PartyStateError) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let integer = value.integer, range.contains(integer) else {
            throw error(key, "must be an integer in \(range.lowerBound)...\(range.upperBound)")
        }
        return integer
    }

    func integer(
        _ key: String, in range: ClosedRange<Int64> = 0...Limits.integerMax
    ) throws(PartyStateError) -> Int64 {
        guard let integer = try integerIfPresent(key, in: range) else { throw error(key, "is missing") }
        return integer
    }

    func count(_ key: String, default count: Int) throws(PartyStateError) -> Int {
        try integerIfPresent(key).map { Int($0) } ?? count
    }

    func bool(_ key: String, default bool: Bool) throws(PartyStateError) -> Bool {
        guard let value = value(key) else { return bool }
        guard let bool = value.bool else { throw error(key, "must be true or false") }
        return bool
    }

    func stringIfPresent(_ key: String) throws(PartyStateError) -> String? {
        guard let value = value(key) else { return nil }
        guard let string = value.string else { throw error(key, "must be a string") }
        return string
    }

    func word<Word: RawRepresentable<String>>(_ key: String, default word: Word) throws(PartyStateError) -> Word {
        guard let string = try stringIfPresent(key) else { return word }
        guard let known = Word(rawValue: string) else { throw error(key, "is a word unknown to this version") }
        return known
    }

    func user(_ key: String) throws(PartyStateError) -> UserID {
        guard let user = try stringIfPresent(key).flatMap(UserID.init) else {
            throw error(key, "must be a user identifier")
        }
        return user
    }

    // MARK: Arrays

    func objectIfPresent(_ key: String) throws(PartyStateError) -> StoredObject? {
        guard let value = value(key) else { return nil }
        return try StoredObject(value, path: error(key, "").field)
    }

    /// - Parameter max: More objects than this are refused before any is read.
    func objects(_ key: String, max: Int) throws(PartyStateError) -> [StoredObject] {
        var objects: [StoredObject] = []
        for (index, value) in try array(key, max: max).enumerated() {
            objects.append(try StoredObject(value, path: "\(error(key, "").field)[\(index)]"))
        }
        return objects
    }

    func strings(_ key: String, max: Int) throws(PartyStateError) -> [String] {
        var strings: [String] = []
        for value in try array(key, max: max) {
            guard let string = value.string else { throw error(key, "must hold strings") }
            strings.append(string)
        }
        return strings
    }

    func users(_ key: String, max: Int) throws(PartyStateError) -> Set<UserID> {
        var users: Set<UserID> = []
        for string in try strings(key, max: max) {
            guard let user = UserID(string) else { throw error(key, "must hold user identifiers") }
            users.insert(user)
        }
        return users
    }

    private func array(_ key: String, max: Int) throws(PartyStateError) -> [JSON] {
        guard let value = value(key) else { return [] }
        guard let array = value.array else { throw error(key, "must be an array") }
        guard array.count <= max else { throw error(key, "holds more than \(max)") }
        return array
    }
}
