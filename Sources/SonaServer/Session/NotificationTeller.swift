internal import SonaModel
internal import SonaWire

/// Tells connections of an account of what it has not been told of: when there is something new, and when a connection
/// comes. One after the other, so that nothing is told twice.
///
/// Source: Protocol/spec/notifications.md, "notification.added".
final class NotificationTeller: Sendable {
    private let notifications: Notifications
    private let accounts: AsyncStream<[UserID]>
    private let continuation: AsyncStream<[UserID]>.Continuation

    init(_ notifications: Notifications) {
        self.notifications = notifications
        (accounts, continuation) = AsyncStream.makeStream()
        notifications.onPost { [continuation] in continuation.yield($0) }
    }

    /// Has the accounts told soon. Any thread.
    func tell(_ accounts: [UserID]) { continuation.yield(accounts) }

    /// Tells until the task is cancelled.
    func run(on shard: Shard) async {
        for await asked in accounts {
            let present = await shard.perform { core in asked.filter { core.hasConnection(of: $0) } }
            for uid in present { await tell(uid, on: shard) }
        }
    }

    /// A failure is ignored: what was not told is in the account's list.
    private func tell(_ uid: UserID, on shard: Shard) async {
        guard let (new, unread) = try? await notifications.takeUntold(of: uid), !new.isEmpty else { return }
        let events = new.enumerated().map { index, notification in
            NotificationAdded(notification: notification, unreadCount: max(0, unread - (new.count - 1 - index)))
        }
        let isTold = await shard.perform { core in core.tellConnections(of: uid, events) }
        // The last connection ended a moment ago.
        if !isTold { try? await notifications.returnUntold(new, of: uid) }
    }
}

extension ShardCore {
    /// Whether an account that is not a guest has a connection.
    func hasConnection(of uid: UserID) -> Bool {
        sessions(of: uid).contains { !$0.isAway && $0.account?.isGuest == false }
    }

    /// Sends events to every connection of an account, and keeps nothing for sessions that are away, unlike `tell`: those
    /// events are in the account's list, and a client that is away may never come back for what it missed.
    ///
    /// - Returns: Whether there was a connection.
    func tellConnections(of uid: UserID, _ events: [some WireEvent]) -> Bool {
        let sessions = sessions(of: uid).filter { !$0.isAway }
        for event in events { for session in sessions { session.send(event) } }
        return !sessions.isEmpty
    }
}
