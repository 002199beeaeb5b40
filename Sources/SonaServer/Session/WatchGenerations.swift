/// Decides which of a session's requests about its list of rooms counts: the last one begun.
///
/// A list also ends with its connection and with its user. Requests begun before that do not count, however late they
/// are done.
///
/// begun (`next`) → done (`settle`): watched, or not, unless a later one is done already or all have ended (`end`).
///
/// Source: Protocol/spec/finding.md, "room.watch".
struct WatchGenerations {
    private var asked: UInt64 = 0
    private var settled: UInt64 = 0
    /// Generation of the request whose list is watched; `nil` if none is.
    private(set) var watched: UInt64?

    /// Whether a list is watched, or a request under way may still lead to one.
    var mayWatch: Bool { watched != nil || asked > settled }

    /// The generation of another request.
    mutating func next() -> UInt64 {
        asked += 1
        return asked
    }

    /// Settles a request that is done: its list is watched from now on, or none is.
    ///
    /// - Returns: Whether the request counts.
    mutating func settle(_ generation: UInt64, isWatched: Bool) -> Bool {
        guard generation > settled else { return false }
        settled = generation
        watched = isWatched ? generation : nil
        return true
    }

    /// Ends the watching: no request begun so far counts any more.
    ///
    /// - Returns: The last generation begun.
    mutating func end() -> UInt64 {
        settled = asked
        watched = nil
        return asked
    }
}
