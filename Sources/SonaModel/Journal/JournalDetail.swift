internal import SonaWire

/// Further facts of an entry: a small JSON object in one canonical form, keys in byte order.
///
/// Must not contain an e-mail address, a token, a password or a whole network address (use `AddressGroup`): lines
/// outlive accounts and cannot be edited.
///
/// Always fits: a text is cut after `textBytesMax` bytes. Members beyond `bytesMax` are left out, and `"cut":true` is
/// added.
package struct JournalDetail: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package enum Value: Sendable, Equatable {
        case text(String)
        /// Clamped to ±(2^53 − 1), the range that all JSON readers understand.
        case integer(Int64)
        case bool(Bool)
    }

    package typealias Members = [(key: StaticString, value: Value)]

    package static let bytesMax = 4096
    package static let textBytesMax = 256

    package let json: String

    package init(dictionaryLiteral members: (StaticString, Value)...) { self.init(members) }

    /// If two members have the same key, the later one counts.
    package init(_ members: Members) {
        let byKey = Dictionary(members.map { ("\($0.key)", $0.value) }) { _, later in later }
        let sorted = Self.sorted(byKey.map { ($0.key, $0.value) })
        let whole = Self.encode(sorted)
        json = whole.utf8.count <= Self.bytesMax ? whole : Self.cut(sorted)
    }

    /// The first members that fit, together with `"cut":true`.
    private static func cut(_ members: [(key: String, value: Value)]) -> String {
        var kept: [(key: String, value: Value)] = [("cut", .bool(true))]
        var json = encode(kept)
        for member in members where member.key != "cut" {
            let more = sorted(kept + [member])
            let encoded = encode(more)
            guard encoded.utf8.count <= bytesMax else { break }
            (kept, json) = (more, encoded)
        }
        return json
    }

    private static func sorted(_ members: [(key: String, value: Value)]) -> [(key: String, value: Value)] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private static func encode(_ members: [(key: String, value: Value)]) -> String {
        var writer = JSONWriter(reserving: 128)
        writer.object { writer in
            for (key, value) in members {
                writer.key(key)
                switch value {
                case .text(let text): writer.string(prefix(of: text))
                case .integer(let value): writer.integer(value)
                case .bool(let value): writer.bool(value)
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The longest prefix of whole Unicode scalars with at most `textBytesMax` bytes.
    private static func prefix(of text: String) -> String {
        guard text.utf8.count > textBytesMax else { return text }
        var room = textBytesMax
        return String(
            text.unicodeScalars.prefix { scalar in
                room -= UTF8.width(scalar)
                return room >= 0
            })
    }
}

extension JournalDetail.Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self = .text(text) }
}
extension JournalDetail.Value: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}
extension JournalDetail.Value: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}
