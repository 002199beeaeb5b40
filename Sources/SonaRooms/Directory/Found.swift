internal import SonaWire

/// A room that a query has found.
struct Found: Sendable {
    let slot: Int32
    /// With how it was found.
    let rank: DirectoryRank
    let record: DirectoryRecord

    /// The order of results.
    static func isBefore(_ one: Self, _ other: Self) -> Bool {
        one.rank == other.rank ? one.record.id.rawValue < other.record.id.rawValue : one.rank > other.rank
    }
}

/// Takes what is found in the order of the rooms and gives it in the order of results.
struct FoundCollector {
    let limit: Int
    private var done: [Found] = []
    /// Of the live rooms, then of the idle ones.
    private var names: [Found] = []
    private var mentions: [Found] = []
    private var isLive = true

    init(limit: Int) { self.limit = limit }

    /// Whether nothing that could still come belongs to the first `limit`.
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
