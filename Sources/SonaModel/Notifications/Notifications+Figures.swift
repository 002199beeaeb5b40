internal import SonaBase
internal import SonaDatabase
package import SonaWire

/// What accounts were told of since the server began.
package struct NotificationFigures: Sendable, Equatable {
    /// Notifications by kind.
    package var sent: [NotificationKind: UInt64] = [:]
    /// Mails about them that were handed to the mailer.
    package var mails: UInt64 = 0
    /// Mails that were wanted and not sent: the account had too many.
    package var mailsHeldBack: UInt64 = 0

    mutating func add(_ others: NotificationFigures) {
        sent.merge(others.sent, uniquingKeysWith: +)
        mails += others.mails
        mailsHeldBack += others.mailsHeldBack
    }
}

/// Notifications that are kept.
package struct NotificationCounts: Sendable, Equatable {
    package var unread = 0
    package var read = 0
}

extension Notifications {
    /// On any thread.
    package var figures: NotificationFigures { counted.withLock { $0 } }

    /// How many are kept; those of before if they can't be counted now.
    package func counts() async -> NotificationCounts {
        await keptCounts.counts { [dao] in
            try await dao.read { db in
                var counts = NotificationCounts()
                try db.forEach("SELECT read_ms IS NULL, count(*) FROM notifications GROUP BY 1") { row in
                    let isUnread: Bool = try row.next()
                    let count: Int = try row.next()
                    if isUnread { counts.unread = count } else { counts.read = count }
                    return true
                }
                return counts
            }
        }
    }
}
