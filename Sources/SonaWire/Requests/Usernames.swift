/// `username.check`: whether a username could be had at this moment.
///
/// Source: Protocol/spec/people.md, "username.check".
public struct UsernameCheck: WireRequest {
    public typealias Response = UsernameAvailability
    public static let type = "username.check"

    /// At most 256 bytes of anything: what is no username is an answer, not a fault.
    public var username: String

    public init(username: String) { self.username = username }

    public init(_ data: JSON) throws(WireError) {
        username = try Fields(request: data).string("username", bytes: Limits.usernameCheckBytes)
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("username", username) } }
}

/// The answer to `username.check`.
public struct UsernameAvailability: WireObject, Equatable {
    public enum Reason: String, CaseIterable, Sendable {
        /// Not of the form of a username.
        case invalid
        case reserved
        /// Somebody has it, or one that looks like it.
        case taken
    }

    public var isAvailable: Bool
    /// Why not.
    public var reason: Reason?
    /// The same as a sentence for people.
    public var message: String?
    /// At most five that resemble it and were free.
    public var suggestions: [Username]

    public init(isAvailable: Bool, reason: Reason? = nil, message: String? = nil, suggestions: [Username] = []) {
        self.isAvailable = isAvailable
        self.reason = reason
        self.message = message
        self.suggestions = suggestions
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        isAvailable = try fields.bool("available")
        reason = try fields.wordIfPresent("reason", as: Reason.self)
        message = try fields.stringIfPresent("message", bytes: Limits.errorMessageBytes)
        let texts = try fields.strings("suggestions", bytes: Limits.usernameBytes)
        suggestions = texts.compactMap(Username.init)
        guard suggestions.count == texts.count, Limits.usernameSuggestionCount.contains(texts.count) else {
            throw fields.invalid(
                "suggestions", "must hold at most \(Limits.usernameSuggestionCount.upperBound) usernames")
        }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("available", isAvailable)
            writer.member("reason", ifPresent: reason?.rawValue)
            writer.member("message", ifPresent: message)
            writer.member("suggestions", suggestions.map(\.rawValue))
        }
    }
}

/// `username.claim`: the first username of an account that has none.
///
/// Source: Protocol/spec/people.md, "username.claim".
public struct UsernameClaim: WireRequest {
    public typealias Response = AccessGrant
    public static let type = "username.claim"
    public static let permission: Permission? = .profileEdit

    public var username: Username

    public init(username: Username) { self.username = username }

    /// - Throws: `username.invalid` or `request.invalid`.
    public init(_ data: JSON) throws(WireError) { username = try Fields(request: data).newUsername() }

    public func encode(into writer: inout JSONWriter) {
        writer.object { $0.member("username", username.rawValue) }
    }
}

/// `username.change`: another username in place of the current one.
///
/// Source: Protocol/spec/people.md, "username.change".
public struct UsernameChange: WireRequest {
    public typealias Response = AccessGrant
    public static let type = "username.change"
    public static let permission: Permission? = .profileEdit

    /// The current one, so that a change is not made twice or by mistake.
    public var oldUsername: Username
    public var username: Username

    public init(oldUsername: Username, username: Username) {
        self.oldUsername = oldUsername
        self.username = username
    }

    /// - Throws: `username.mismatch` if the old one cannot be anybody's, `username.invalid` or `request.invalid`.
    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        oldUsername = try fields.parsed(
            "old_username", "the current username", code: .usernameMismatch, Username.init)
        username = try fields.newUsername()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("old_username", oldUsername.rawValue)
            writer.member("username", username.rawValue)
        }
    }
}

extension Fields {
    /// The username that somebody wants to have.
    /// - Throws: `username.invalid`.
    func newUsername() throws(WireError) -> Username {
        try parsed("username", "a username", code: .usernameInvalid, Username.init)
    }
}
