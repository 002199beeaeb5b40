import SonaDatabase
import SonaLibrary
import SonaModel
import Testing

@testable import SonaServer

/// The database of a whole server: the tables of all modules, and one timeline.
@Suite struct StorageTimelineTests {
    @Test func `the declarations and the migrations of all modules make exactly the same tables`() throws {
        let differences = try DatabaseQueue.schemaDifferences(SonaDAOs.self, migrations: StorageTimeline.migrations)
        #expect(differences == [])
    }

    @Test func `each migration of each module is in the timeline once, in the order of its module`() {
        let all = StorageTimeline.migrations.map(\.name)
        #expect(Set(all).count == all.count)
        for module in [ModelSchema.timeline, LibrarySchema.timeline] {
            let names = module.map(\.name)
            #expect(all.filter(names.contains) == names)
        }
    }

    /// Append to it, never edit it: files out there have these names.
    @Test func `the timeline begins as it was released`() {
        #expect(
            StorageTimeline.migrations.map(\.name).suffix(31) == [
                "2026-11 words", "2026-11 library", "2026-11 cover colors", "2026-11 setup",
                "2026-11 curators", "2026-11 likes", "2026-11 playlists", "2026-11 plays",
                "2026-11 playlist likes", "2026-11 notifications", "2026-11 submissions", "2026-11 plans",
                "2026-11 players", "2026-11 lyrics", "2026-11 autoplay", "2026-11 playlist pictures",
                "2026-11 moments", "2026-11 schedules", "2026-11 replays", "2026-11 jingles",
                "2026-11 audiences", "2026-11 djs", "2026-11 song requests",
                "2026-11 data saver", "2026-11 recordings",
                "2026-11 source keys",
                "2026-11 app passwords", "2026-11 bookmarks", "2026-11 scrobbling",
                "2026-11 webhooks", "2026-11 speakers",
            ])
    }
}
