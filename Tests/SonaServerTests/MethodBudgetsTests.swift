import SonaModel
import SonaWire
import Testing

@testable import SonaServer

/// No request that writes is missing in the table of budgets.
struct MethodBudgetsTests {
    /// Requests that only read a little. Requests without an account have no account's budget: addresses and codes
    /// limit them.
    private static let withoutBudget: Set<String> = [
        "user.me", "user.get", "user.search", "people.followers", "people.following", "people.friends",
        "people.blocked", "people.presence",
        "room.get", "room.list", "room.search", "room.watch", "room.unwatch", "room.members", "room.bans",
        "room.waiting", "room.history", "room.audience", "room.meter", "invite.list", "chat.history", "queue.get",
        "playback.get",
        "users.list", "addresses.list", "reports.list", "registration.invites", "registration.waiting",
        "room.transfers", "words.list", "journal.list", "search", "library.list", "album.get", "artist.get",
        "genre.list", "track.get", "track.open", "track.lyrics", "library.folders", "library.problems", "jobs.list",
        "jobs.get",
        "server.history", "like.list", "play.list", "playlist.get", "playlist.list", "playlist.collaborators",
        "notifications.list", "notifications.preferences", "submissions.list",
        "content.taken_down", "plan.get", "plans.list", "autoplay.get", "song_requests.get", "listen.addresses",
        "source.get", "speaker.list", "webhook.list", "schedule.get", "schedule.duties", "app_password.list",
        "scrobble.list",
        "replay.list", "replay.get", "replay.passages", "replay.moments", "replay.recordings",
    ]
    /// Budgets without an entry in the table of methods: the model takes them itself.
    private static let elsewhere: Set<String> = [
        "photo.set", "room.set_picture", "room.add_cover", "playlist.set_picture", "upload.create",
        "notification.mail",
    ]

    @Test func `every request of an account to the durable plane has a budget, or is known to need none`() {
        let budgeted = Set(AccountBudgets.table.keys)
        let ofAccounts = Set(Methods.table.values.filter(\.needsAccount).map(\.type))
        #expect(ofAccounts.subtracting(budgeted) == Self.withoutBudget)
        #expect(budgeted.subtracting(Methods.table.keys) == Self.elsewhere)
    }
}
