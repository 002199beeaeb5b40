internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct NotificationCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "Shows what your account is told of.",
        subcommands: [
            NotificationListCommand.self, NotificationReadCommand.self, NotificationRemoveCommand.self,
            NotificationPreferencesCommand.self, NotificationConfigureCommand.self,
        ], defaultSubcommand: NotificationListCommand.self)
}

struct NotificationListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists notifications, the newest first.",
        discussion: "A line for each: number, time, whether it is new, kind, user, title, result, text.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Only those that were not read.") var unread = false
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"notifications\": […]}.") var json = false

    func run() async throws {
        let (notifications, hasMore) = try await global.withClient(.account) { client in
            try await list.collect(pageMax: Int(Limits.notificationPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(
                    NotificationsList(isUnread: unread, before: cursor.flatMap { Int64($0) }, limit: limit))
                return (page.notifications, page.nextBefore.map { String($0) })
            }
        }
        if json { return Console.out { $0.member("notifications", notifications) } }
        for notification in notifications { Console.out(notification.line) }
        list.tell(hasMore: hasMore)
    }
}

struct NotificationReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Marks notifications as read: these, or all of them.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Their numbers. Without any: all.") var numbers: [Int64] = []

    func run() async throws {
        let ids = numbers.isEmpty ? nil : numbers
        let left = try await global.withClient(.account) { try await $0.call(NotificationsRead(ids: ids)) }
        Console.out("\(left.unreadCount)")
    }
}

struct NotificationRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes notifications: these, or all that were read.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Their numbers. Without any: all that were read.") var numbers: [Int64] = []

    func run() async throws {
        let ids = numbers.isEmpty ? nil : numbers
        let left = try await global.withClient(.account) { try await $0.call(NotificationsRemove(ids: ids)) }
        Console.out("\(left.unreadCount)")
    }
}

struct NotificationPreferencesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences", abstract: "Shows of what your account is told, and of what by mail.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func run() async throws {
        let found = try await global.withClient(.account) { try await $0.call(NotificationsPreferences()) }
        found.show(json: json)
    }
}

struct NotificationConfigureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configure", abstract: "Changes of what your account is told, and of what by mail.",
        discussion:
            "  sonactl notifications configure follower --no-show\n  sonactl notifications configure host_live --mail")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "A kind of notifications, as sonactl notifications preferences shows them.")
    var kind: NotificationKind
    @Flag(inversion: .prefixedNo, help: "Whether they are kept and told.") var show: Bool?
    @Flag(inversion: .prefixedNo, help: "Whether they are sent by mail as well.") var mail: Bool?
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func run() async throws {
        let found = try await global.withClient(.account) {
            try await $0.call(NotificationsConfigure(kind: kind, isShown: show, isMailed: mail))
        }
        found.show(json: json)
    }
}

extension NotificationPreferences {
    fileprivate func show(json: Bool) {
        if json { return Console.out(String(decoding: encoded(), as: UTF8.self)) }
        var table = Table()
        for kind in kinds { table.add(kind.kind, kind.isShown ? "shown" : "off", kind.isMailed ? "mailed" : "") }
        table.show()
        if !canMail, kinds.contains(where: \.isMailed) {
            Console.say("Nothing is mailed: the server sends no mail, or your address was not confirmed.")
        }
    }
}

extension SonaWire.Notification {
    fileprivate var line: String {
        let user = from.map { user in user.username.map { "@\($0.rawValue)" } ?? user.uid.rawValue }
        let parts = [
            "\(id)", UTC.text(milliseconds: createdMilliseconds), isRead ? nil : "new", kind, user, title, result, text,
        ]
        return Console.printable(parts.compactMap { $0 }.joined(separator: "  "))
    }
}
