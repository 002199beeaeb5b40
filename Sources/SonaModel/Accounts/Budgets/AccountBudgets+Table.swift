extension AccountBudgets {
    private static let second: Int64 = 1_000
    private static let minute = 60 * second
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// Journal lines that all moderation of one account may cause, because the journal never shrinks. 1 000 at once and
    /// 4 320 a day are 1.2 MB. Sign-ins have their own budget, so that a busy moderator can still sign in.
    static let journalLines = Budget(1_000, thenPer: 20 * second)

    /// The types of requests that also take from `journalLines`.
    static let journaled: Set<String> = [
        "auth.sign_out_everywhere", "auth.change_password", "username.claim", "username.change", "room.set_standing",
        "room.kick", "room.ban", "room.unban", "room.mute", "room.unmute", "invite.revoke", "chat.delete",
        "room.accept_transfer", "app_password.create", "app_password.revoke",
    ]

    /// The budgets per account or guest, for requests that write or take long. `deploy/limits.md` shows this table.
    ///
    /// A request without a line here only reads a little. A person at a keyboard stays below these budgets; a program
    /// in a loop reaches them.
    package static let table: [String: Budget] = [
        // Sign-ins. Each one is a row for 60 days and a line of the journal.
        "auth.refresh": Budget(6, thenPer: 10 * second),
        "auth.sign_in": Budget(60, thenPer: minute),
        "auth.sign_out_everywhere": Budget(10, thenPer: minute),
        "auth.reauthenticate": Budget(30, thenPer: 10 * second),
        "auth.change_password": Budget(10, thenPer: 10 * minute),
        "auth.request_confirmation": Budget(10, thenPer: 10 * minute),
        "auth.change_email": Budget(10, thenPer: 10 * minute),
        "app_password.create": Budget(20, thenPer: 10 * minute),
        "app_password.revoke": Budget(60, thenPer: 10 * second),
        "account.export": Budget(6, thenPer: 15 * minute),
        "account.remove": Budget(10, thenPer: minute),
        // Usernames. A name that is given up is held for its former owner.
        "username.claim": Budget(10, thenPer: minute),
        "username.change": Budget(5, thenPer: day, 3),
        // Profile, settings and people.
        "profile.update": Budget(240, thenPer: second),
        "settings.update": Budget(240, thenPer: second),
        "photo.set": Budget(30, thenPer: minute),
        "photo.remove": Budget(20, thenPer: minute),
        "people.follow": Budget(100, thenPer: 2 * second),
        "people.unfollow": Budget(100, thenPer: 2 * second),
        "people.block": Budget(60, thenPer: 5 * second),
        "people.unblock": Budget(60, thenPer: 5 * second),
        // Notifications.
        "notifications.read": Budget(240, thenPer: second, 2),
        "notifications.remove": Budget(120, thenPer: second),
        "notifications.configure": Budget(120, thenPer: second),
        "notification.mail": Budget(20, thenPer: hour),
        // Rooms. A closed room is kept for a while.
        "room.create": Budget(24, thenPer: hour, 20),
        "room.close": Budget(24, thenPer: minute),
        "room.update": Budget(240, thenPer: second, 2),
        "room.set_picture": Budget(30, thenPer: minute),
        "room.add_cover": Budget(120, thenPer: 10 * second),
        "room.remove_picture": Budget(20, thenPer: minute),
        "room.transfer": Budget(20, thenPer: minute),
        "room.accept_transfer": Budget(20, thenPer: minute),
        "room.refuse_transfer": Budget(60, thenPer: 10 * second),
        "rooms.move": Budget(200, thenPer: second),
        "invite.create": Budget(60, thenPer: 10 * second),
        "invite.revoke": Budget(60, thenPer: 10 * second),
        "room.admit": Budget(200, thenPer: second),
        "room.deny": Budget(200, thenPer: second),
        "room.set_standing": Budget(60, thenPer: 5 * second),
        "room.kick": Budget(60, thenPer: 5 * second),
        "room.ban": Budget(60, thenPer: 5 * second),
        "room.unban": Budget(60, thenPer: 5 * second),
        "room.mute": Budget(60, thenPer: 5 * second),
        "room.unmute": Budget(60, thenPer: 5 * second),
        // Chat. Each room also limits each person to five messages in ten seconds.
        "chat.send": Budget(40, thenPer: second),
        "chat.edit": Budget(20, thenPer: second),
        "chat.delete": Budget(60, thenPer: second),
        // The queue.
        "queue.add": Budget(60, thenPer: second),
        "queue.suggest": Budget(60, thenPer: second),
        "queue.approve": Budget(120, thenPer: second, 4),
        "queue.reject": Budget(120, thenPer: second, 4),
        "queue.remove": Budget(120, thenPer: second, 4),
        "queue.move": Budget(120, thenPer: second, 4),
        "queue.clear": Budget(20, thenPer: second),
        "queue.shuffle": Budget(20, thenPer: second),
        "queue.set_repeat": Budget(20, thenPer: second),
        "queue.set_rules": Budget(20, thenPer: second),
        "autoplay.set": Budget(20, thenPer: second),
        "webhook.add": Budget(20, thenPer: minute),
        "webhook.update": Budget(60, thenPer: 10 * second),
        "webhook.remove": Budget(60, thenPer: 10 * second),
        // Asks an address of others.
        "webhook.test": Budget(10, thenPer: minute),
        "song_requests.set": Budget(20, thenPer: second),
        "source.make_key": Budget(20, thenPer: second),
        "source.revoke_key": Budget(20, thenPer: second),
        "speaker.assign": Budget(20, thenPer: second),
        "speaker.forget": Budget(20, thenPer: second),
        // A volume is changed by a slider.
        "speaker.update": Budget(60, thenPer: second / 2),
        // A schedule is filled at once, and then changed now and then.
        "schedule.add": Budget(240, thenPer: 2 * second),
        "schedule.update": Budget(240, thenPer: 2 * second),
        "schedule.remove": Budget(240, thenPer: 2 * second),
        "replay.remove": Budget(120, thenPer: 2 * second), "replay.remove_recording": Budget(120, thenPer: 2 * second),
        "schedule.answer": Budget(240, thenPer: 2 * second),
        "schedule.upcoming": Budget(60, thenPer: second, 2),
        "queue.next": Budget(60, thenPer: second, 2),
        "queue.previous": Budget(60, thenPer: second, 2),
        "queue.started": Budget(60, thenPer: second, 2),
        "queue.finished": Budget(60, thenPer: second, 2),
        "queue.vote": Budget(120, thenPer: second, 2),
        "queue.vote_skip": Budget(60, thenPer: second),
        // Work in the background.
        "jobs.retry": Budget(60, thenPer: 10 * second),
        "jobs.cancel": Budget(60, thenPer: 10 * second),
        // Playlists.
        "playlist.create": Budget(120, thenPer: 5 * second),
        "playlist.update": Budget(240, thenPer: second),
        "playlist.delete": Budget(120, thenPer: 5 * second),
        "playlist.pin": Budget(240, thenPer: second),
        "playlist.copy": Budget(30, thenPer: 10 * second),
        "playlist.add": Budget(240, thenPer: second, 4),
        "playlist.remove": Budget(240, thenPer: second, 4),
        "playlist.move": Budget(240, thenPer: second, 4),
        "playlist.shuffle": Budget(120, thenPer: second),
        "playlist.preview": Budget(120, thenPer: second),
        "playlist.invite": Budget(60, thenPer: 10 * second),
        "playlist.accept": Budget(30, thenPer: 10 * second),
        "playlist.leave": Budget(60, thenPer: 10 * second),
        "playlist.export": Budget(60, thenPer: 5 * second),
        "playlist.import": Budget(60, thenPer: 5 * second),
        "playlist.set_picture": Budget(30, thenPer: minute),
        "playlist.remove_picture": Budget(20, thenPer: minute),
        // Uploads of music.
        "upload.create": Budget(1_000, thenPer: second),
        "storage.usage": Budget(60, thenPer: second),
        "library.outline": Budget(120, thenPer: second),
        // Requests that read a lot.
        "room.recap": Budget(20, thenPer: 5 * second),
        "journal.verify": Budget(3, thenPer: minute),
        // Music.
        "track.update": Budget(120, thenPer: second),
        "track.remove": Budget(120, thenPer: second),
        "track.submit": Budget(120, thenPer: second),
        "track.withdraw": Budget(120, thenPer: second),
        "submissions.approve": Budget(1_000, thenPer: second, 2),
        "submissions.reject": Budget(1_000, thenPer: second, 2),
        "library.folder_update": Budget(60, thenPer: second),
        "library.scan": Budget(60, thenPer: second),
        "library.scan_cancel": Budget(60, thenPer: second),
        "like.set": Budget(240, thenPer: second, 2),
        "rating.set": Budget(240, thenPer: second, 2),
        // Plays. A client reports each hearing a few times.
        "play.report": Budget(240, thenPer: second),
        "player.get": Budget(240, thenPer: second, 2),
        "player.update": Budget(240, thenPer: second, 2),
        "player.transfer": Budget(60, thenPer: 2 * second),
        // Each of the first two asks a service of others.
        "scrobble.authorize": Budget(10, thenPer: minute),
        "scrobble.connect": Budget(10, thenPer: minute),
        "scrobble.disconnect": Budget(60, thenPer: 10 * second),
        "play.clear": Budget(20, thenPer: 10 * second),
        "play.settings": Budget(120, thenPer: second),
        "stats.get": Budget(60, thenPer: second),
        "library.recount": Budget(3, thenPer: minute),
        "track.similar": Budget(60, thenPer: second),
        "radio.start": Budget(60, thenPer: second),
        "plays.feed": Budget(60, thenPer: second),
        "playlist.intersect": Budget(20, thenPer: 5 * second),
        // Administration. Each request is a line of the journal.
        "users.ban": Budget(200, thenPer: second),
        "users.unban": Budget(200, thenPer: second),
        "report.send": Budget(10, thenPer: 5 * minute),
        "feedback.send": Budget(5, thenPer: 10 * minute),
        "share.send": Budget(30, thenPer: minute),
        "plans.set": Budget(200, thenPer: second),
        "plans.remove": Budget(200, thenPer: second),
        "users.set_plan": Budget(200, thenPer: second),
        "content.allow": Budget(200, thenPer: second),
        "reports.resolve": Budget(200, thenPer: second),
        "words.add": Budget(1_000, thenPer: second),
        "words.remove": Budget(1_000, thenPer: second),
        "registration.invite": Budget(60, thenPer: 10 * second),
        "registration.revoke": Budget(200, thenPer: second),
        "registration.approve": Budget(200, thenPer: second),
        "registration.reject": Budget(200, thenPer: second),
        "content.take_down": Budget(200, thenPer: second),
        "addresses.ban": Budget(200, thenPer: second),
        "addresses.unban": Budget(200, thenPer: second),
        "users.set_role": Budget(60, thenPer: second),
    ]
}
