internal import SonaDatabase
package import SonaWire

/// The inbox of reports.
package struct Reports: Sendable {
    /// The subject of a report.
    package enum Subject: Sendable {
        case room(RoomID)
        case message(RoomID, id: Int64)
        case user(UserReference)
        /// A user or guest who is in a room, or a guest who is connected. Nothing is stored of guests.
        case present(User, in: RoomID?)
    }

    /// How long a decided report is kept.
    package static let keptMilliseconds: Int64 = 365 * 86_400_000

    private let dao: ReportDAO
    private let journal: Journal
    private let clock: WallClock

    init(_ dao: ReportDAO, journal: Journal, clock: WallClock) {
        self.dao = dao
        self.journal = journal
        self.clock = clock
    }

    /// Takes a report. A second one of the same person about the same thing replaces kind and text of the first,
    /// while that is open.
    ///
    /// - Throws: `roomUnknown`, `messageUnknown`, `userUnknown`; `tooMany` if too many of this person, or in all, are
    ///   open; `busy`, `storage`.
    package func send(
        _ kind: String, about subject: Subject, text: String?, by reporter: UserID
    ) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        let text = text.flatMap { $0.isEmpty ? nil : $0 }
        try await dao.write { db -> Void in
            let (room, message, user, quote) = try Self.found(subject, in: &db)
            let open: SQL = "resolved_ms IS NULL"
            let same = try db.first(
                ReportRecord.self,
                "WHERE by_uid = \(reporter) AND room_id IS \(room) AND message IS \(message) AND uid IS \(user) AND kind <> \(Limits.feedbackKind) AND \(open)"
            )
            if let same {
                var again = same
                again.kind = kind
                again.text = text
                try db.updateChanges(again, from: same)
                return
            }
            let ofOne: Int = try db.value("SELECT count(*) FROM reports WHERE by_uid = \(reporter) AND \(open)") ?? 0
            let inAll: Int = try db.value("SELECT count(*) FROM reports WHERE \(open)") ?? 0
            guard ofOne < Limits.reportsOpenOfOneMax, inAll < Limits.reportsOpenMax else {
                throw Refusal.tooMany(retryAfterMilliseconds: 3_600_000)
            }
            try db.insert(
                ReportRecord(
                    id: try Self.nextNumber(in: &db), atMilliseconds: now, kind: kind, room: room, message: message,
                    user: user,
                    quote: quote,
                    text: text, by: reporter))
        }
    }

    /// Takes feedback into the inbox, as a report about nothing.
    ///
    /// - Throws: `tooMany` if too much of this person, or in all, is open; `busy`, `storage`.
    package func sendFeedback(_ text: String, by sender: UserID) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        try await dao.write { db -> Void in
            let ofOne: Int =
                try db.value(
                    """
                    SELECT count(*) FROM reports
                    WHERE by_uid = \(sender) AND kind = \(Limits.feedbackKind) AND resolved_ms IS NULL
                    """) ?? 0
            let count: Int = try db.value("SELECT count(*) FROM reports WHERE resolved_ms IS NULL") ?? 0
            // Reports of what should not be there have room whatever people wish for.
            guard ofOne < Limits.feedbackOpenOfOneMax, count < Limits.reportsOpenMax / 2 else {
                throw Refusal.tooMany(retryAfterMilliseconds: 3_600_000)
            }
            try db.insert(
                ReportRecord(
                    id: try Self.nextNumber(in: &db), atMilliseconds: now, kind: Limits.feedbackKind, room: nil,
                    message: nil, user: nil, quote: nil, text: text, by: sender))
        }
    }

    private static func nextNumber(in db: inout WriteAccess) throws -> Int64 {
        let last = try db.value("SELECT max(id) FROM reports", as: Int64?.self) ?? nil
        return (last ?? 0) + 1
    }

    /// What a text with words that administrators want to be told of is part of.
    package enum Flagged: Sendable {
        case message(RoomID, id: Int64)
        case room(RoomID)
        /// Something else that the user wrote: a name, a profile, a track of the queue.
        case user(UserID)
    }

    /// The kind of the reports that the filter of words makes.
    package static let wordsKind = "words"

    /// Files a report of the filter of words, unless one about the same thing is open or the inbox is full. A failure is
    /// ignored: the text is stored already.
    ///
    /// - Parameter author: Who wrote the text.
    package func flag(_ words: [String], _ quote: String, about thing: Flagged, by author: UserID) async {
        guard !words.isEmpty else { return }
        let now = clock.nowMilliseconds()
        let (room, message): (RoomID?, Int64?) =
            switch thing {
            case .message(let room, let id): (room, id)
            case .room(let room): (room, nil)
            case .user: (nil, nil)
            }
        let text = Self.cut(words.joined(separator: ", "), to: Limits.reportTextBytes.upperBound)
        let quote = Self.cut(quote, to: Limits.reportQuoteBytes.upperBound)
        _ = try? await dao.write { db -> Void in
            let same = try db.first(
                ReportRecord.self,
                """
                WHERE by_uid IS NULL AND kind = \(Self.wordsKind) AND room_id IS \(room) AND message IS \(message)
                    AND uid IS \(author) AND resolved_ms IS NULL
                """)
            // One author cannot fill the inbox, nor can all together keep people from reporting.
            let ofOne: Int =
                try db.value(
                    "SELECT count(*) FROM reports WHERE by_uid IS NULL AND uid = \(author) AND resolved_ms IS NULL")
                ?? 0
            let count: Int = try db.value("SELECT count(*) FROM reports WHERE resolved_ms IS NULL") ?? 0
            guard same == nil, ofOne < Limits.reportsOpenOfOneMax, count < Limits.reportsOpenMax / 2 else { return }
            try db.insert(
                ReportRecord(
                    id: try Self.nextNumber(in: &db), atMilliseconds: now, kind: Self.wordsKind, room: room,
                    message: message,
                    user: author, quote: quote, text: text, by: nil))
        }
    }

    /// The beginning of a text, at most so many bytes of whole characters.
    private static func cut(_ text: String, to bytesMax: Int) -> String {
        guard text.utf8.count > bytesMax else { return text }
        var (end, bytes) = (text.startIndex, 0)
        while bytes + text[end].utf8.count <= bytesMax {
            bytes += text[end].utf8.count
            end = text.index(after: end)
        }
        return String(text[..<end])
    }

    /// Finds what is reported, and how it is now.
    private static func found(
        _ subject: Subject, in db: inout WriteAccess
    ) throws -> (room: RoomID?, message: Int64?, user: UserID?, quote: String?) {
        switch subject {
        case .room(let id):
            guard let room = try db.first(RoomRecord.self, key: id) else { throw Refusal.roomUnknown }
            let words = [room.settings.title, room.settings.about ?? ""].filter { !$0.isEmpty }
            return (id, nil, room.owner, words.joined(separator: "\n"))
        case .message(let room, let id):
            let message = try ChatDAO.find(id, in: room, &db)
            guard message.deletedMilliseconds == nil else { throw Refusal.messageUnknown }
            return (room, id, message.uid, message.text)
        case .user(let reference):
            let user = try UserDAO.find(reference, in: &db)
            return (nil, nil, user.uid, try names(of: user, in: &db))
        case .present(let user, let room):
            // A guest may have become an account since, or the account may be gone.
            guard let account = try db.first(UserRecord.self, key: user.uid) else {
                guard user.isGuest else { throw Refusal.userUnknown }
                return (room, nil, user.uid, nil)
            }
            return (room, nil, user.uid, try names(of: account, in: &db))
        }
    }

    private static func names(of user: UserRecord, in db: inout WriteAccess) throws -> String {
        let profile = try db.first(ProfileRecord.self, key: user.uid)
        return [user.username?.rawValue, profile?.displayName, profile?.bio].compactMap { $0 }
            .joined(separator: "\n")
    }

    /// A page of reports, the newest first.
    ///
    /// - Throws: `busy`, `storage`.
    package func page(isOpen: Bool?, kind: String? = nil, before: Int64?, limit: Int) async throws(Refusal) -> [Report]
    {
        let limit = min(max(limit, 1), Int(Limits.reportPageCount.upperBound))
        return try await dao.read { db in
            var condition: SQL = "id < \(before ?? .max)"
            if let isOpen {
                condition = isOpen ? "\(condition) AND resolved_ms IS NULL" : "\(condition) AND resolved_ms IS NOT NULL"
            }
            if let kind { condition = "\(condition) AND kind = \(kind)" }
            return try db.all(ReportRecord.self, "WHERE \(condition) ORDER BY id DESC LIMIT \(limit)").map(Report.init)
        }
    }

    /// Notes that a report is decided.
    ///
    /// - Parameter actor: The administrator. `nil`: the operator.
    /// - Throws: `reportNotFound`, `reportResolved` if somebody was quicker; `forbidden`, `banned` or `tokenInvalid`
    ///   for the administrator; `busy`, `storage`.
    package func resolve(_ id: Int64, note: String?, by actor: UserID?) async throws(Refusal) -> Report {
        let (now, journal) = (clock.nowMilliseconds(), self.journal)
        return try await dao.write { db in
            try AdminRights.require(.reportsHandle, of: actor, now: now, in: &db)
            guard let current = try db.first(ReportRecord.self, key: id) else { throw Refusal(.reportNotFound) }
            guard current.resolvedMilliseconds == nil else { throw Refusal(.reportResolved) }
            var decided = current
            decided.resolvedMilliseconds = now
            decided.resolvedBy = actor
            decided.note = note.flatMap { $0.isEmpty ? nil : $0 }
            try db.updateChanges(decided, from: current)
            try journal.append(
                JournalEntry(.reportResolved, actor: actor, user: current.user, ["report": .integer(id)]), in: &db)
            return Report(decided)
        }
    }

    /// How many reports are open.
    ///
    /// - Throws: `busy`, `storage`.
    package func openCount() async throws(Refusal) -> Int {
        try await dao.read { db in try db.value("SELECT count(*) FROM reports WHERE resolved_ms IS NULL") ?? 0 }
    }

    /// The reports that an account has sent, for its export.
    static func sent(
        by uid: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [ReportRecord] {
        try db.all(ReportRecord.self, "WHERE by_uid = \(uid) ORDER BY id")
    }

    /// Takes an account out of the reports that it has sent or decided. Those about it stay, since others must be able to
    /// decide them, without its words.
    static func erase(_ uid: UserID, in db: inout WriteAccess) throws {
        try db.execute("UPDATE reports SET by_uid = NULL, text = NULL WHERE by_uid = \(uid)")
        try db.execute("UPDATE reports SET resolved_by = NULL WHERE resolved_by = \(uid)")
        try db.execute("UPDATE reports SET quote = NULL WHERE uid = \(uid)")
    }
}
