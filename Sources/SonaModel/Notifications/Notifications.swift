internal import SonaBase
package import SonaDatabase
package import SonaWire

/// What accounts are told of: kept for a time, told to their connections once, and mailed to those who want that.
///
/// Source: Protocol/spec/notifications.md.
package final class Notifications: Sendable {
    /// How long one is kept.
    static let keptMilliseconds = Int64(Limits.notificationDays) * 86_400_000
    /// The budget that mails about notifications take from.
    static let mailBudget = "notification.mail"

    let dao: NotificationDAO
    private let clock: WallClock
    private let budgets: AccountBudgets
    private let mail: (@Sendable (AccountMail) -> Void)?
    private let handler = Monitor<(@Sendable ([UserID]) -> Void)?>(nil)
    let counted = Monitor(NotificationFigures())
    let keptCounts = KeptCounts(NotificationCounts())

    init(
        _ dao: NotificationDAO, budgets: AccountBudgets, mail: (@Sendable (AccountMail) -> Void)?, clock: WallClock
    ) {
        self.dao = dao
        self.budgets = budgets
        self.mail = mail
        self.clock = clock
    }

    /// Sets who is told that accounts have new notifications. On any thread; must not block.
    package func onPost(_ handler: @escaping @Sendable ([UserID]) -> Void) { self.handler.withLock { $0 = handler } }

    // MARK: Posting

    /// Writes a notification, in the transaction of what causes it. `tell` follows when that is committed.
    ///
    /// - Returns: `nil` if the account is not told of it: it is gone, wants none of this kind, has blocked the sender,
    ///   or was told already.
    package func post(
        _ new: NewNotification, to uid: UserID, in db: inout WriteAccess
    ) throws -> PostedNotification? {
        guard let user = try db.first(UserRecord.self, key: uid), new.from != uid else { return nil }
        let preference =
            try db.first(NotificationPreferenceRecord.self, key: .init(uid, new.kind))
            ?? NotificationPreferenceRecord(uid: uid, kind: new.kind.rawValue)
        guard preference.isShown else { return nil }
        if let from = new.from, try db.exists(BlockRecord.self, key: UserPair(uid, from)) { return nil }
        if let key = new.key,
            try db.exists("SELECT 1 FROM notifications WHERE uid = \(uid) AND key = \(key)")
        {
            return nil
        }
        try db.insert(
            NotificationRecord(
                number: nil, uid: uid, kind: new.kind.rawValue, key: new.key, from: new.from, room: new.room,
                track: new.track, album: new.album, playlist: new.playlist,
                title: Self.cut(new.title, to: Limits.notificationTitleBytes.upperBound), result: new.result,
                text: Self.cut(new.text, to: Limits.notificationTextBytes.upperBound),
                createdMilliseconds: clock.nowMilliseconds(), seconds: new.seconds))
        try db.execute(
            """
            DELETE FROM notifications WHERE uid = \(uid) AND number <= (SELECT number FROM notifications
                WHERE uid = \(uid) ORDER BY number DESC LIMIT 1 OFFSET \(Limits.notificationsMax))
            """)
        guard preference.isMailed, mail != nil, user.isEmailConfirmed, let email = user.email else {
            return PostedNotification(uid: uid, kind: new.kind, mail: nil)
        }
        let sender = try new.from.flatMap { try db.first(UserRecord.self, key: $0) }
        let locale = try db.first(SettingsRecord.self, key: uid)?.settings.locale ?? .englishUS
        let about = AccountMail.About(
            kind: new.kind, from: sender?.username, title: new.title, result: new.result, text: new.text)
        return PostedNotification(
            uid: uid, kind: new.kind,
            mail: AccountMail(to: email, subject: .notification(about), username: user.username, locale: locale))
    }

    /// Tells what was posted, after its transaction.
    package func tell(_ posted: [PostedNotification]) {
        guard !posted.isEmpty else { return }
        let now = clock.nowMilliseconds()
        var figures = NotificationFigures()
        for one in posted {
            figures.sent[one.kind, default: 0] += 1
            guard let letter = one.mail else { continue }
            guard (try? budgets.take(Self.mailBudget, one.uid, now: now)) != nil else {
                figures.mailsHeldBack += 1
                continue
            }
            mail?(letter)
            figures.mails += 1
        }
        counted.withLock { $0.add(figures) }
        handler.withLock { $0 }?(posted.map(\.uid))
    }

    /// Posts notifications that nothing else is written with, and tells them.
    ///
    /// - Throws: `busy`, `storage`.
    package func send(_ new: NewNotification, to receivers: [UserID]) async throws(Refusal) {
        tell(
            try await dao.write { [self] db in
                try receivers.compactMap { try post(new, to: $0, in: &db) }
            })
    }

    /// The beginning of a text, at most so many bytes of whole characters. `nil` for an empty one.
    private static func cut(_ text: String?, to bytesMax: Int) -> String? {
        guard var text, !text.isEmpty else { return nil }
        while text.utf8.count > bytesMax { text.removeLast(max(1, (text.utf8.count - bytesMax) / 4)) }
        return text
    }

    // MARK: Reading

    /// - Throws: `busy`, `storage`.
    package func page(of uid: UserID, _ request: NotificationsList) async throws(Refusal) -> NotificationPage {
        let limit = min(max(request.limit, 1), Int(Limits.notificationPageCount.upperBound))
        return try await dao.read { db in
            let unread: SQL = request.isUnread ? "AND n.read_ms IS NULL" : ""
            let found = try NotificationDAO.notifications(
                """
                WHERE n.uid = \(uid) AND n.number < \(request.before ?? .max) \(unread)
                ORDER BY n.number DESC LIMIT \(limit + 1)
                """, in: &db)
            let page = Array(found.prefix(limit))
            return NotificationPage(
                notifications: page, nextBefore: found.count > limit ? page.last?.id : nil,
                unreadCount: try NotificationDAO.unreadCount(of: uid, in: &db))
        }
    }

    /// - Returns: How many are left unread.
    /// - Throws: `busy`, `storage`.
    package func read(_ request: NotificationsRead, of uid: UserID) async throws(Refusal) -> Int {
        let now = clock.nowMilliseconds()
        return try await dao.write { db in
            let which: SQL =
                if let ids = request.ids {
                    "AND number IN (SELECT value FROM json_each(\(Self.list(ids))))"
                } else { "AND number <= \(request.through ?? .max)" }
            try db.execute(
                """
                UPDATE notifications SET read_ms = \(now), told = 1
                WHERE uid = \(uid) AND read_ms IS NULL \(which)
                """)
            return try NotificationDAO.unreadCount(of: uid, in: &db)
        }
    }

    /// - Returns: How many are left unread.
    /// - Throws: `busy`, `storage`.
    package func remove(_ ids: [Int64]?, of uid: UserID) async throws(Refusal) -> Int {
        try await dao.write { db in
            let which: SQL =
                if let ids {
                    "AND number IN (SELECT value FROM json_each(\(Self.list(ids))))"
                } else { "AND read_ms IS NOT NULL" }
            try db.execute("DELETE FROM notifications WHERE uid = \(uid) \(which)")
            return try NotificationDAO.unreadCount(of: uid, in: &db)
        }
    }

    private static func list(_ ids: [Int64]) -> String { "[" + ids.map(String.init).joined(separator: ",") + "]" }

    // MARK: Preferences

    /// - Throws: `busy`, `storage`.
    package func preferences(of uid: UserID) async throws(Refusal) -> NotificationPreferences {
        let sendsMail = mail != nil
        return try await dao.read { db in try Self.preferences(of: uid, sendsMail: sendsMail, in: &db) }
    }

    /// - Throws: `tokenInvalid` if the account is gone; `busy`, `storage`.
    package func configure(
        _ request: NotificationsConfigure, of uid: UserID
    ) async throws(Refusal) -> NotificationPreferences {
        let sendsMail = mail != nil
        return try await dao.write { db in
            var preference =
                try db.first(NotificationPreferenceRecord.self, key: .init(uid, request.kind))
                ?? NotificationPreferenceRecord(uid: uid, kind: request.kind.rawValue)
            preference.isShown = request.isShown ?? preference.isShown
            preference.isMailed = request.isMailed ?? preference.isMailed
            try db.upsert(preference)
            return try Self.preferences(of: uid, sendsMail: sendsMail, in: &db)
        }
    }

    private static func preferences(
        of uid: UserID, sendsMail: Bool, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> NotificationPreferences {
        let stored = try db.all(NotificationPreferenceRecord.self, "WHERE uid = \(uid)")
        let kinds = NotificationKind.allCases.map { kind in
            let known = stored.first { $0.kind == kind.rawValue }
            return NotificationPreference(
                kind: kind.rawValue, isShown: known?.isShown ?? true, isMailed: known?.isMailed ?? false)
        }
        let isConfirmed = try db.first(UserRecord.self, key: uid)?.isEmailConfirmed ?? false
        return NotificationPreferences(kinds: kinds, canMail: sendsMail && isConfirmed)
    }

    // MARK: Telling connections

    /// Takes the notifications that no connection of the account was told of: the caller tells them.
    ///
    /// - Returns: The newest of them that were not read, the oldest first, and how many are unread. Empty if there is
    ///   nothing to tell.
    /// - Throws: `busy`, `storage`.
    package func takeUntold(
        of uid: UserID
    ) async throws(Refusal) -> (notifications: [Notification], unreadCount: Int) {
        let hasAny = try await dao.read { db in
            try db.exists("SELECT 1 FROM notifications WHERE uid = \(uid) AND told = 0")
        }
        guard hasAny else { return ([], 0) }
        return try await dao.write { db in
            let found = try NotificationDAO.notifications(
                """
                WHERE n.uid = \(uid) AND n.told = 0 AND n.read_ms IS NULL
                ORDER BY n.number DESC LIMIT \(Limits.notificationsToldMax)
                """, in: &db)
            try db.execute("UPDATE notifications SET told = 1 WHERE uid = \(uid) AND told = 0")
            return (found.reversed(), try NotificationDAO.unreadCount(of: uid, in: &db))
        }
    }

    /// Notes that notifications were taken and told to nobody: the account's connections had ended.
    ///
    /// - Throws: `busy`, `storage`.
    package func returnUntold(_ notifications: [Notification], of uid: UserID) async throws(Refusal) {
        let ids = Self.list(notifications.map(\.id))
        try await dao.write { db -> Void in
            try db.execute(
                """
                UPDATE notifications SET told = 0
                WHERE uid = \(uid) AND number IN (SELECT value FROM json_each(\(ids)))
                """)
        }
    }

    // MARK: Accounts

    /// The notifications and preferences of an account, for its export.
    static func exported(
        _ uid: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> (notifications: [Notification], preferences: [NotificationPreference]) {
        let notifications = try NotificationDAO.notifications("WHERE n.uid = \(uid) ORDER BY n.number DESC", in: &db)
        return (notifications, try preferences(of: uid, sendsMail: false, in: &db).kinds)
    }
}
