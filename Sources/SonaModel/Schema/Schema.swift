internal import SonaDatabase

/// How files older than the program come to have its tables: one append-only timeline.
///
/// What the tables are is declared by the records, and a new file is made from those. A test holds the two ways to a
/// table against each other. A released migration is never edited: files out there have it applied, and what is wrong
/// is put right by the next one. Lengths are bytes of UTF-8 and mirror `Limits` of the protocol. Times are milliseconds
/// since 1970 unless the name says otherwise.
enum Schema {
    /// "Sona" in ASCII: tells our files from other SQLite databases.
    static let applicationID: Int32 = 0x536F_6E61

    static let timeline = [
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
    ]
}
