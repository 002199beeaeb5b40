import SonaModel
import SonaWire
import Testing

@testable import SonaServer

/// That no request which writes is forgotten in the table of budgets.
struct MethodBudgetsTests {
    /// What only reads a little. Requests that need no account have no budget of one: addresses and codes limit them.
    private static let withoutBudget: Set<String> = [
        "user.me", "user.get", "user.search", "people.followers", "people.following", "people.friends",
        "people.blocked", "people.presence",
        "room.get", "room.list", "room.search", "room.watch", "room.unwatch", "room.members", "room.bans",
        "room.waiting", "room.history", "room.meter", "invite.list", "chat.history", "queue.get", "playback.get",
        "users.list", "journal.list",
    ]
    /// What is no request of the table of methods: taken by the model itself.
    private static let elsewhere: Set<String> = ["photo.set", "room.set_picture"]

    @Test func `every request of an account to the durable plane has a budget, or is known to need none`() {
        let budgeted = Set(AccountBudgets.table.keys)
        let ofAccounts = Set(Methods.table.values.filter(\.needsAccount).map(\.type))
        #expect(ofAccounts.subtracting(budgeted) == Self.withoutBudget)
        #expect(budgeted.subtracting(Methods.table.keys) == Self.elsewhere)
    }
}
