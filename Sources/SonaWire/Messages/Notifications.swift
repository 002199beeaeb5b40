extension Catalogue {
    /// What an account is told of.
    ///
    /// Source: Protocol/spec/notifications.md.
    static let notifications = Area(
        "notifications",
        requests: [
            NotificationsList.self, NotificationsRead.self, NotificationsRemove.self, NotificationsPreferences.self,
            NotificationsConfigure.self,
        ],
        events: [NotificationAdded.self, NotificationsChanged.self])
}

extension Limits {
    /// The feature that announces notifications.
    public static let notificationsFeature = "notifications"
    /// Bytes of the kind of a notification, and of its result.
    public static let notificationWordBytes = 1...32
    /// Bytes of a name in a notification: of a track, a room or a playlist.
    public static let notificationTitleBytes = 1...500
    /// Bytes of what somebody wrote to it.
    public static let notificationTextBytes = 1...1_000
    /// Notifications in one page.
    public static let notificationPageCount: ClosedRange<Int64> = 1...100
    /// Notifications in one page if the request says nothing.
    public static let notificationPageCountDefault = 50
    /// Notifications of one account. Beyond that the oldest are forgotten.
    public static let notificationsMax = 500
    /// Days for which a notification is kept.
    public static let notificationDays = 90
    /// Notifications that one event each tells a client of when it comes back.
    public static let notificationsToldMax = 100
    /// Notifications that one request names.
    public static let notificationIDsCount = 1...500
}

/// The kinds of notifications that this revision knows, which are also what somebody can switch off.
///
/// Source: Protocol/spec/notifications.md, "Kinds".
public enum NotificationKind: String, CaseIterable, Sendable {
    /// A track that one submitted was approved or rejected.
    case submissionDecided = "submission_decided"
    /// Somebody whom one follows is live in a public room.
    case hostLive = "host_live"
    /// A public room of somebody whom one follows opens, by its schedule.
    case roomOpens = "room_opens"
    /// One is asked to host a slot of a room.
    case djAsked = "dj_asked"
    /// Somebody has answered whether they host a slot of one's room.
    case djAnswered = "dj_answered"
    /// A slot that one hosts begins soon.
    case djSoon = "dj_soon"
    /// A slot that one hosts has begun.
    case djNow = "dj_now"
    /// Somebody follows one.
    case follower
    /// Somebody shares a track, an album, a playlist or a room with one.
    case shared
    /// Something that one bought.
    case purchase
    /// An import has ended.
    case importFinished = "import_finished"
    /// A track of one's own was taken down.
    case trackTakenDown = "track_taken_down"
    /// A service no longer takes what one hears: one has to connect it anew.
    case scrobblingRefused = "scrobbling_refused"
}

// MARK: - Objects

/// Something an account is told of.
///
/// Source: Protocol/spec/notifications.md, "Notification".
public struct Notification: DeclaredObject, Hashable {
    /// Grows; of one account and of all.
    public var id: Int64
    /// A word of an open list: see `NotificationKind`.
    public var kind: String
    /// Whom it comes from; `nil` for the server.
    public var from: User?
    public var room: RoomID?
    public var track: MusicID?
    public var album: MusicID?
    public var playlist: MusicID?
    /// The name of what it is about, as it was then.
    public var title: String?
    /// How something ended: a word of an open list, such as `approved`.
    public var result: String?
    /// What somebody wrote, such as the reason of a decision.
    public var text: String?
    /// Milliseconds since 1970, UTC.
    public var createdMilliseconds: Int64
    public var isRead: Bool
    /// The moment of the track that it is about, in seconds from its beginning. `nil`: the track as a whole.
    public var seconds: Int?

