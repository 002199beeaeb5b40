extension AccountBudgets {
    private static let second: Int64 = 1_000
    private static let minute = 60 * second
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// Lines of the journal that one account can have written by moderating, in all: nothing of the journal is ever
    /// deleted. 1 000 at once and 4 320 a day are 1.2 MB. A sign-in has its own budget, or whoever moderates could not
    /// sign in any more.
    static let journalLines = Budget(1_000, thenPer: 20 * second)

    /// The requests that take from it besides.
    static let journaled: Set<String> = [
        "auth.sign_out_everywhere", "auth.change_password", "username.claim", "username.change", "room.set_standing",
        "room.kick", "room.ban", "room.unban", "room.mute", "room.unmute", "invite.revoke", "chat.delete",
    ]

    /// The one table of what an account may ask for that is written, or takes long. Per account or guest;
    /// `deploy/limits.md` shows it.
    ///
    /// A request that has no line here only reads a little. What a person does by hand stays below these; what a program
    /// does in a loop ends at them.
    package static let table: [String: Budget] = [
        // Where somebody is signed in. A sign-in is a row for 60 days and a line of the journal.
        "auth.refresh": Budget(6, thenPer: 10 * second),
        "auth.sign_in": Budget(60, thenPer: minute),
        "auth.sign_out_everywhere": Budget(10, thenPer: minute),
        "auth.reauthenticate": Budget(30, thenPer: 10 * second),
        "auth.change_password": Budget(10, thenPer: 10 * minute),
        "auth.request_confirmation": Budget(10, thenPer: 10 * minute),
        "auth.change_email": Budget(10, thenPer: 10 * minute),
        "account.export": Budget(6, thenPer: 15 * minute),
        "account.remove": Budget(10, thenPer: minute),
        // Names are held for whoever gives them up.
        "username.claim": Budget(10, thenPer: minute),
        "username.change": Budget(5, thenPer: day, 3),
        // What somebody shows and chose.
        "profile.update": Budget(240, thenPer: second),
        "settings.update": Budget(240, thenPer: second),
        "photo.set": Budget(30, thenPer: minute),
        "photo.remove": Budget(20, thenPer: minute),
        "people.follow": Budget(100, thenPer: 2 * second),
        "people.unfollow": Budget(100, thenPer: 2 * second),
        "people.block": Budget(60, thenPer: 5 * second),
        "people.unblock": Budget(60, thenPer: 5 * second),
        // Rooms. A closed one stays for a while.
        "room.create": Budget(24, thenPer: hour, 20),
        "room.close": Budget(24, thenPer: minute),
        "room.update": Budget(240, thenPer: second, 2),
        "room.set_picture": Budget(30, thenPer: minute),
        "room.remove_picture": Budget(20, thenPer: minute),
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
        // A room has a limit of its own for each person: five messages in ten seconds.
        "chat.send": Budget(40, thenPer: second),
        "chat.edit": Budget(20, thenPer: second),
        "chat.delete": Budget(60, thenPer: second),
        // Each of these writes the whole queue.
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
        "queue.next": Budget(60, thenPer: second, 2),
        "queue.previous": Budget(60, thenPer: second, 2),
        "queue.started": Budget(60, thenPer: second, 2),
        "queue.finished": Budget(60, thenPer: second, 2),
        "queue.vote": Budget(120, thenPer: second, 2),
        "queue.vote_skip": Budget(60, thenPer: second),
        // What reads a lot.
        "room.recap": Budget(20, thenPer: 5 * second),
        "journal.verify": Budget(3, thenPer: minute),
        // Administration: a line of the journal each.
        "users.ban": Budget(200, thenPer: second),
        "users.unban": Budget(200, thenPer: second),
        "users.set_role": Budget(60, thenPer: second),
    ]
}
