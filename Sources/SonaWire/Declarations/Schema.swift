/// The JSON Schema of a value or message, with the definitions it refers to.
///
/// Derived from the same declarations that read and write messages. `Protocol/schema` is written from these.
///
/// Source: JSON Schema, draft 2020-12.
public struct Schema: Sendable, Equatable {
    /// Prefix of every reference to a definition; the writer of a file replaces it by the definition's place.
    package static let referencePrefix = "#/$defs/"

    /// The schema itself.
    package var json: JSON
    /// The definitions `json` refers to, by name, and the definitions those refer to in turn.
    package var definitions: [String: JSON]

    package init(_ json: JSON, definitions: [String: JSON] = [:]) {
        self.json = json
        self.definitions = definitions
    }

    /// A schema of these keywords, in this order.
    package init(_ keywords: KeyValuePairs<String, JSON>) {
        self.init(.object(keywords.map { JSON.Member(key: $0.key, value: $0.value) }))
    }

    // MARK: Objects

    /// One property of an object.
    package struct Property: Sendable {
        var key: String
        var schema: Schema
        /// Whether the key must be there.
        var isRequired: Bool

        package init(_ key: String, _ schema: Schema, isRequired: Bool) {
            self.key = key
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// An object of these properties; others are ignored.
    package static func object(_ properties: [Property]) -> Schema {
        var members = [JSON.Member(key: "type", value: "object")]
        var definitions: [String: JSON] = [:]
        if !properties.isEmpty {
            members.append(
                JSON.Member(
                    key: "properties",
                    value: .object(properties.map { JSON.Member(key: $0.key, value: $0.schema.json) })))
        }
        let required = properties.filter(\.isRequired).map { JSON.string($0.key) }
        if !required.isEmpty { members.append(JSON.Member(key: "required", value: .array(required))) }
        for property in properties { definitions.merge(property.schema.definitions, uniquingKeysWith: Self.same) }
        return Schema(.object(members), definitions: definitions)
    }

    /// Any object: nobody looks inside.
    package static let anyObject = Schema(["type": "object"])

    /// The same object with some optional members always there.
    package func promising(_ keys: [String]) -> Schema {
        guard !keys.isEmpty, let properties = json["properties"]?.object else { return self }
        // `anyOf` something and null: what is left is the something.
        let present = properties.map { property in
            keys.contains(property.key)
                ? JSON.Member(key: property.key, value: property.value["anyOf"]?.array?.first ?? property.value)
                : property
        }
        let required = (json["required"]?.array ?? []) + keys.map { JSON.string($0) }
        let others = (json.object ?? []).filter { !["properties", "required"].contains($0.key) }
        return Schema(.object(others)).adding("properties", .object(present)).adding("required", .array(required))
            .with(definitions)
    }

    // MARK: Combinations

    /// The same schema as a definition with a name. All its users refer to that.
    package func named(_ name: String) -> Schema {
        var definitions = definitions
        definitions[name] = json
        return Schema(["$ref": .string(Self.referencePrefix + name)]).with(definitions)
    }

    /// The same, or `null`.
    package var orNull: Schema {
        Schema(["anyOf": .array([json, Schema(["type": "null"]).json])]).with(definitions)
    }

    /// An array of these.
    package func array(count: ClosedRange<Int>, isUnique: Bool = false) -> Schema {
        var array = Schema(["type": "array"])
        if count.lowerBound > 0 { array = array.adding("minItems", .integer(Int64(count.lowerBound))) }
        if count.upperBound < Int.max { array = array.adding("maxItems", .integer(Int64(count.upperBound))) }
        if isUnique { array = array.adding("uniqueItems", true) }
        return array.adding("items", json).with(definitions)
    }

    /// Fits if one of these does, and only one.
    package static func oneOf(_ schemas: [Schema]) -> Schema { combination("oneOf", schemas) }

    /// Fits if one of these does.
    package static func anyOf(_ schemas: [Schema]) -> Schema { combination("anyOf", schemas) }

    private static func combination(_ keyword: String, _ schemas: [Schema]) -> Schema {
        schemas.reduce(Schema([:]).adding(keyword, .array(schemas.map(\.json)))) { $0.with($1.definitions) }
    }

    /// The same with one keyword more.
    package func adding(_ keyword: String, _ value: JSON) -> Schema {
        Schema(.object((json.object ?? []) + [JSON.Member(key: keyword, value: value)]), definitions: definitions)
    }

    /// The same with the keywords of another after its own.
    package func adding(_ other: Schema) -> Schema {
        (other.json.object ?? []).reduce(self) { $0.adding($1.key, $1.value) }.with(other.definitions)
    }

    /// The same with a sentence for people.
    package func described(_ sentence: String) -> Schema { adding("description", .string(sentence)) }

    /// The same with further definitions.
    package func with(_ definitions: [String: JSON]) -> Schema {
        Schema(json, definitions: self.definitions.merging(definitions, uniquingKeysWith: Self.same))
    }

    /// Two definitions of one name must agree: else a reader of the schema would be told wrong.
    package static func same(_ one: JSON, _ other: JSON) -> JSON {
        precondition(one == other, "two schemas have one name: \(one) and \(other)")
        return one
    }

    // MARK: Texts and numbers

    /// Characters that a text of one line cannot hold.
    static let lineBreaking: JSON = ["pattern": "[\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]"]

    /// A text whose length in bytes is bounded. JSON Schema counts characters, so the upper bound is weaker there.
    package static func string(bytes: ClosedRange<Int>) -> Schema {
        var string = Schema(["type": "string"])
        if bytes.lowerBound > 0 { string = string.adding("minLength", 1) }
        if bytes.upperBound < Int.max { string = string.adding("maxLength", .integer(Int64(bytes.upperBound))) }
        return string
    }

    /// A text of one line.
    package static func line(bytes: ClosedRange<Int>) -> Schema { string(bytes: bytes).adding("not", lineBreaking) }

    /// An ASCII text of bounded length that begins like `pattern` and has no character of `forbidden`.
    package static func ascii(
        _ count: ClosedRange<Int>, pattern: String? = nil, without forbidden: String
    ) -> Schema {
        var string = Schema([
            "type": "string", "minLength": .integer(Int64(count.lowerBound)),
            "maxLength": .integer(Int64(count.upperBound)),
        ])
        if let pattern { string = string.adding("pattern", .string(pattern)) }
        return string.adding("not", ["pattern": .string(forbidden)])
    }

    /// An integer within bounds.
    package static func integer(_ range: ClosedRange<Int64>) -> Schema {
        Schema(["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }

    /// One of a closed list of words.
    package static func words(_ words: [String]) -> Schema { Schema(["enum": .array(words.map { .string($0) })]) }

    package static let bool = Schema(["type": "boolean"])
    package static let null = Schema(["type": "null"])

    /// Exactly this text.
    package static func constant(_ text: String) -> Schema { Schema(["const": .string(text)]) }

    // MARK: Envelopes

    package static let requestID = integer(0...Limits.integerMax)
        .described("Chosen by the client, returned by the server.").named("id")
    package static let sequence = integer(0...Limits.integerMax)
        .described("Number of an event in its room or session.").named("seq")
}

// Schemas are written down as literals.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(key: $0.0, value: $0.1) })
    }
}
