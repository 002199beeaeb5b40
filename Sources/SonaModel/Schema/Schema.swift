internal import SonaDatabase

/// The tables of the durable plane, as one append-only timeline.
///
/// A released migration is never edited: files out there have it applied. What is wrong is put right by the next one.
/// Lengths are bytes of UTF-8 and mirror `Limits` of the protocol. Times are milliseconds since 1970 unless the name
/// says otherwise.
enum Schema {
    /// "Sona" in ASCII: tells our files from other SQLite databases.
    static let applicationID: Int32 = 0x536F_6E61

    static let timeline = [
        Migration("2026-11 accounts", createAccounts),
        Migration("2026-11 rooms", createRooms),
    ]
}
