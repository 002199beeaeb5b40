/// A request without fields.
public protocol FieldlessRequest: WireRequest {
    /// A request; it has nothing to choose.
    init()
}

extension FieldlessRequest {
    public init(_ data: JSON) throws(WireError) {
        _ = try Fields(request: data)
        self.init()
    }

    public func encode(into writer: inout JSONWriter) { writer.object { _ in } }

    public static var schema: Schema { .anyObject }
}

/// A request whose one field, `user`, says whom it is about.
public protocol UserRequest: WireRequest {
    /// The user the request is about.
    var user: UserReference { get }
    /// A request about this user.
    init(user: UserReference)
}

extension UserRequest {
    public init(_ data: JSON) throws(WireError) {
        self.init(user: try Fields(request: data).required("user", .userReference))
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("user", user.text) } }

    public static var schema: Schema { .object([.init("user", .userReference, isRequired: true)]) }
}

/// A request whose one field, `room`, says which room it is about.
public protocol RoomRequest: WireRequest {
    /// The room the request is about.
    var room: RoomReference { get }
    /// A request about this room.
    init(room: RoomReference)
}

extension RoomRequest {
    public init(_ data: JSON) throws(WireError) {
        self.init(room: try Fields(request: data).required("room", .roomReference))
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("room", room.text) } }

    public static var schema: Schema { .object([.init("room", .roomReference, isRequired: true)]) }
}

/// A request whose two fields, `room` and `user`, say where and whom it is about.
public protocol RoomUserRequest: WireRequest {
    /// The room the request is about.
    var room: RoomReference { get }
    /// The user the request is about.
    var user: UserReference { get }
    /// A request about this user in this room.
    init(room: RoomReference, user: UserReference)
}

extension RoomUserRequest {
    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        self.init(
            room: try fields.required("room", .roomReference), user: try fields.required("user", .userReference))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.text)
            writer.member("user", user.text)
        }
    }

    public static var schema: Schema {
        .object([.init("room", .roomReference, isRequired: true), .init("user", .userReference, isRequired: true)])
    }
}

/// A request whose one field, `code`, came by mail or with an export.
public protocol CodeRequest: WireRequest {
    /// 1 to 128 bytes; only the server knows whether it is good.
    var code: String { get }
    /// A request with this code, 1 to 128 bytes.
    init(code: String)
}

extension CodeRequest {
    public init(_ data: JSON) throws(WireError) { self.init(code: try Fields(request: data).required("code", .code)) }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("code", code) } }

    public static var schema: Schema { .object([.init("code", Form.code.schema, isRequired: true)]) }
}

/// A request for a page of the caller's own list.
public protocol PageRequest: WireRequest {
    /// Users in one page, 1 to 100.
    var limit: Int { get }
    /// `nextCursor` of the page before. `nil`: the first page.
    var cursor: String? { get }
    /// A request for at most `limit` users, 1 to 100. `cursor` is `nil` for the first page.
    init(limit: Int, cursor: String?)
}

extension PageRequest {
    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        self.init(
            limit: try Form.integer(Limits.userPageCount).read(fields, "limit") ?? Limits.userPageCountDefault,
            cursor: try Form.cursor.read(fields, "cursor"))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("limit", limit)
            writer.member("cursor", ifPresent: cursor)
        }
    }

    public static var schema: Schema {
        .object([
            .init("limit", Schema.integer(Limits.userPageCount).orNull, isRequired: false),
            .init("cursor", Form.cursor.schema.orNull, isRequired: false),
        ])
    }
}
