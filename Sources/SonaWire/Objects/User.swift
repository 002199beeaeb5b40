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

/// What a user says about themself.
///
/// Source: Protocol/spec/accounts.md, "user.me".
public struct Profile: WireObject, Hashable {
    /// One line of at most 100 bytes.
    public var displayName: String?
    /// At most 2000 bytes; may hold line breaks.
    public var bio: String?
    /// Whether others may see it.
    public var isPublic: Bool

    public init(displayName: String?, bio: String?, isPublic: Bool) {
        self.displayName = displayName
        self.bio = bio
        self.isPublic = isPublic
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        displayName = try fields.lineIfPresent("display_name", bytes: Limits.displayNameBytes)
        bio = try fields.stringIfPresent("bio", bytes: Limits.bioBytes)
        isPublic = try fields.bool("public")
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("display_name", orNull: displayName)
            writer.member("bio", orNull: bio)
            writer.member("public", isPublic)
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
