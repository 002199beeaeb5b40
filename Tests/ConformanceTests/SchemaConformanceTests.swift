import Foundation
import SonaWire
import Testing

@testable import sonaschema

/// Compares the schemas to the decoders that are declared with them.
///
/// Every valid vector is changed in one place at a time: a member is left out, set to null or given another type, or an
/// unknown member is added. The decoder must accept or refuse each change as the schema does.
@Suite struct SchemaConformanceTests {
    @Test func `the files of Protocol are up to date with the declarations`() throws {
        let folder = try ProtocolFolder(URL(fileURLWithPath: VectorFile.root, isDirectory: true))
        let stale = try folder.staleFiles()
        #expect(stale == [], "run `swift run sonaschema`")
    }

    @Test func `members of requests may be absent, null or mistyped only where the schema says so`() throws {
        let types = Dictionary(uniqueKeysWithValues: Catalogue.requests.map { ($0.type, $0) })
        var count = 0
        for vector in try VectorFile.all(where: { $0.message.hasPrefix("requests/") && $0.result == .valid }) {
            let type = try #require(types[vector.name(after: "requests/") ?? ""])
            count += check(type, try data(of: vector), vector)
        }
        #expect(count > 5_000)
    }

    @Test func `members of replies may be absent, null or mistyped only where the schema says so`() throws {
        let types = Dictionary(uniqueKeysWithValues: Catalogue.requests.map { ($0.type, $0) })
        var count = 0
        for vector in try VectorFile.all(where: { $0.message.hasPrefix("replies/") && $0.result == .valid }) {
            guard let type = types[vector.name(after: "replies/") ?? ""] else { continue }
            count += checkReply(type, try data(of: vector), vector)
        }
        #expect(count > 10_000)
    }

    @Test func `members of events may be absent, null or mistyped only where the schema says so`() throws {
        let types = Dictionary(uniqueKeysWithValues: Catalogue.events.map { ($0.type, $0) })
        var count = 0
        for vector in try VectorFile.all(where: { $0.message.hasPrefix("events/") && $0.result == .valid }) {
            let type = try #require(types[vector.name(after: "events/") ?? ""])
            count += check(type, try data(of: vector), vector)
        }
        #expect(count > 2_000)
    }

    private func data(of vector: Vector) throws -> JSON {
        try JSON.parse(vector.input)["data"].flatMap { $0.isNull ? nil : $0 } ?? .emptyObject
    }

    private func checkReply<Message: WireRequest>(_: Message.Type, _ data: JSON, _ vector: Vector) -> Int {
        check(Message.Response.self, data, vector)
    }

    /// - Returns: How many changes were tried.
    private func check<Object: WireObject>(_: Object.Type, _ data: JSON, _ vector: Vector) -> Int {
        let schema = Object.schema
        guard let original = (try? Object(data))?.encoded() else {
            Issue.record("\(vector) cannot be decoded")
            return 0
        }
        let changes = Changes(of: schema).changes(of: data)
        for change in changes {
            let outcome = Result { () throws(WireError) in try Object(change.data) }
            switch (change.expected, outcome) {
            case (.same, .success(let object)):
                #expect(object.encoded() == original, "\(vector): \(change.name)")
            case (.taken, .success): break
            case (.refused, .failure(let error)):
                let path = error.field ?? ""
                let own = path.hasPrefix("data.") ? String(path.dropFirst(5)) : path
                #expect(own == change.path || own.hasPrefix(change.path + "["), "\(vector): \(change.name): \(error)")
            case (let expected, let outcome):
                Issue.record("\(vector): \(change.name) should be \(expected) and is \(outcome)")
            }
        }
        return changes.count
    }
}

/// The changes to a valid object for which its schema decides between acceptance and refusal.
private struct Changes {
    enum Fate {
        /// Accepted, with the same value as without the change.
        case same
        case taken
        /// Refused. The path names the field at fault.
        case refused
    }

    struct Change {
        var name: String
        var path: String
        var data: JSON
        var expected: Fate
    }

    private let schema: JSON
    private let definitions: [String: JSON]

    init(of schema: Schema) {
        self.schema = schema.json
        definitions = schema.definitions
    }