    public init(
        id: Int64, kind: String, from: User? = nil, room: RoomID? = nil, track: MusicID? = nil, album: MusicID? = nil,
        playlist: MusicID? = nil, title: String? = nil, result: String? = nil, text: String? = nil,
        createdMilliseconds: Int64, isRead: Bool, seconds: Int? = nil
    ) {
        self.id = id
        self.kind = kind
        self.from = from
        self.room = room
        self.track = track
        self.album = album
        self.playlist = playlist
        self.title = title
        self.result = result
        self.text = text
        self.createdMilliseconds = createdMilliseconds
        self.isRead = isRead
        self.seconds = seconds
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member("kind", \Self.kind, .line(bytes: Limits.notificationWordBytes)),
        Member(nullable: "from", \Self.from, .object),
        Member(nullable: "room", \Self.room, .roomID),
        Member(nullable: "track", \Self.track, .musicID),
        Member(nullable: "album", \Self.album, .musicID),
        Member(nullable: "playlist", \Self.playlist, .musicID),
        Member(nullable: "title", \Self.title, .line(bytes: Limits.notificationTitleBytes)),
        Member(nullable: "result", \Self.result, .line(bytes: Limits.notificationWordBytes)),
        Member(nullable: "text", \Self.text, .text(bytes: Limits.notificationTextBytes)),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member("read", \Self.isRead, .flag),
        Member(optional: "at_s", \Self.seconds, .integer(Limits.momentSeconds)),
        make: Self.init)
}

/// What becomes of notifications of a kind.
///
/// Source: Protocol/spec/notifications.md, "notifications.preferences".
public struct NotificationPreference: DeclaredObject, Hashable {
    /// A word of `NotificationKind`, or of a later one.
    public var kind: String
    /// Whether they are kept and told.
    public var isShown: Bool
    /// Whether they are also sent to the confirmed address of the account.
    public var isMailed: Bool

    public init(kind: String, isShown: Bool = true, isMailed: Bool = false) {
        self.kind = kind
        self.isShown = isShown
        self.isMailed = isMailed
    }

    public static let declaration = Declaration(
        Member("kind", \Self.kind, .line(bytes: Limits.notificationWordBytes)),
        Member("show", \Self.isShown, .flag),
        Member("mail", \Self.isMailed, .flag),
        make: Self.init)
}

// MARK: - Requests

/// `notifications.list`: one's notifications, the newest first.
///
/// Source: Protocol/spec/notifications.md, "notifications.list".
public struct NotificationsList: DeclaredRequest {
    public typealias Response = NotificationPage
    public static let type = "notifications.list"
    public static let permission: Permission? = .accountManage

    /// Only those that were not read.
    public var isUnread: Bool
    /// Only those of a smaller `id`: `nextBefore` of the page before.
    public var before: Int64?
    /// 1 to 100.
    public var limit: Int

    public init(isUnread: Bool = false, before: Int64? = nil, limit: Int = Limits.notificationPageCountDefault) {
        self.isUnread = isUnread
        self.before = before
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("unread", \Self.isUnread, .flag, default: false),
        Member(optional: "before", \Self.before, .number),
        Member(
            "limit", \Self.limit, .integer(Limits.notificationPageCount), default: Limits.notificationPageCountDefault),
        make: Self.init)
}

/// The answer to `notifications.list`.
public struct NotificationPage: DeclaredObject, Equatable {
    public var notifications: [Notification]
    /// What to ask with as `before` for the page after; `nil` on the last page.
    public var nextBefore: Int64?
    /// How many of all were not read.
    public var unreadCount: Int

    public init(notifications: [Notification], nextBefore: Int64?, unreadCount: Int) {
        self.notifications = notifications
        self.nextBefore = nextBefore
        self.unreadCount = unreadCount
    }

    public static let declaration = Declaration(
        Member("notifications", \Self.notifications, .objects()),
        Member(nullable: "next_before", \Self.nextBefore, .number),
        Member("unread", \Self.unreadCount, .count),
        make: Self.init)
}

/// `notifications.read`: says that notifications were read.
///
/// Source: Protocol/spec/notifications.md, "notifications.read".
public struct NotificationsRead: DeclaredRequest {
    public typealias Response = UnreadNotifications
    public static let type = "notifications.read"
    public static let permission: Permission? = .accountManage

    /// These; those that are not there are passed over.
    public var ids: [Int64]?
    /// Those up to this one. With neither: all.
    public var through: Int64?

    public init(ids: [Int64]? = nil, through: Int64? = nil) {
        self.ids = ids
        self.through = through
    }

