internal import Synchronization

/// Pages, as they were last made: hashing and compressing one costs a hundred times as much as looking it
/// up.
///
/// Bounded by number and bytes; the least recently used page is dropped first. From any thread.
final class CardedPages: Sendable {
    fileprivate struct Entry {
        var page: Site.Resource
        var usedAt: UInt64
    }

    fileprivate struct State {
        var entries: [PageFace: Entry] = [:]
        var bytes = 0
        /// Counts the uses.
        var now: UInt64 = 0
        /// Number of pages made so far.
        var made = 0
    }

    static let countMax = 256
    static let bytesMax = 8 << 20

    private let state = Mutex(State())

    /// The page with a face: a kept one, or the one that `make` makes. Two threads may make the same page at once; that
    /// is cheaper than letting one wait.
    func page(_ face: PageFace, make: () -> Site.Resource) -> Site.Resource {
        if let known = state.withLock({ $0.use(face) }) { return known }
        let page = make()
        state.withLock { $0.keep(page, face) }
        return page
    }

    /// The number of pages kept, their bytes, and the number of pages made.
    var figures: (count: Int, bytes: Int, made: Int) {
        state.withLock { ($0.entries.count, $0.bytes, $0.made) }
    }
}

extension CardedPages.State {
    fileprivate mutating func use(_ face: PageFace) -> Site.Resource? {
        guard let index = entries.index(forKey: face) else { return nil }
        now += 1
        entries.values[index].usedAt = now
        return entries.values[index].page
    }

    fileprivate mutating func keep(_ page: Site.Resource, _ face: PageFace) {
        made += 1
        now += 1
        bytes += page.heldBytes - (entries[face]?.page.heldBytes ?? 0)
        entries[face] = CardedPages.Entry(page: page, usedAt: now)
        // O(pages), which is little compared with making one.
        while entries.count > CardedPages.countMax || bytes > CardedPages.bytesMax,
            let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt })
        {
            bytes -= oldest.value.page.heldBytes
            entries[oldest.key] = nil
        }
    }
}
