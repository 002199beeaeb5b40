/// Which of a session's requests about its list of rooms counts: the one begun last.
///
/// A list ends also where nobody asks for that: with its connection, and with its user. What was begun before does not
/// count then, however late it is done.
///
/// begun (`next`) → done (`settle`): watched, or not, unless a later one is done already or all is over (`end`).
///
/// Source: Protocol/spec/finding.md, "room.watch".
struct WatchGenerations {
    private var asked: UInt64 = 0
    private var settled: UInt64 = 0
    /// Of the request whose list is watched; `nil` if none is.
    private(set) var watched: UInt64?

    /// Whether a list is watched, or may be as soon as what was asked is done.
    var mayWatch: Bool { watched != nil || asked > settled }

    /// The generation of another request.
    mutating func next() -> UInt64 {
        asked += 1
        return asked
    }

    /// A request is done: its list is watched from now on, or none is.
    ///
    /// - Returns: Whether it counts.
    mutating func settle(_ generation: UInt64, isWatched: Bool) -> Bool {
        guard generation > settled else { return false }
        settled = generation
        watched = isWatched ? generation : nil
        return true
    }

    /// Nothing that was asked so far counts any more.
    ///
    /// - Returns: The last generation that is over.
    mutating func end() -> UInt64 {
        settled = asked
        watched = nil
        return asked
    }
}