    public static let declaration = Declaration(
        Member(optional: "ids", \Self.ids, .notificationIDs),
        Member(optional: "through", \Self.through, .number),
        make: Self.init)
}

/// `notifications.remove`: forgets notifications.
///
/// Source: Protocol/spec/notifications.md, "notifications.remove".
public struct NotificationsRemove: DeclaredRequest {
    public typealias Response = UnreadNotifications
    public static let type = "notifications.remove"
    public static let permission: Permission? = .accountManage

    /// These; those that are not there are passed over. `nil`: all that were read.
    public var ids: [Int64]?

    public init(ids: [Int64]? = nil) { self.ids = ids }

    public static let declaration = Declaration(
        Member(optional: "ids", \Self.ids, .notificationIDs), make: Self.init)
}

/// How many notifications were not read.
public struct UnreadNotifications: DeclaredObject, Equatable {
    public var unreadCount: Int

    public init(unreadCount: Int) { self.unreadCount = unreadCount }

    public static let declaration = Declaration(Member("unread", \Self.unreadCount, .count), make: Self.init)
}

/// `notifications.preferences`: what becomes of notifications of each kind.
///
/// Source: Protocol/spec/notifications.md, "notifications.preferences".
public struct NotificationsPreferences: FieldlessRequest {
    public typealias Response = NotificationPreferences
    public static let type = "notifications.preferences"
    public static let permission: Permission? = .accountManage

    public init() {}
}

/// `notifications.configure`: changes what becomes of notifications of a kind.
///
/// Source: Protocol/spec/notifications.md, "notifications.configure".
public struct NotificationsConfigure: DeclaredRequest {
    public typealias Response = NotificationPreferences
    public static let type = "notifications.configure"
    public static let permission: Permission? = .accountManage

    public var kind: NotificationKind
    /// `nil`: as before.
    public var isShown: Bool?
    public var isMailed: Bool?

    public init(kind: NotificationKind, isShown: Bool? = nil, isMailed: Bool? = nil) {
        self.kind = kind
        self.isShown = isShown
        self.isMailed = isMailed
    }

    public static let declaration = Declaration(
        Member("kind", \Self.kind, .word),
        Member(optional: "show", \Self.isShown, .flag),
        Member(optional: "mail", \Self.isMailed, .flag),
        make: Self.init)
}

/// The answer to `notifications.preferences` and `notifications.configure`.
public struct NotificationPreferences: DeclaredObject, Equatable {
    /// Of each kind that the server knows.
    public var kinds: [NotificationPreference]
    /// Whether mail can reach the account: the server sends mail, and the address is confirmed.
    public var canMail: Bool

    public init(kinds: [NotificationPreference], canMail: Bool) {
        self.kinds = kinds
        self.canMail = canMail
    }

    public static let declaration = Declaration(
        Member("kinds", \Self.kinds, .objects()), Member("can_mail", \Self.canMail, .flag), make: Self.init)
}

extension Form where Value == [Int64] {
    fileprivate static var notificationIDs: Form {
        .integers(1...Limits.integerMax, count: Limits.notificationIDsCount)
    }
}

// MARK: - Events

/// `notification.added`: a notification is new, or came while the account had no connection. To all connections of the
/// account, once.
///
/// Source: Protocol/spec/notifications.md, "notification.added".
public struct NotificationAdded: DeclaredEvent {
    public static let type = "notification.added"
    public static let scope = EventScope.personal

    public var notification: Notification
    public var unreadCount: Int

    public init(notification: Notification, unreadCount: Int) {
        self.notification = notification
        self.unreadCount = unreadCount
    }

    public static let declaration = Declaration(
        Member("notification", \Self.notification, .object), Member("unread", \Self.unreadCount, .count),
        make: Self.init)
}

/// `notifications.changed`: notifications were read or forgotten, over any connection of the account.
///
/// Source: Protocol/spec/notifications.md, "notifications.changed".
public struct NotificationsChanged: DeclaredEvent {
    public static let type = "notifications.changed"
    public static let scope = EventScope.personal

    public var unreadCount: Int

    public init(unreadCount: Int) { self.unreadCount = unreadCount }

    public static let declaration = Declaration(Member("unread", \Self.unreadCount, .count), make: Self.init)
}
