/// A user as others see them.
///
/// Source: Protocol/spec/accounts.md, "User".
public struct User: WireObject, Hashable {
    public var uid: UserID
    /// `nil` for guests and for accounts that have not chosen one.
    public var username: Username?
    public var isGuest: Bool

    public init(uid: UserID, username: Username?, isGuest: Bool) {
        self.uid = uid
        self.username = username
        self.isGuest = isGuest
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        uid = try fields.parsed("uid", "a user identifier", UserID.init)
        username = try fields.parsedIfPresent("username", "a username", Username.init)
        isGuest = try fields.bool("guest")
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("uid", uid.rawValue)
            writer.member("username", orNull: username?.rawValue)
            writer.member("guest", isGuest)
        }
    }
}

/// A program that speaks the protocol: the client in `hello`, the server in the welcome.
///
/// Source: Protocol/spec/connection.md, "hello".
public struct Program: WireObject, Hashable {
    /// One line of 1 to 64 bytes, like the version.
    public var name: String
    public var version: String

    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        name = try fields.line("name", bytes: Limits.programTextBytes)
        version = try fields.line("version", bytes: Limits.programTextBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("version", version)
        }
    }
}
