/// A value that travels as a JSON object: results, events, and the objects inside them.
///
/// Decoding ignores unknown fields, takes `null` for absent, and reports the first field that is missing or unusable
/// by its path from this object.
public protocol WireObject: Sendable {
    /// - Throws: `request.invalid`, or the more telling code a field's page names.
    init(_ json: JSON) throws(WireError)
    /// Writes the whole object, braces included.
    func encode(into writer: inout JSONWriter)
    /// The JSON Schema of this type, for `Protocol/schema`.
    static var schema: Schema { get }
    /// The name of `schema` among the definitions, where other messages refer to it: the type's in snake case.
    static var schemaName: String { get }
    /// The beginning of fields' names in errors: `data` for requests, else nothing.
    static var fieldPrefix: String { get }
}

extension WireObject {
    /// Nothing: paths of fields begin at the object itself.
    public static var fieldPrefix: String { "" }

    /// The type's name in snake case: `RoomMember` becomes `room_member`.
    public static var schemaName: String {
        String(describing: Self.self).reduce(into: "") { name, character in
            if character.isUppercase, !name.isEmpty { name += "_" }
            name += character.lowercased()
        }
    }

    /// The object alone, as bytes.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
        encode(into: &writer)
        return writer.bytes
    }
}

/// The `data` of a request, with what its reply carries.
///
/// Servers decode with `init`, clients encode with `Request.encode(id:_:)`. Fields in errors begin with `data`.
public protocol WireRequest: WireObject, Equatable {
    /// The `data` of the reply `ok`.
    associatedtype Response: WireObject
    /// The type as it stands in the envelope: `room.join`.
    static var type: String { get }
    /// Optional members of `Response` that are always there in the answer to this request.
    static var promises: [String] { get }
    /// The permission the caller needs. `nil` if none, or if more than the caller's role decides.
    static var permission: Permission? { get }
    /// Whether it is about the connection it comes by, so that it is not served over HTTP. `false` if left out.
    static var needsConnection: Bool { get }
}

extension WireRequest {
    /// `nil`: no permission is needed, or more than the caller's role decides.
    public static var permission: Permission? { nil }
    /// None: optional members of the answer may be absent.
    public static var promises: [String] { [] }
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static var needsConnection: Bool { false }
    /// Paths of fields begin with `data`, where the envelope holds the request.
    public static var fieldPrefix: String { "data" }
}

/// The `data` of an event.
public protocol WireEvent: WireObject, Equatable {
    /// The type as it stands in the envelope: `room.updated`.
    static var type: String { get }
    /// To whom it goes, and whether it is numbered. `room` if left out.
    static var scope: EventScope { get }
}

extension WireEvent {
    /// `room`: the event goes to the members of the room and is numbered.
    public static var scope: EventScope { .room }
}

/// To whom an event goes.
///
/// Source: Protocol/spec/connection.md, "Events".
public enum EventScope: Sendable {
    /// To all in the room; `room` and `seq` stand in the envelope.
    case room
    /// The same without `seq`: nobody is told later what they missed.
    case roomLive
    /// To one session, of which `seq` counts the events.
    case personal
}

/// An object without fields: the `data` of replies that say only that it was done.
public struct Empty: WireObject, Equatable {
    public init() {}

    public init(_ json: JSON) throws(WireError) { _ = try Fields(json) }

    public func encode(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.endObject()
    }

    public static var schema: Schema { .anyObject }
}
