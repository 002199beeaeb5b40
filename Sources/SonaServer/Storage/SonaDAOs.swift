internal import SonaDatabase
internal import SonaLibrary
internal import SonaModel

/// All DAOs of a server, by module.
struct SonaDAOs: DAOs {
    let model: ModelDAOs
    let library: LibraryDAOs

    init(_ database: any DatabaseWriter) {
        model = ModelDAOs(database)
        library = LibraryDAOs(database)
    }
}

/// The one timeline of the database: the migrations of all modules, in the order in which they were released.
///
/// It is append-only, like those of the modules: a new migration of whatever module goes to the end.
enum StorageTimeline {
    static let migrations =
        ModelSchema.timeline.through("2026-11 words") + LibrarySchema.timeline.through("2026-11 cover colors")
        + ModelSchema.timeline.after("2026-11 words", through: "2026-11 curators")
        + LibrarySchema.timeline.after("2026-11 cover colors", through: "2026-11 playlist likes")
        + ModelSchema.timeline.after("2026-11 curators", through: "2026-11 notifications")
        + LibrarySchema.timeline.after("2026-11 playlist likes", through: "2026-11 submissions")
        + ModelSchema.timeline.after("2026-11 notifications", through: "2026-11 plans")
        + LibrarySchema.timeline.after("2026-11 submissions", through: "2026-11 lyrics")
        + ModelSchema.timeline.after("2026-11 plans", through: "2026-11 autoplay")
        + LibrarySchema.timeline.after("2026-11 lyrics", through: "2026-11 playlist pictures")
        + ModelSchema.timeline.after("2026-11 autoplay", through: "2026-11 app passwords")
        + LibrarySchema.timeline.after("2026-11 playlist pictures", through: "2026-11 bookmarks")
        + LibrarySchema.timeline.after("2026-11 bookmarks", through: "2026-11 scrobbling")
        + ModelSchema.timeline.after("2026-11 app passwords", through: "2026-11 speakers")

    static let layout = StorageLayout<SonaDAOs>(migrations: migrations) { $0.model }
}

extension [Migration] {
    /// Those up to the one of this name.
    func through(_ name: String) -> [Migration] {
        guard let end = firstIndex(where: { $0.name == name }) else {
            preconditionFailure("There is no migration \(name).")
        }
        return Array(self[...end])
    }

    /// Those after the one of a name, up to the one of another.
    func after(_ first: String, through last: String) -> [Migration] {
        Array(through(last).dropFirst(through(first).count))
    }
}
