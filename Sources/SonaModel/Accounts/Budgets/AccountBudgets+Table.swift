extension AccountBudgets {
    private static let second: Int64 = 1_000
    private static let minute = 60 * second
    private static let hour = 60 * minute
    private static let day = 24 * hour

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
        "auth.change_password": Budget(5, thenPer: 10 * minute),
        "auth.request_confirmation": Budget(10, thenPer: 10 * minute),
        "auth.change_email": Budget(10, thenPer: 10 * minute),
        "account.export": Budget(4, thenPer: 15 * minute),
        "account.remove": Budget(10, thenPer: minute),
        // Names are held for whoever gives them up.
        "username.claim": Budget(10, thenPer: minute),
        "username.change": Budget(5, thenPer: day, 3),
        // What somebody shows and chose.
        "profile.update": Budget(30, thenPer: 10 * second),
        "settings.update": Budget(60, thenPer: 5 * second),
        "photo.set": Budget(10, thenPer: minute),
        "photo.remove": Budget(20, thenPer: minute),
        "people.follow": Budget(100, thenPer: 2 * second),
        "people.unfollow": Budget(100, thenPer: 2 * second),
        "people.block": Budget(60, thenPer: 5 * second),
        "people.unblock": Budget(60, thenPer: 5 * second),
        // Rooms. A closed one stays for a while.
        "room.create": Budget(24, thenPer: hour, 20),
        "room.close": Budget(24, thenPer: minute),
        "room.update": Budget(30, thenPer: second),
        "room.set_picture": Budget(10, thenPer: minute),
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
