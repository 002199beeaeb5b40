internal import SonaModel
internal import SonaWire

/// `notifications.*`.
struct NotificationMethods: MethodArea {
    let notifications: Notifications
    let shard: Shard

    static func area(of methods: Methods) -> NotificationMethods { methods.notifications }

    static var methods: [Method] {
        [signedIn(list), signedIn(read), signedIn(remove), signedIn(preferences), signedIn(configure)]
    }

    func list(_ request: NotificationsList, _ asker: Asker) async throws -> NotificationPage {
        try await notifications.page(of: asker.uid, request)
    }

    func read(_ request: NotificationsRead, _ asker: Asker) async throws -> UnreadNotifications {
        await changed(try await notifications.read(request, of: asker.uid), of: asker.uid)
    }

    func remove(_ request: NotificationsRemove, _ asker: Asker) async throws -> UnreadNotifications {
        await changed(try await notifications.remove(request.ids, of: asker.uid), of: asker.uid)
    }

    func preferences(_ request: NotificationsPreferences, _ asker: Asker) async throws -> NotificationPreferences {
        try await notifications.preferences(of: asker.uid)
    }

    func configure(_ request: NotificationsConfigure, _ asker: Asker) async throws -> NotificationPreferences {
        try await notifications.configure(request, of: asker.uid)
    }

    /// Tells the account's connections how many are unread.
    private func changed(_ unread: Int, of uid: UserID) async -> UnreadNotifications {
        await shard.perform { core in _ = core.tellConnections(of: uid, [NotificationsChanged(unreadCount: unread)]) }
        return UnreadNotifications(unreadCount: unread)
    }
}
