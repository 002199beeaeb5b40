import SonaWire

/// The derived files of `Protocol/schema`: `objects.json` with the definitions messages share, and one file an area.
struct SchemaFiles {
    /// Contents by path below `Protocol`.
    let files: [String: String]

    /// The `$schema` of every file: JSON Schema 2020-12.
    static let dialect: JSON = "https://json-schema.org/draft/2020-12/schema"
    /// The `$comment` of every file, for people who would edit it by hand.
    static let origin: JSON = "Written by sonaschema from the declarations in Sources/SonaWire: do not edit."

    init(_ pages: SpecPages) throws {
        var files: [String: String] = [:]
        var shared: [String: JSON] = [:]
        for area in Catalogue.areas {
            var messages: [(String, JSON)] = []
            func add(_ name: String, _ schema: Schema) {
                shared.merge(schema.definitions, uniquingKeysWith: Schema.same)
                messages.append((name, schema.json))
            }
            for request in area.requests {
                let page = try pages.reference(to: request.type, in: area)
                add("\(request.type).request", Envelopes.request(request, page: page))
                add("\(request.type).reply", Envelopes.reply(to: request, page: page))
            }
            for event in area.events {
                let page = try pages.reference(to: event.type, in: area)
                add("\(event.type).event", Envelopes.event(event, page: page))
            }
            files["schema/\(area.name).json"] = Self.file(
                title: "Messages of spec/\(area.name).md", messages.map { JSON.Member(key: $0.0, value: $0.1) },
                references: "objects.json")
        }
        let refusal = Envelopes.refusal
        shared.merge(refusal.definitions, uniquingKeysWith: Schema.same)
        files["schema/errors.json"] = Self.file(
            title: "The reply to what was refused", [JSON.Member(key: "error.reply", value: refusal.json)],
            references: "objects.json")
        files["schema/objects.json"] = Self.file(
            title: "Objects and fields that several messages share",
            shared.sorted { $0.key < $1.key }.map { JSON.Member(key: $0.key, value: $0.value) }, references: "")
        self.files = files
    }

    /// - Parameter references: The file with the definitions the schemas refer to.
    private static func file(title: String, _ definitions: [JSON.Member], references: String) -> String {
        let file: JSON = [
            "$schema": dialect, "$comment": origin, "title": .string(title),
            "$defs": resolved(.object(definitions), references),
        ]
        return file.pretty() + "\n"
    }

    private static func resolved(_ json: JSON, _ file: String) -> JSON {
        switch json {
        case .array(let values): .array(values.map { resolved($0, file) })
        case .object(let members):
            .object(
                members.map { member in
                    if member.key == "$ref", let target = member.value.string {
                        JSON.Member(key: "$ref", value: .string(file + target))
                    } else {
                        JSON.Member(key: member.key, value: resolved(member.value, file))
                    }
                })
        default: json
        }
    }
}

/// Schemas of whole messages. SonaWire declares only their `data`; the envelope is added here.
///
/// Source: Protocol/spec/connection.md, "Requests", "Replies", "Events".
enum Envelopes {
    /// A request with its envelope. `page` is the reference to its prose.
    static func request(_ request: any WireRequest.Type, page: String) -> Schema {
        let data = request.schema
        // An absent or null `data` stands for the empty object.
        let acceptsEmpty = !["required", "oneOf", "anyOf", "$ref"].contains { data.json[$0] != nil }
        return message(
            "\(request.type), request", page,
            [
                .init("type", .constant(request.type), isRequired: true), .init("id", .requestID, isRequired: true),
                .init("data", acceptsEmpty ? data.orNull : data, isRequired: !acceptsEmpty),
            ])
    }

    /// The reply `ok` to a request, with its envelope.
    static func reply(to request: any WireRequest.Type, page: String) -> Schema {
        message(
            "\(request.type), reply", page,
            [
                .init("type", .constant("ok"), isRequired: true), .init("id", .requestID, isRequired: true),
                .init("data", responseSchema(request), isRequired: true),
            ])
    }

    private static func responseSchema<Message: WireRequest>(_ request: Message.Type) -> Schema {
        Message.Response.schema.promising(Message.promises)
    }

    /// An event with its envelope. Its scope decides whether `room` and `seq` stand there.
    static func event(_ event: any WireEvent.Type, page: String) -> Schema {
        var properties: [Schema.Property] = [.init("type", .constant(event.type), isRequired: true)]
        if event.scope != .personal { properties.append(.init("room", .roomID, isRequired: true)) }
        if event.scope != .roomLive { properties.append(.init("seq", .sequence, isRequired: true)) }
        let whole = message("\(event.type), event", page, properties + [.init("data", event.schema, isRequired: true)])
        return switch event.scope {
        case .room: whole
        case .roomLive: whole.adding("not", ["required": ["seq"]])
        case .personal: whole.adding("not", ["required": ["room"]])
        }
    }

    /// The reply `error`, the same for all requests.
    static let refusal = message(
        "error, reply", "See spec/errors.md. id is null where it could not be read.",
        [
            .init("type", .constant("error"), isRequired: true), .init("id", Schema.requestID.orNull, isRequired: true),
            .init("error", WireError.schema.named(WireError.schemaName), isRequired: true),
        ])

    private static func message(_ title: String, _ description: String, _ properties: [Schema.Property]) -> Schema {
        let head = Schema(["title": .string(title), "description": .string(description)])
        return head.adding(.object(properties))
    }
}
