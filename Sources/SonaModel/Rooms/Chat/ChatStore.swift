internal import SonaDatabase
package import SonaWire

/// What was said in rooms: the newest 10 000 messages of each.
///
/// Off the loop. Who may chat is decided with the write; how often, before.
package struct ChatStore: Sendable {
    /// Messages of a room that are kept, deleted ones counted.
    package static let keptMax: Int64 = 10_000
    /// How long an author may change a message.
    package static let editMilliseconds = Int64(Limits.chatEditSeconds) * 1_000

    private let chat: ChatDAO
    private let journal: Journal
    private let clock: WallClock
    private let changes: ChangeCounter
    /// How long a page may take in the database.
    private let readLimit: Duration

    init(_ chat: ChatDAO, journal: Journal, clock: WallClock, changes: ChangeCounter, readLimit: Duration) {
        self.readLimit = readLimit
        self.chat = chat
        self.journal = journal
        self.clock = clock
        self.changes = changes
    }

    // MARK: Writing

    /// - Parameter replyTo: A message of the room that is still there.
    /// - Throws: `roomUnknown`, `roomClosed`, `banned`, `muted`, `chatOff`, `forbidden`, `messageUnknown` for what is
    ///   answered, `busy`, `storage`.
    package func send(
        _ text: Text, to room: RoomID, by user: User, replyTo: Int64? = nil
    ) async throws(Refusal) -> ChatMessage {
        let now = clock.nowMilliseconds()
        return try await chat.write { db in
            try RoomRights.requireChat(of: user.uid, in: room, now: now, &db)
            if let replyTo {
                let answered = try ChatDAO.find(replyTo, in: room, &db)
                guard answered.deletedMilliseconds == nil else { throw Refusal.messageUnknown }
            }
            let id = try ChatDAO.nextNumber(in: room, &db)
            let record = ChatRecord(
                room: room, id: id, uid: user.uid, username: user.username,
                isGuest: user.isGuest, text: text.text, atMilliseconds: now, editedMilliseconds: nil,
                deletedMilliseconds: nil, replyTo: replyTo,
                mentions: SonaDatabase.JSON(try ChatDAO.mentions(in: text, by: user.uid, &db)),
                replay: try ReplayDAO.replay(ofMessage: id, in: room, now: now, &db))
            try db.insert(record)
            try ChatDAO.prune(room, newest: record.id, in: &db)
            return ChatMessage(record)
        }
    }

    /// Puts another text in the place of the author's own.
    ///
    /// - Returns: The message, and a number that is larger than that of every change before.
    /// - Throws: `messageUnknown`, `notAuthor`, `messageTooOld`, and as `send`.
    package func edit(
        _ id: Int64, in room: RoomID, to text: Text, by author: UserID
    ) async throws(Refusal) -> (message: ChatMessage, changeNumber: Int64) {
        let (now, changes) = (clock.nowMilliseconds(), self.changes)
        return try await chat.write { db in
            let current = try ChatDAO.find(id, in: room, &db)
            guard current.deletedMilliseconds == nil else { throw Refusal.messageUnknown }
            guard current.uid == author else { throw Refusal.notAuthor }
            try RoomRights.requireChat(of: author, in: room, now: now, &db)
            guard now - current.atMilliseconds <= Self.editMilliseconds else { throw Refusal.messageTooOld }
            var changed = current
            changed.text = text.text
            changed.editedMilliseconds = now
            changed.mentions = SonaDatabase.JSON(try ChatDAO.mentions(in: text, by: author, &db))
            try db.updateChanges(changed, from: current)
            return (ChatMessage(changed), changes.next())
        }
    }

    /// Erases the text of a message, which keeps its place. Doing it again changes nothing.
    ///
    /// - Parameter mayModerate: Whether they would delete what others have said, who stand below them; that is a line of
    ///   the journal.
    /// - Returns: As `edit`.
    /// - Throws: `messageUnknown`, `notAuthor`, `forbidden`, `busy`, `storage`.
    package func delete(
        _ id: Int64, in room: RoomID, by uid: UserID, mayModerate: Bool
    ) async throws(Refusal) -> (message: ChatMessage, changeNumber: Int64) {
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        return try await chat.write { db in
            let current = try ChatDAO.find(id, in: room, &db)
            if current.uid != uid {
                guard mayModerate else { throw Refusal.notAuthor }
                try RoomRights.require(.moderate, of: uid, over: current.uid, in: room, &db)
            }
            guard current.deletedMilliseconds == nil else { return (ChatMessage(current), changes.next()) }
            let erased = try Self.erase(current, now: now, in: &db)
            if current.uid != uid {
                try journal.append(
                    MembershipStore.entry(.roomMessageDeleted, current.uid, room, uid, [("message", .integer(id))]),
                    in: &db)
            }
            return (ChatMessage(erased), changes.next())
        }
    }

    /// Erases the text of a message for an administrator, whoever wrote it. Doing it again changes nothing.
    ///
    /// - Parameter actor: The administrator. `nil`: the operator.
    /// - Returns: As `edit`.
    /// - Throws: `messageUnknown`; `forbidden`, `banned` or `tokenInvalid` for the administrator; `busy`, `storage`.
    package func takeDown(
        _ id: Int64, in room: RoomID, by actor: UserID?
    ) async throws(Refusal) -> (message: ChatMessage, changeNumber: Int64) {
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        return try await chat.write { db in
            try AdminRights.require(.contentTakeDown, of: actor, now: now, in: &db)
            let current = try ChatDAO.find(id, in: room, &db)
            guard current.deletedMilliseconds == nil else { return (ChatMessage(current), changes.next()) }
            try journal.append(
                JournalEntry(
                    .takenDown, actor: actor, room: room,
                    ["kind": .text(TakeDown.Kind.message.rawValue), "message": .integer(id)]), in: &db)
            return (ChatMessage(try Self.erase(current, now: now, in: &db)), changes.next())
        }
    }

    /// Takes the text out of a message, which keeps its place.
    private static func erase(
        _ message: ChatRecord, now: Int64, in db: inout WriteAccess
    ) throws -> ChatRecord {
        var erased = message
        erased.text = ""
        erased.mentions = SonaDatabase.JSON([])
        erased.deletedMilliseconds = now
        try db.updateChanges(erased, from: message)
        return erased
    }

    // MARK: Reading

    /// - Throws: `messageUnknown`, also for one that was deleted; `busy`, `storage`.
    package func author(of id: Int64, in room: RoomID) async throws(Refusal) -> UserID {
        try await chat.read { db in
            let record = try db.first(ChatRecord.self, "WHERE room_id = \(room) AND id = \(id)")
            guard let record, record.deletedMilliseconds == nil else { throw Refusal.messageUnknown }
            return record.uid
        }
    }

    /// Some messages, deleted ones too.
    ///
    /// - Parameters:
    ///   - id: The page ends before this one; `nil`: with the newest.
    ///   - limit: 1…100.
    /// - Throws: `busy`, `storage`.
    package func page(
        of room: RoomID, before id: Int64? = nil, limit: Int = 50
    ) async throws(Refusal) -> ChatPage {
        let limit = min(max(limit, 1), Int(Limits.chatPageCount.upperBound))
        let readLimit = self.readLimit
        return try await chat.read { db in
            let found = try db.withTimeLimit(readLimit) { db in
                try db.all(
                    ChatRecord.self,
                    "WHERE room_id = \(room) AND id < \(id ?? .max) ORDER BY id DESC LIMIT \(limit + 1)")
            }
            let messages = found.prefix(limit).reversed().map { ChatMessage($0) }
            return ChatPage(messages: messages, nextBefore: found.count > limit ? messages.first?.id : nil)
        }
    }
}

extension ChatMessage {
    init(_ record: ChatRecord) {
        self.init(
            id: record.id, user: User(uid: record.uid, username: record.username, isGuest: record.isGuest),
            text: record.text, atMilliseconds: record.atMilliseconds, editedMilliseconds: record.editedMilliseconds,
            isDeleted: record.deletedMilliseconds != nil, mentions: record.mentions.value.compactMap(UserID.init),
            replyTo: record.replyTo)
    }
}