    func changes(of data: JSON) -> [Change] { changes(of: data, schema, path: "") { $0 } }

    /// - Parameter rebuilt: The whole with the object at `path` replaced.
    private func changes(
        of object: JSON, _ schema: JSON, path: String, rebuilt: @escaping (JSON) -> JSON
    ) -> [Change] {
        let schema = resolved(schema)
        guard let members = object.object else { return [] }
        // An object that is passed on unread: every member belongs to it.
        if schema["properties"] == nil, !path.isEmpty { return [] }
        // If members depend on one another, changing a single one has no known result.
        let isPlain = ["oneOf", "anyOf", "if"].allSatisfy { schema[$0] == nil }
        var changes = [
            Change(
                name: "unknown members in \(path)", path: path,
                data: rebuilt(
                    .object(
                        [.init(key: "x_first", value: .array([.null]))] + members + [
                            .init(key: "x_last", value: .object([.init(key: "a", value: .integer(1))]))
                        ])), expected: .same)
        ]
        let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
        for property in schema["properties"]?.object ?? [] {
            let key = property.key
            let place = path.isEmpty ? key : "\(path).\(key)"
            let others = members.filter { $0.key != key }
            func with(_ value: JSON) -> JSON { rebuilt(.object(others + [.init(key: key, value: value)])) }
            // Servers send all rules of a queue. A rule that an older server does not know has its default.
            let isLenient = path == "rules"
            if isPlain, required.contains(key), isLenient {
                changes.append(
                    Change(name: "no \(place)", path: place, data: rebuilt(.object(others)), expected: .taken))
            } else if isPlain, required.contains(key), !isNullable(property.value) {
                changes.append(
                    Change(name: "no \(place)", path: place, data: rebuilt(.object(others)), expected: .refused))
                changes.append(Change(name: "null as \(place)", path: place, data: with(.null), expected: .refused))
            } else if isPlain, object[key].map(\.isNull) != false {
                changes.append(
                    Change(name: "no \(place)", path: place, data: rebuilt(.object(others)), expected: .same))
                changes.append(Change(name: "null as \(place)", path: place, data: with(.null), expected: .same))
            } else if isPlain {
                changes.append(
                    Change(name: "no \(place)", path: place, data: rebuilt(.object(others)), expected: .taken))
            }
            for (name, value) in wrongValues(for: property.value) {
                changes.append(
                    Change(name: "\(name) as \(place)", path: place, data: with(value), expected: .refused))
            }
            guard let value = object[key], !value.isNull else { continue }
            changes += self.changes(of: value, present(property.value), path: place) { inner in
                rebuilt(.object(members.map { $0.key == key ? .init(key: key, value: inner) : $0 }))
            }
        }
        return changes
    }

    /// A value of each JSON type that the schema does not accept.
    private func wrongValues(for schema: JSON) -> [(String, JSON)] {
        let schema = present(schema)
        let types: Set<String>
        if let type = schema["type"]?.string {
            types = [type]
        } else if schema["enum"] != nil || schema["anyOf"] != nil {
            types = ["string"]
        } else {
            return []
        }
        let values: [(String, String, JSON)] = [
            ("string", "a string", .string("x")), ("integer", "a fraction", .number(1.5)),
            ("boolean", "a boolean", .bool(true)), ("array", "an array", .array([])),
            ("object", "an object", .object([])), ("integer", "an integer", .integer(7)),
        ]
        return values.filter { kind, name, _ in !types.contains(kind) || name == "a fraction" }.map { ($0.1, $0.2) }
    }

    private func resolved(_ schema: JSON) -> JSON {
        guard let reference = schema["$ref"]?.string else { return schema }
        return definitions[String(reference.dropFirst(Schema.referencePrefix.count))].map(resolved) ?? schema
    }

    private func isNullable(_ schema: JSON) -> Bool {
        schema["anyOf"]?.array?.contains { $0["type"]?.string == "null" } == true
    }

    /// The schema of the value when present, without the null that stands for absence.
    private func present(_ schema: JSON) -> JSON {
        isNullable(schema) ? resolved(schema["anyOf"]?.array?.first ?? schema) : resolved(schema)
    }
}
