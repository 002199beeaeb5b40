package import SonaDatabase

/// The migrations of this module, which bring older files up to date: an append-only timeline. The server puts it together
/// with those of other modules (`StorageLayout`).
///
/// The records declare the tables, and a new file is made from those. `SchemaTests` compare the declarations with the
/// result of the migrations. A released migration is never edited, because files have it applied: the next migration
/// corrects it. Lengths are bytes of UTF-8 and mirror `Limits` of the protocol. Times are milliseconds since 1970
/// unless the name says otherwise.
package enum ModelSchema {
    /// "Sona" in ASCII. It distinguishes our files from other SQLite databases.
    package static let applicationID: Int32 = 0x536F_6E61

    package static let timeline = [
        Migration("2026-11 accounts", createAccounts),
        Migration("2026-11 rooms", createRooms),
        Migration("2026-11 journal", createJournal),
        Migration("2026-11 people", createPeople),
        Migration("2026-11 directory", describeRooms),
        Migration("2026-11 belonging", createMembership),
        Migration("2026-11 queue", widenQueue),
        Migration("2026-11 history", tellBroadcasts),
        Migration("2026-11 limits", limitGrowth),
        Migration("2026-11 queue rows", cutQueues),
        Migration("2026-11 address bans", banAddresses),
        Migration("2026-11 reports", createReports),
        Migration("2026-11 covers", createCovers),
        Migration("2026-11 registration", createRegistration),
        Migration("2026-11 transfers", createTransfers),
        Migration("2026-11 sightings", noteSightings),
        Migration("2026-11 words", filterWords),
        Migration("2026-11 setup", createSetup),
        Migration("2026-11 curators", nameCurators),
        Migration("2026-11 notifications", createNotifications),
        Migration("2026-11 plans", createPlans),
        Migration("2026-11 autoplay", createAutoplay),
        Migration("2026-11 moments", addMoments),
        Migration("2026-11 schedules", createSchedules),
        Migration("2026-11 replays", createReplays),
        Migration("2026-11 jingles", createJingles),
        Migration("2026-11 audiences", createAudiences),
        Migration("2026-11 djs", nameDJs),
        Migration("2026-11 song requests", createSongRequests),
        Migration("2026-11 data saver", offerDataSaver),
        Migration("2026-11 recordings", createRecordings),
        Migration("2026-11 source keys", createSourceKeys),
        Migration("2026-11 app passwords", createAppPasswords),
        Migration("2026-11 webhooks", createWebhooks),
        Migration("2026-11 speakers", createSpeakers),
    ]
}
