/// What travels as a JSON object: results, events, and the objects inside them.
///
/// Decoding ignores unknown fields, takes `null` for absent, and reports the first field that is missing or unusable
/// by its path from this object.
public protocol WireObject: Sendable {
    /// - Throws: `request.invalid`, or the more telling code a field's page names.
    init(_ json: JSON) throws(WireError)
    /// Writes the whole object, braces included.
    func encode(into writer: inout JSONWriter)
}

extension WireObject {
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
    /// What the `data` of the reply `ok` holds.
    associatedtype Response: WireObject
    /// The type as it stands in the envelope: `room.join`.
    static var type: String { get }
    /// What the caller must be allowed; `nil` where anybody is, or where it depends on more than the caller's role.
    static var permission: Permission? { get }
}

extension WireRequest {
    public static var permission: Permission? { nil }
}

/// The `data` of an event.
public protocol WireEvent: WireObject, Equatable {
    /// The type as it stands in the envelope: `room.updated`.
    static var type: String { get }
}

/// An object without fields: the `data` of replies that say only that it was done.
public struct Empty: WireObject, Equatable {
    public init() {}

    public init(_ json: JSON) throws(WireError) { _ = try Fields(json) }

    public func encode(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.endObject()
    }
}
