internal import ArgumentParser
internal import SonaWire

/// A user on the command line.
struct UserArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The user: @ada, ada, or an identifier of 28 letters and digits."))
    var user: String

    func reference() throws -> UserReference { try Self.reference(user) }

    /// The user that a text names: `@ada` a username, `uid:…` an identifier, anything else a username if it has the
    /// form of one.
    ///
    /// Identifiers of this server are too long for a username. Those of outside issuers may have its form; `uid:` is
    /// for them.
    static func reference(_ text: String) throws -> UserReference {
        if text.hasPrefix("uid:"), let id = UserID(String(text.dropFirst(4))) { return .id(id) }
        if let username = Username(text) { return .username(username) }
        guard let reference = UserReference(text) else {
            throw Failure(
                66, "There is no user \"\(Console.printable(text))\": a user is @username or an identifier.")
        }
        return reference
    }

    /// A username to have or to look for, with or without its `@`.
    static func username(_ text: String) throws -> Username {
        guard let username = Username(text.hasPrefix("@") ? String(text.dropFirst()) : text) else {
            throw Failure(64, ErrorCode.usernameInvalid.meaning)
        }
        return username
    }
}

extension User {
    /// `@username`, or the identifier of a user without one.
    var label: String { username.map { "@\($0)" } ?? uid.rawValue }
}
