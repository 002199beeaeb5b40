// Forms of the values that messages of several areas hold.

// MARK: - Identifiers

extension Form where Value == UserID {
    static var userID: Form {
        .parsed(.userID, "a user identifier", UserID.init) { $0.rawValue }
    }
}

extension Form where Value == Username {
    static var username: Form {
        .parsed(.username, "a username", Username.init) { $0.rawValue }
    }

    /// The username that somebody wants to have. Refused with `username.invalid`.
    static var newUsername: Form {
        .parsed(.username, "a username", code: .usernameInvalid, Username.init) { $0.rawValue }
    }
}

extension Form where Value == UserReference {
    static var userReference: Form {
        .parsed(.userReference, "a user identifier or @username", UserReference.init) { $0.text }
    }
}

extension Form where Value == RoomID {
    static var roomID: Form {
        .parsed(.roomID, "a room identifier", RoomID.init) { $0.rawValue }
    }
}

extension Form where Value == RoomReference {
    static var roomReference: Form {
        .parsed(.roomReference, "a room identifier or @username", RoomReference.init) { $0.text }
    }
}

extension Form where Value == SessionID {
    static var sessionID: Form {
        .parsed(.sessionID, "a session identifier", SessionID.init) { $0.rawValue }
    }
}

extension Form where Value == InviteID {
    static var inviteID: Form {
        .parsed(.inviteID, "an invite identifier", InviteID.init) { $0.rawValue }
    }
}

extension Form where Value == PhotoID {
    static var photoID: Form {
        .parsed(.photoID, "a photo identifier", PhotoID.init) { $0.rawValue }
    }
}

extension Form where Value == [UserID] {
    /// Users, each once.
    static func userIDs(count: ClosedRange<Int>) -> Form {
        Form(
            Schema.userID.array(count: count, isUnique: true),
            read: { fields, key throws(WireError) in try fields.userIDsIfPresent(key, count: count) },
            write: { ids, writer in writer.array(ids) { $1.string($0.rawValue) } })
    }
}

extension Form where Value == [RoomID] {
    static func roomIDs(count: ClosedRange<Int>) -> Form {
        Form(
            Schema.roomID.array(count: count),
            read: { fields, key throws(WireError) in try fields.roomIDsIfPresent(key, count: count) },
            write: { ids, writer in writer.array(ids) { $1.string($0.rawValue) } })
    }
}

extension Fields {
    /// A bounded array of user identifiers, each once. An item at fault is named by its place.
    fileprivate func userIDsIfPresent(_ key: String, count: ClosedRange<Int>) throws(WireError) -> [UserID]? {
        let ids = try identifiersIfPresent(
            key, bytes: Limits.userIDBytes, count: count, "must be a user identifier", UserID.init)
        guard let ids, Set(ids).count < ids.count else { return ids }
        throw invalid(key, "must name each user once")
    }

    /// A bounded array of room identifiers. An item at fault is named by its place.
    fileprivate func roomIDsIfPresent(_ key: String, count: ClosedRange<Int>) throws(WireError) -> [RoomID]? {
        try identifiersIfPresent(
            key, bytes: RoomID.count...RoomID.count, count: count, "must be a room identifier", RoomID.init)
    }

    private func identifiersIfPresent<ID>(
        _ key: String, bytes: ClosedRange<Int>, count: ClosedRange<Int>, _ complaint: String, _ make: (String) -> ID?
    ) throws(WireError) -> [ID]? {
        guard let texts = try linesIfPresent(key, bytes: bytes, count: count) else { return nil }
        var ids: [ID] = []
        ids.reserveCapacity(texts.count)
        for (index, text) in texts.enumerated() {
            guard let id = make(text) else { throw invalid("\(key)[\(index)]", complaint) }
            ids.append(id)
        }
        return ids
    }
}

extension Schema {
    private static let atUsername = ascii(
        4...25, pattern: "^@[A-Za-z0-9]", without: "^@[\\s\\S]*[^A-Za-z0-9_.-]")

    package static let userID = ascii(Limits.userIDBytes, without: "[^!-.0-~]")
        .described("Visible ASCII without the slash. See spec/identifiers.md.").named("uid")
    package static let username = ascii(Limits.usernameBytes, pattern: "^[A-Za-z0-9]", without: "[^A-Za-z0-9_.-]")
        .described("3 to 24 characters, the first a letter or digit.").named("username")
    package static let userReference = anyOf([
        ascii(Limits.userIDBytes, pattern: "^[^@]", without: "[^!-.0-~]"), atUsername,
    ]).described("A user identifier that does not begin with @, or @ and a username.").named("user_reference")
    package static let roomID = ascii(RoomID.count...RoomID.count, without: "[^A-Za-z0-9]")
        .described("20 letters and digits.").named("room_id")
    package static let roomReference = anyOf([roomID, atUsername])
        .described("A room identifier, or @ and a username.").named("room_reference")
    package static let sessionID = ascii(SessionID.count...SessionID.count, without: "[^A-Za-z0-9]")
        .described("22 letters and digits.").named("session_id")
    package static let inviteID = ascii(Limits.inviteIDBytes, without: "[^A-Za-z0-9_-]")
        .described("Letters, digits, _ and -.").named("invite_id")
    package static let photoID = ascii(Limits.photoIDBytes, without: "[^A-Za-z0-9_-]")
        .described("Letters, digits, _ and -.").named("photo_id")
}

// MARK: - Numbers

