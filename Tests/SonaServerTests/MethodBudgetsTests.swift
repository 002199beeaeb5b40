import SonaModel
import SonaWire
import Testing

@testable import SonaServer

/// That no request which writes is forgotten in the table of budgets.
struct MethodBudgetsTests {
    /// What only reads a little, or is asked by nobody in particular and limited by address or code.
    private static let withoutBudget: Set<String> = [
        "auth.sign_up", "auth.exchange", "auth.guest", "auth.sign_out", "auth.request_recovery", "auth.recover",
        "auth.confirm_email", "username.check",
        "user.me", "user.get", "user.search", "people.followers", "people.following", "people.friends",
        "people.blocked", "people.presence",
        "room.get", "room.list", "room.search", "room.watch", "room.unwatch", "room.members", "room.bans",
        "room.waiting", "room.history", "room.meter", "invite.list", "chat.history", "queue.get", "playback.get",
        "users.list", "journal.list",
    ]
    /// What is no request of the table of methods: taken by the model itself.
    private static let elsewhere: Set<String> = ["photo.set", "room.set_picture"]

    @Test func `every request of the durable plane has a budget, or is known to need none`() {
        let (budgeted, durable) = (Set(AccountBudgets.table.keys), Set(Methods.table.keys))
        #expect(durable.subtracting(budgeted) == Self.withoutBudget)
        #expect(budgeted.subtracting(durable) == Self.elsewhere)
    }
}
