/// A request without fields.
public protocol FieldlessRequest: WireRequest {
    init()
}

extension FieldlessRequest {
    public init(_ data: JSON) throws(WireError) {
        _ = try Fields(request: data)
        self.init()
    }

    public func encode(into writer: inout JSONWriter) { writer.object { _ in } }
}

/// A request whose one field, `user`, says whom it is about.
public protocol UserRequest: WireRequest {
    var user: UserReference { get }
    init(user: UserReference)
}

extension UserRequest {
    public init(_ data: JSON) throws(WireError) { self.init(user: try Fields(request: data).user()) }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("user", user.text) } }
}

/// A request whose one field, `room`, says which room it is about.
public protocol RoomRequest: WireRequest {
    var room: RoomReference { get }
    init(room: RoomReference)
}

extension RoomRequest {
    public init(_ data: JSON) throws(WireError) { self.init(room: try Fields(request: data).room()) }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("room", room.text) } }
}

/// A request whose two fields, `room` and `user`, say where and whom it is about.
public protocol RoomUserRequest: WireRequest {
    var room: RoomReference { get }
    var user: UserReference { get }
    init(room: RoomReference, user: UserReference)
}

extension RoomUserRequest {
    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        self.init(room: try fields.room(), user: try fields.user())
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.text)
            writer.member("user", user.text)
        }
    }
}

/// A request whose one field, `code`, came by mail or with an export.
public protocol CodeRequest: WireRequest {
    /// 1 to 128 bytes; whether it is good, only the server knows.
    var code: String { get }
    init(code: String)
}

extension CodeRequest {
    public init(_ data: JSON) throws(WireError) { self.init(code: try Fields(request: data).code()) }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("code", code) } }
}

/// A request for a page of the caller's own list.
public protocol PageRequest: WireRequest {
    /// 1 to 100.
    var limit: Int { get }
    /// `nextCursor` of the page before.
    var cursor: String? { get }
    init(limit: Int, cursor: String?)
}

extension PageRequest {
    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        self.init(limit: try fields.userLimit(), cursor: try fields.cursor())
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("limit", limit)
            writer.member("cursor", ifPresent: cursor)
        }
    }
}

extension Fields {
    /// The reference under `user`.
    func userIfPresent() throws(WireError) -> UserReference? {
        try parsedIfPresent("user", "a user identifier or @username", UserReference.init)
    }

    func user() throws(WireError) -> UserReference {
        guard let user = try userIfPresent() else { throw invalid("user", "is missing") }
        return user
    }

    /// The code under `code`.
    func code() throws(WireError) -> String { try string("code", bytes: Limits.codeBytes) }

    /// How many users a page may have.
    func userLimit() throws(WireError) -> Int {
        try integerIfPresent("limit", in: Limits.userPageCount).map { Int($0) } ?? Limits.userPageCountDefault
    }

    func cursor() throws(WireError) -> String? { try stringIfPresent("cursor", bytes: Limits.cursorBytes) }

    /// An address that mail may be sent to, under `email`.
    /// - Throws: `auth.email_invalid`.
    func emailAddress() throws(WireError) -> String {
        try parsed("email", "an e-mail address", code: .authEmailInvalid) { isEmail($0) ? $0 : nil }
    }

    /// A password that an account is going to have.
    /// - Throws: `auth.password_unusable`.
    func newPassword(_ key: String) throws(WireError) -> String {
        try parsed(key, "8 to 128 characters", code: .authPasswordUnusable) { password in
            Limits.passwordScalars.contains(password.unicodeScalars.count)
                && password.utf8.count <= Limits.passwordBytesMax ? password : nil
        }
    }

    /// Only what mail could not be sent to in any case is refused: the rest is found out by sending.
    private func isEmail(_ text: String) -> Bool {
        guard Limits.emailBytes.contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && !(0x7F...0x9F ~= $0.value) })
        else { return false }
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    }
}