extension Form where Value: FixedWidthInteger {
    /// A number that counts from 1.
    static var number: Form { integer(1...Limits.integerMax) }
    /// Seconds until an access token expires.
    static var expiry: Form { count.named("expires_in_s", "Seconds until the access token expires.") }
    /// An epoch of a room.
    static var epoch: Form { anyOfType.named("epoch", "Counts the epochs of a room and wraps.") }
    /// The number of a `host.command`.
    static var command: Form { count.named("command", "Number of a host.command.") }
    static var chatID: Form { integer(Limits.chatID).named("chat_id") }
    static var playID: Form { integer(Limits.playID).named("play_id") }
    static var queueEntryID: Form { integer(Limits.queueEntryID).named("queue_entry_id") }
}

extension Form where Value == [Int64] {
    static var queueEntryIDs: Form {
        let ids = Form.integers(Limits.queueEntryID)
        return Form(
            Form<Int64>.queueEntryID.schema.array(count: 0...Int.max).named("queue_ids"), read: ids.read,
            write: ids.write)
    }
}

// MARK: - Secrets and words

extension Form where Value == String {
    static var accessToken: Form {
        text(bytes: Limits.tokenBytes).named("access_token", "At most \(Limits.tokenBytes.upperBound) bytes.")
    }

    static var refreshToken: Form {
        text(bytes: Limits.refreshTokenBytes)
            .named("refresh_token", "At most \(Limits.refreshTokenBytes.upperBound) bytes.")
    }

    static var resumeToken: Form {
        text(bytes: Limits.resumeTokenBytes)
            .named("resume_token", "At most \(Limits.resumeTokenBytes.upperBound) bytes.")
    }

    /// The cursor that asks for another page.
    static var cursor: Form {
        text(bytes: Limits.cursorBytes).named("cursor", "What another page is asked for with. Means nothing else.")
    }

    /// A code from a mail or an export. Only the server knows whether it is good.
    static var code: Form {
        text(bytes: Limits.codeBytes)
            .named("code", "A code that came by mail or with an export, at most 128 bytes.")
    }

    /// An address that mail may be sent to. Refused with `auth.email_invalid`.
    static var emailAddress: Form {
        .parsed(
            Schema([
                "type": "string", "minLength": 3, "maxLength": .integer(Int64(Limits.emailBytes.upperBound)),
                "pattern": "^[^@]+@[^@]+$", "not": ["pattern": "[\\u0000-\\u0020\\u007F-\\u009F]"],
                "description": "At most 254 bytes.",
            ]).named("email_address"), "an e-mail address", code: .authEmailInvalid, { isEmail($0) ? $0 : nil }
        ) { $0 }
    }

    /// Only what mail could not be sent to in any case is refused: the rest is found out by sending.
    private static func isEmail(_ text: String) -> Bool {
        guard Limits.emailBytes.contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && !(0x7F...0x9F ~= $0.value) })
        else { return false }
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    }

    /// A password that an account is going to have. Refused with `auth.password_unusable`.
    static var newPassword: Form {
        .parsed(
            Schema([
                "type": "string", "minLength": .integer(Int64(Limits.passwordScalars.lowerBound)),
                "maxLength": .integer(Int64(Limits.passwordScalars.upperBound)),
                "description": "8 to 128 characters, at most 512 bytes.",
            ]).named("new_password"), "8 to 128 characters", code: .authPasswordUnusable,
            { password in
                Limits.passwordScalars.contains(password.unicodeScalars.count)
                    && password.utf8.count <= Limits.passwordBytesMax ? password : nil
            }
        ) { $0 }
    }

    /// A text of a chat, as `ChatText` has it. Refused with `chat.text_invalid`.
    static var chatText: Form {
        .parsed(
            Schema([
                "type": "string", "minLength": 1, "maxLength": .integer(Int64(Limits.chatTextBytesMax)),
                "not": [
                    "pattern":
                        "[\\u0000-\\u0009\\u000B-\\u001F\\u007F-\\u009F\\u2028\\u2029]|(\\n[^\\n]*){11}"
                ], "description": "1 to 500 grapheme clusters in at most 4000 bytes. See spec/chat.md.",
            ]).named("chat_text"), "plain text of 1 to 500 characters", code: .chatTextInvalid,
            { ChatText.isAcceptable($0) ? $0 : nil }
        ) { $0 }
    }
}

extension Form where Value == String {
    /// The name of a permission; a newer server may know others.
    static var permission: Form {
        text(bytes: Limits.permissionBytes).named("permission", "See spec/permissions.md.")
    }
}

extension Form where Value == ErrorCode {
    static var errorCode: Form {
        .parsed(
            Schema.ascii(
                Limits.errorCodeBytes, pattern: "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$", without: "[^a-z0-9_.]"
            ).described("See spec/errors.md.").named("error_code"), "an error code", ErrorCode.init
        ) { $0.text }
    }
}

extension Form where Value == String {
    /// A word for programs that says why; new ones may come.
    static var reason: Form {
        line(bytes: Limits.reasonBytes).named("reason_word", "Of which new ones may come.")
    }
}

extension Form where Value == [String] {
    /// What somebody may do in a room.
    static var capabilities: Form {
        texts(bytes: Limits.permissionBytes)
            .named("capabilities", "Of which new ones may come. See spec/roles.md.")
    }

    /// The tags of a room.
    static var tags: Form {
        lines(bytes: Limits.roomTagBytes, count: Limits.roomTagCount)
            .named("tags", "At most 8, each one line of 1 to 32 bytes.")
    }
}

extension Form where Value == Int {
    static var channels: Form { integer(1...2).named("channels") }
}
