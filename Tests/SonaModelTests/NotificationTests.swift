import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// What accounts are told of: once, for as long as it is kept, and as they want it.
struct NotificationTests {
    private func list(_ fixture: PeopleFixture, _ name: String) async throws -> [SonaWire.Notification] {
        try await fixture.model.notifications.page(of: fixture[name], NotificationsList(limit: 100)).notifications
    }

    private func shared(_ title: String, from: UserID? = nil, key: String? = nil) -> NewNotification {
        var new = NewNotification(.shared, from: from, key: key)
        new.title = title
        return new
    }

    @Test func `a new follower is told once, however often they stop and begin`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        let told = Monitor<[UserID]>([])
        fixture.model.notifications.onPost { uids in told.withLock { $0 += uids } }
        try await fixture.follow("bob", "ada")
        _ = try await fixture.people.unfollow(fixture.user("ada"), fixture["bob"])
        try await fixture.follow("bob", "ada")
        let found = try await list(fixture, "ada")
        #expect(found.map(\.kind) == ["follower"])
        #expect(found.first?.from?.uid == fixture["bob"] && found.first?.isRead == false)
        #expect(told.withLock { $0 } == [fixture["ada"]])
        await fixture.model.close()
    }

    @Test func `nothing comes from the blocked, nor of a kind that is switched off`() async throws {
        let fixture = try await PeopleFixture("ada", "bob", "cyd")
        let notifications = fixture.model.notifications
        try await fixture.follow("bob", "ada")
        try await fixture.block("ada", "bob")
        // The block removed what there was.
        #expect(try await list(fixture, "ada").isEmpty)
        try await notifications.send(shared("Harbour", from: fixture["bob"]), to: [fixture["ada"]])
        #expect(try await list(fixture, "ada").isEmpty)
        let kinds = try await notifications.configure(
            NotificationsConfigure(kind: .follower, isShown: false), of: fixture["ada"]
        ).kinds
        #expect(kinds.first { $0.kind == "follower" }?.isShown == false)
        #expect(kinds.filter(\.isShown).count == NotificationKind.allCases.count - 1)
        try await fixture.follow("cyd", "ada")
        #expect(try await list(fixture, "ada").isEmpty)
        try await notifications.send(shared("Harbour", from: fixture["cyd"]), to: [fixture["ada"]])
        #expect(try await list(fixture, "ada").map(\.title) == ["Harbour"])
        await fixture.model.close()
    }

    @Test func `what was told to nobody is taken once, the oldest first`() async throws {
        let fixture = try await PeopleFixture("ada")
        let (notifications, ada) = (fixture.model.notifications, fixture["ada"])
        for title in ["One", "Two", "Three"] { try await notifications.send(shared(title), to: [ada]) }
        let first = try await notifications.takeUntold(of: ada)
        #expect(first.notifications.map(\.title) == ["One", "Two", "Three"] && first.unreadCount == 3)
        #expect(try await notifications.takeUntold(of: ada).notifications.isEmpty)
        try await notifications.returnUntold(Array(first.notifications.suffix(1)), of: ada)
        #expect(try await notifications.takeUntold(of: ada).notifications.map(\.title) == ["Three"])
        // What was read meanwhile needs no telling.
        try await notifications.send(shared("Four"), to: [ada])
        #expect(try await notifications.read(NotificationsRead(), of: ada) == 0)
        #expect(try await notifications.takeUntold(of: ada).notifications.isEmpty)
        await fixture.model.close()
    }

    @Test func `reading and removing are one's own, by number, up to a number, or of all`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        let (notifications, ada) = (fixture.model.notifications, fixture["ada"])
        for number in 1...5 { try await notifications.send(shared("\(number)"), to: [ada, fixture["bob"]]) }
        let ids = try await list(fixture, "ada").map(\.id)
        #expect(try await notifications.read(NotificationsRead(ids: [ids[0], 999_999]), of: ada) == 4)
        #expect(try await notifications.read(NotificationsRead(through: ids[3]), of: ada) == 2)
        // Those of somebody else stay as they are.
        #expect(try await notifications.read(NotificationsRead(ids: ids), of: fixture["bob"]) == 5)
        let unread = try await notifications.page(of: ada, NotificationsList(isUnread: true, limit: 1))
        #expect(unread.notifications.map(\.id) == [ids[1]] && unread.nextBefore == ids[1] && unread.unreadCount == 2)
        #expect(try await notifications.remove([ids[1]], of: ada) == 1)
        #expect(try await notifications.remove(nil, of: ada) == 1)
        #expect(try await list(fixture, "ada").map(\.id) == [ids[2]])
        #expect(try await list(fixture, "bob").count == 5)
        await fixture.model.close()
    }

    @Test func `the newest are kept, for as long as the protocol says`() async throws {
        let fixture = try await PeopleFixture("ada")
        let (notifications, ada) = (fixture.model.notifications, fixture["ada"])
        for number in 1...Limits.notificationsMax + 1 { try await notifications.send(shared("\(number)"), to: [ada]) }
        let page = try await notifications.page(of: ada, NotificationsList(limit: 1))
        #expect(page.unreadCount == Limits.notificationsMax && page.notifications.first?.title == "501")
        fixture.calendar.advance(seconds: Int64(Limits.notificationDays) * 86_400 - 60)
        try await fixture.model.upkeep.round()
        #expect(try await list(fixture, "ada").count == 100)
        fixture.calendar.advance(seconds: 61)
        try await fixture.model.upkeep.round()
        #expect(try await list(fixture, "ada").isEmpty)
        await fixture.model.close()
    }

    @Test func `figures count what is kept, read or not, and only what was told`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        let (notifications, ada) = (fixture.model.notifications, fixture["ada"])
        _ = try await notifications.configure(NotificationsConfigure(kind: .purchase, isShown: false), of: ada)
        for title in ["One", "Two", "Three"] { try await notifications.send(shared(title), to: [ada, fixture["bob"]]) }
        try await notifications.send(NewNotification(.purchase), to: [ada])
        let first = try #require(try await list(fixture, "ada").last)
        _ = try await notifications.read(NotificationsRead(ids: [first.id]), of: ada)
        #expect(notifications.figures == NotificationFigures(sent: [.shared: 6]))
        #expect(await notifications.counts() == NotificationCounts(unread: 5, read: 1))
        // Counted again only after a while.
        _ = try await notifications.remove(nil, of: ada)
        #expect(await notifications.counts() == NotificationCounts(unread: 5, read: 1))
        await fixture.model.close()
    }

    @Test func `followers of a host are told of a public room, once an hour at most`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        try await fixture.add((0..<450).map { "fan\($0)" }, followers: "ada")
        let (rooms, history) = (fixture.model.rooms, fixture.model.roomStorage.history)
        func live(_ room: RoomID) async throws {
            try await history.append(
                Track(title: "Harbour"), at: fixture.calendar.clock.nowMilliseconds(), host: fixture["ada"],
                beginsBroadcast: true, to: room)
        }
        let hidden = try await rooms.create(
            RoomSettings(title: "Hidden", visibility: .private), owner: fixture["ada"]
        ).id
        try await live(hidden)
        #expect(try await list(fixture, "fan0").isEmpty)
        let room = try await rooms.create(RoomSettings(title: "Late"), owner: fixture["ada"]).id
        try await live(room)
        for name in ["fan0", "fan199", "fan200", "fan449"] {
            let found = try await list(fixture, name)
            #expect(found.map(\.title) == ["Late"] && found.first?.room == room, "\(name)")
        }
        #expect(try await list(fixture, "bob").isEmpty)
        // On air again soon after, and an hour later.
        fixture.calendar.advance(seconds: 3_000)
        try await live(room)
        #expect(try await list(fixture, "fan0").count == 1)
        fixture.calendar.advance(seconds: 3_601)
        try await live(room)
        #expect(try await list(fixture, "fan0").count == 2)
        await fixture.model.close()
    }

    @Test func `mail is sent to a confirmed address, of a kind that is wanted by mail`() async throws {
        let (folder, mail) = (TemporaryFolder(), Mailbox())
        let model = try await Model.opened(folder, mail: mail)
        let ada = try await model.accounts.signUp("ada").account.uid
        let notifications = model.notifications
        let preferences = try await notifications.configure(
            NotificationsConfigure(kind: .shared, isMailed: true), of: ada)
        #expect(!preferences.canMail)
        try await notifications.send(shared("Unconfirmed"), to: [ada])
        try await Model.execute("UPDATE users SET email_confirmed = 1 WHERE uid = \(ada)", in: folder)
        #expect(try await notifications.preferences(of: ada).canMail)
        try await notifications.send(shared("Harbour"), to: [ada])
        try await notifications.send(NewNotification(.purchase), to: [ada])
        let titles = mail.all.compactMap { mail in
            if case .notification(let about) = mail.subject { about.title } else { nil }
        }
        #expect(titles == ["Harbour"])
        // Twenty at once.
        for number in 2...25 { try await notifications.send(shared("\(number)"), to: [ada]) }
        #expect(mail.all.count { if case .notification = $0.subject { true } else { false } } == 20)
        let figures = notifications.figures
        #expect(figures.sent == [.shared: 26, .purchase: 1])
        #expect(figures.mails == 20 && figures.mailsHeldBack == 5)
        await model.close()
    }

    @Test func `an account's notifications go with it, and with whom they came from`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        try await fixture.befriend("ada", "bob")
        #expect(try await list(fixture, "ada").count == 1)
        let account = try await fixture.model.accounts.signIn("bob").account
        let export = try await fixture.model.accounts.export(account)
        let exported = export.data["notifications"]?.array
        #expect(exported?.count == 1 && exported?.first?["kind"]?.string == "follower")
        #expect(export.data["notification_preferences"]?.array?.count == NotificationKind.allCases.count)
        try await fixture.model.accounts.remove(account, code: export.code)
        #expect(try await list(fixture, "ada").isEmpty)
        #expect(try await Model.rowCounts(fixture.folder)["notifications"] == 0)
        await fixture.model.close()
    }
}
