internal import SonaWire

/// The parameters of a request, of its query and of its form; a name may come several times.
package struct Parameters: Sendable {
    private var values: [String: [String]] = [:]

    /// Most parameters that are read: a queue of 10 000 tracks and some more.
    private static let countMax = 12_000

    /// - Parameters:
    ///   - query: The part of the address after the question mark.
    ///   - form: A body of the type `application/x-www-form-urlencoded`.
    package init(query: String, form: [UInt8] = []) {
        read(Array(query.utf8)[...])
        read(form[...])
    }

    /// What is not UTF-8, or not percent-encoded, is left out.
    private mutating func read(_ bytes: ArraySlice<UInt8>) {
        for pair in bytes.split(separator: UInt8(ascii: "&")).prefix(Self.countMax) {
            let mark = pair.firstIndex(of: UInt8(ascii: "="))
            guard let name = Self.decode(pair[..<(mark ?? pair.endIndex)]),
                let value = mark.map({ Self.decode(pair[(pair.index(after: $0))...]) }) ?? ""
            else { continue }
            values[name, default: []].append(value)
        }
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
        var (decoded, rest) = ([UInt8](), bytes)
        decoded.reserveCapacity(bytes.count)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    // MARK: Reading

    /// The first value; `nil` if there is none, or it is empty.
    package func first(_ name: String) -> String? { values[name]?.first { !$0.isEmpty } }

    /// Whether it was sent, empty or not.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The first value, also if it is empty.
    func text(_ name: String) -> String? { values[name]?.first }

    func all(_ name: String) -> [String] { values[name]?.filter { !$0.isEmpty } ?? [] }

    /// - Throws: The error for a missing parameter.
    func required(_ name: String) throws(SubsonicError) -> String {
        guard let value = first(name) else { throw .missing(name) }
        return value
    }

    /// - Throws: An error for what is no number.
    func number(_ name: String) throws(SubsonicError) -> Int? {
        guard let text = first(name) else { return nil }
        guard let number = Int(text), number.magnitude <= UInt(Limits.integerMax) else {
            throw SubsonicError(.generic, "\(name) must be a number.")
        }
        return number
    }

    /// - Throws: An error for what is neither `true` nor `false`.
    func flag(_ name: String) throws(SubsonicError) -> Bool? {
        switch first(name)?.lowercased() {
        case nil: nil
        case "true", "1": true
        case "false", "0": false
        default: throw SubsonicError(.generic, "\(name) must be true or false.")
        }
    }

    /// Identifiers, in their order.
    ///
    /// - Throws: The error for something that is not there, if one is none.
    func ids(_ name: String) throws(SubsonicError) -> [MusicID] {
        var ids: [MusicID] = []
        for text in all(name) {
            guard let id = MusicID(text) else { throw .notFound }
            ids.append(id)
        }
        return ids
    }

    /// - Throws: The error for a missing parameter, or for something that is not there.
    func id(_ name: String = "id") throws(SubsonicError) -> MusicID {
        guard let id = MusicID(try required(name)) else { throw .notFound }
        return id
    }
}
