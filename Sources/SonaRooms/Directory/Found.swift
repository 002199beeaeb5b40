internal import SonaWire

/// A room that a query has found.
struct Found: Sendable {
    let slot: Int32
    /// The rank, with the bit for a match by name.
    let rank: DirectoryRank
    let record: DirectoryRecord

    /// The order of results.
    static func isBefore(_ one: Self, _ other: Self) -> Bool {
        one.rank == other.rank ? one.record.id.rawValue < other.record.id.rawValue : one.rank > other.rank
    }
}

/// Takes results in the order of the rooms and returns them in the order of results.
struct FoundCollector {
    let limit: Int
    private var done: [Found] = []
    /// Matches among the live rooms first, then among the idle ones.
    private var names: [Found] = []
    private var mentions: [Found] = []
    private var isLive = true

    init(limit: Int) { self.limit = limit }

    /// Whether no result that may still come can be among the first `limit`.
    var isFull: Bool { done.count + names.count >= limit }

    mutating func take(_ found: Found, _ match: DirectoryMatch) {
        if found.rank.isLive != isLive {
            close()
            isLive = found.rank.isLive
            guard !isFull else { return }
        }
        switch match {
        case .name: names.append(found)
        case .mention where mentions.count < limit: mentions.append(found)
        case .mention: break
        }
    }

    mutating func finish() -> [Found] {
        close()
        return done
    }

    private mutating func close() {
        for found in [names, mentions] { done += found.prefix(limit - done.count) }
        names = []
        mentions = []
    }
}
