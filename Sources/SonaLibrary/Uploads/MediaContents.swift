internal import SonaBase
internal import SonaDatabase
internal import SonaModel

/// The contents that uploads brought, and their removal when no row names them any more.
///
/// Whoever is about to name a content holds it: a content that is held is not removed. Without that a sweep could find a
/// content without a name, and remove it after somebody has seen that it is there and before they have named it.
final class MediaContents: Sendable {
    let folder: MediaFolder
    private let database: any DatabaseWriter
    /// How often each content is held.
    private let held = Monitor<[[UInt8]: Int]>([:])

    init(_ folder: MediaFolder, _ database: any DatabaseWriter) {
        self.folder = folder
        self.database = database
    }

    /// Keeps a content from being removed until it is released. Blocks while one is being removed.
    func hold(_ content: [UInt8]) { held.withLock { $0[content, default: 0] += 1 } }

    func release(_ content: [UInt8]) {
        held.withLock { held in
            let count = (held[content] ?? 1) - 1
            held[content] = count > 0 ? count : nil
        }
    }

    /// Removes a content if no row names it. Blocks.
    ///
    /// The row of the content goes first: a server that ends in between leaves a file without a row, which the sweep of
    /// the next start finds.
    ///
    /// - Returns: Whether it is gone.
    @discardableResult
    func removeIfUnnamed(_ content: [UInt8]) throws -> Bool {
        try held.withLock { held in
            guard held[content] == nil else { return false }
            let isUnnamed = try database.writeNow { db in
                let isNamed = try db.exists(
                    """
                    SELECT 1 FROM music_files WHERE content = \(content)
                    UNION ALL SELECT 1 FROM uploads WHERE content = \(content)
                    """)
                if isNamed { return false }
                try db.execute("DELETE FROM media_contents WHERE content = \(content)")
                return true
            }
            if isUnnamed { folder.remove(content: content) }
            return isUnnamed
        }
    }

    /// Removes all contents that no row names. Blocks, in short steps.
    ///
    /// - Parameter goesOn: Asked between the steps.
    /// - Returns: How many were removed.
    func sweep(while goesOn: () -> Bool) throws -> Int {
        var (count, after) = (0, [UInt8]())
        while goesOn() {
            let last = after
            let page = try database.readNow { db in
                try db.values(
                    """
                    SELECT c.content FROM media_contents c WHERE c.content > \(last)
                        AND NOT EXISTS (SELECT 1 FROM music_files f WHERE f.content = c.content)
                        AND NOT EXISTS (SELECT 1 FROM uploads u WHERE u.content = c.content)
                    ORDER BY c.content LIMIT 256
                    """, as: [UInt8].self)
            }
            guard let end = page.last else { return count }
            for content in page where goesOn() {
                if try removeIfUnnamed(content) { count += 1 }
            }
            after = end
        }
        return count
    }

    /// Removes files whose content has no row: a server ended between two steps. Blocks; O(files).
    func sweepStrays(while goesOn: () -> Bool) throws {
        try folder.forEachContent { content in
            let isKnown = try database.readNow { db in
                try db.exists("SELECT 1 FROM media_contents WHERE content = \(content)")
            }
            if !isKnown { try removeIfUnnamed(content) }
            return goesOn()
        }
    }
}
