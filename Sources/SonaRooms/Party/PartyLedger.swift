package import SonaWire

/// The rows in which a queue is stored, and the changes that turn them into those of a later state.
///
/// The two states are compared in memory, which takes O(entries) and encodes only what has changed. The rows written
/// are in proportion to the change: one for an entry that comes, goes or moves, one for a vote, one for a play. The
/// state's row, some hundred bytes, is always written. The difference depends only on the two states, so several
/// changes are written as one.
///
/// Places have gaps of 2³². An entry that moves between two others takes the middle of their places. If there is no
/// room left, for example after 32 entries that were each put right before the last one, the whole list gets new
/// places.
package struct PartyLedger: Sendable {
    /// Bytes of all texts and of the voters' identifiers.
    package var bytes: Int { stateBytes + waiting.bytes + pending.bytes + past.bytes + plays.bytes + skipBytes }

    private var writes: Int64 = 0
    private var stateBytes = 0
    private var waiting = StoredList<PartyQueue.Waiting>(list: .waiting)
    private var pending = StoredList<QueueEntry>(list: .pending)
    private var past = StoredList<PartyQueue.Past>(list: .past)
    private var plays = StoredPlays()
    private var skipped: QueueEntryID?
    private var skippers: Set<UserID> = []
    private var skipBytes = 0

    /// A ledger for a queue that is not stored yet.
    package init() {}

    /// - Parameters:
    ///   - rows: The rows as read.
    ///   - queue: The queue decoded from them.
    package init(_ rows: QueueRows, of queue: PartyQueue) {
        writes = rows.writes
        stateBytes = rows.state.utf8.count
        // A queue stored as one text has no rows. The next change writes all of them.
        guard !(rows.entries.isEmpty && rows.plays.isEmpty && rows.votes.isEmpty) else { return }
        waiting.read(queue.waiting, rows.entries)
        pending.read(queue.pending, rows.entries)
        past.read(queue.past, rows.entries)
        plays.read(queue.history, rows.plays)
        (skipped, skippers) = (queue.playing?.entry.id, queue.skippers)
        skipBytes = skippers.reduce(0) { $0 + $1.rawValue.utf8.count }
    }

    /// Takes another state as the stored one.
    ///
    /// - Returns: The change that turns the rows into those of `queue`. Until it is written, the old ledger remains the
    ///   valid one.
    package mutating func update(to queue: PartyQueue) -> QueueRows.Change {
        var change = QueueRows.Change(after: writes, state: queue.stateText)
        writes += 1
        stateBytes = change.state.utf8.count
        skipBytes += updateSkips(to: queue, &change)
        waiting.update(to: queue.waiting, &change)
        pending.update(to: queue.pending, &change)
        past.update(to: queue.past, &change)
        plays.update(to: queue.history, &change)
        return change
    }

    /// - Returns: The growth of the stored identifiers, bytes.
    private mutating func updateSkips(to queue: PartyQueue, _ change: inout QueueRows.Change) -> Int {
        let entry = queue.playing?.entry.id
        defer { (skipped, skippers) = (entry, queue.skippers) }
        guard entry != skipped || queue.skippers != skippers else { return 0 }
        let before = Dictionary(uniqueKeysWithValues: skippers.map { ($0, QueueRows.Choice.skip) })
        let after = Dictionary(uniqueKeysWithValues: queue.skippers.map { ($0, QueueRows.Choice.skip) })
        if let skipped, skipped == entry { return change.updateVotes(for: skipped, from: before, to: after) }
        return (skipped.map { change.updateVotes(for: $0, from: before, to: [:]) } ?? 0)
            + (entry.map { change.updateVotes(for: $0, from: [:], to: after) } ?? 0)
    }
}

extension QueueRows.Change {
    /// - Returns: The growth of the stored identifiers, bytes.
    fileprivate mutating func updateVotes(
        for id: QueueEntryID, from before: [UserID: QueueRows.Choice], to after: [UserID: QueueRows.Choice]
    ) -> Int {
        var bytes = 0
        if after.isEmpty, !before.isEmpty {
            closedVotes.append(id.rawValue)
            return before.keys.reduce(0) { $0 - $1.rawValue.utf8.count }
        }
        for user in before.keys where after[user] == nil {
            withdrawals.append((id.rawValue, user.rawValue))
            bytes -= user.rawValue.utf8.count
        }
        for (user, choice) in after where before[user] != choice {
            votes.append(QueueRows.Vote(entry: id.rawValue, user: user.rawValue, choice: choice))
            if before[user] == nil { bytes += user.rawValue.utf8.count }
        }
        return bytes
    }
}

/// The parts of an entry that its rows are made of.
private protocol StoredEntry: Sendable {
    var id: QueueEntryID { get }
    func hasText(of other: Self) -> Bool
    var text: String { get }
    func hasVotes(of other: Self) -> Bool
    var choices: [UserID: QueueRows.Choice] { get }
}

extension StoredEntry {
    fileprivate func hasVotes(of other: Self) -> Bool { true }
    fileprivate var choices: [UserID: QueueRows.Choice] { [:] }
}

extension PartyQueue.Waiting: StoredEntry {
    var id: QueueEntryID { entry.id }

    /// Votes have rows of their own and are not compared here.
    @inline(__always) fileprivate func hasText(of other: Self) -> Bool {
        passedOver == other.passedOver && isRecalled == other.isRecalled && entry.isSameSuggestion(as: other.entry)
    }

    /// If nobody has voted in between, the two share one table in memory, and the comparison is immediate.
    @inline(__always) fileprivate func hasVotes(of other: Self) -> Bool { ballots == other.ballots }

    fileprivate var choices: [UserID: QueueRows.Choice] { ballots.mapValues { $0 == .up ? .up : .down } }
}

extension QueueEntry: StoredEntry {
    fileprivate func hasText(of other: Self) -> Bool { isSameSuggestion(as: other) }

    @inline(__always) fileprivate func isSameSuggestion(as other: Self) -> Bool {
        reference == other.reference && suggestedBy == other.suggestedBy
            && addedMilliseconds == other.addedMilliseconds
    }
}

extension PartyQueue.Past: StoredEntry {
    var id: QueueEntryID { entry.id }

    fileprivate func hasText(of other: Self) -> Bool { self == other }
}

/// One list of entries, with the place and the length of each row.
private struct StoredList<Element: StoredEntry> {
    let list: QueueRows.List
    /// Bytes of texts and of the voters' identifiers.
    private(set) var bytes = 0
    private var elements: [Element] = []
    private var places: [Int64] = []
    private var lengths: [Int] = []

    init(list: QueueRows.List) { self.list = list }

    mutating func read(_ elements: [Element], _ rows: [QueueRows.Entry]) {
        let rows = rows.filter { $0.list == list }
        self.elements = elements
        places = rows.map(\.place)
        lengths = rows.map(\.text.utf8.count)
        bytes = lengths.reduce(0, +)
        for element in elements { bytes += element.choices.keys.reduce(0) { $0 + $1.rawValue.utf8.count } }
    }

    mutating func update(to next: [Element], _ change: inout QueueRows.Change) {
        let origins = origins(of: next)
        let newPlaces = Places.after(origins, among: places)
        var newLengths: [Int] = []
        newLengths.reserveCapacity(next.count)
        var isThere = [Bool](repeating: false, count: elements.count)
        for index in next.indices {
            let origin = origins[index]
            guard origin >= 0 else {
                newLengths.append(put(next[index], at: newPlaces[index], &change))
                bytes += newLengths[index] + change.updateVotes(for: next[index].id, from: [:], to: next[index].choices)
                continue
            }
            isThere[origin] = true
            if next[index].hasText(of: elements[origin]) {
                newLengths.append(lengths[origin])
                if newPlaces[index] != places[origin] {
                    change.moves.append((next[index].id.rawValue, newPlaces[index]))
                }
            } else {
                newLengths.append(put(next[index], at: newPlaces[index], &change))
                bytes += newLengths[index] - lengths[origin]
            }
            if !next[index].hasVotes(of: elements[origin]) {
                bytes += change.updateVotes(
                    for: next[index].id, from: elements[origin].choices, to: next[index].choices)
            }
        }
        for index in elements.indices where !isThere[index] {
            change.goneEntries.append(elements[index].id.rawValue)
            bytes +=
                change.updateVotes(for: elements[index].id, from: elements[index].choices, to: [:]) - lengths[index]
        }
        elements = next
        places = newPlaces
        lengths = newLengths
    }

    /// - Returns: The length of the row's text.
    private func put(_ element: Element, at place: Int64, _ change: inout QueueRows.Change) -> Int {
        let text = element.text
        change.entries.append(QueueRows.Entry(id: element.id.rawValue, list: list, place: place, text: text))
        return text.utf8.count
    }

    /// For each of `next` its former index, −1 for a new one. Most changes leave both ends as they were.
    private func origins(of next: [Element]) -> [Int] {
        let both = min(elements.count, next.count)
        var head = 0
        while head < both, elements[head].id == next[head].id { head += 1 }
        var tail = 0
        while tail < both - head, elements[elements.count - 1 - tail].id == next[next.count - 1 - tail].id { tail += 1 }
        var origins = Array(0..<head)
        origins.reserveCapacity(next.count)
        var known: [QueueEntryID: Int] = [:]
        for index in head..<elements.count - tail { known[elements[index].id] = index }
        for index in head..<next.count - tail { origins.append(known[next[index].id] ?? -1) }
        origins.append(contentsOf: elements.count - tail..<elements.count)
        return origins
    }
}

/// The remembered plays: new ones come at one end, old ones go at the other.
private struct StoredPlays {
    private(set) var bytes = 0
    private var last: Int64?
    private var lengths: [Int] = []

    mutating func read(_ plays: [PartyQueue.Play], _ rows: [QueueRows.Play]) {
        last = plays.last?.number
        lengths = rows.map(\.text.utf8.count)
        bytes = lengths.reduce(0, +)
    }

    mutating func update(to next: [PartyQueue.Play], _ change: inout QueueRows.Change) {
        let new = next.reversed().prefix { play in last.map { play.number > $0 } ?? true }.reversed()
        let kept = next.count - new.count
        guard !new.isEmpty || kept != lengths.count else { return }
        if kept < lengths.count { change.firstPlay = next.first?.number ?? .max }
        change.plays = new.map { QueueRows.Play(number: $0.number, text: $0.text) }
        lengths = lengths.suffix(kept) + change.plays.map(\.text.utf8.count)
        last = next.last?.number
        bytes = lengths.reduce(0, +)
    }
}

/// The places of rows in their list.
enum Places {
    static let gap: Int64 = 1 << 32
    /// Places never lie further from 0, so that sums stay in range.
    static let limit: Int64 = 1 << 60

    /// Assigns rising places to entries and changes as few of their former places as possible.
    ///
    /// O(n), or O(n log n) where the order has changed.
    /// - Parameters:
    ///   - origins: For each entry its index in `places`, −1 for one without a former place.
    ///   - places: The former places, rising.
    static func after(_ origins: [Int], among places: [Int64]) -> [Int64] {
        let isKept = longestRise(of: origins)
        var new: [Int64] = []
        new.reserveCapacity(origins.count)
        var index = 0
        while index < origins.count {
            if isKept[index] {
                new.append(places[origins[index]])
                index += 1
                continue
            }
            let end = isKept[index...].firstIndex(of: true) ?? origins.count
            let upper = end < origins.count ? places[origins[end]] : nil
            guard let between = spread(end - index, between: new.last, and: upper) else {
                return (0..<origins.count).map { (Int64($0) + 1) * gap }
            }
            new += between
            index = end
        }
        return new
    }

    /// - Returns: `nil` if there is not enough room.
    private static func spread(_ count: Int, between lower: Int64?, and upper: Int64?) -> [Int64]? {
        let places: [Int64]
        switch (lower, upper) {
        case (let lower?, let upper?):
            let step = (upper - lower) / Int64(count + 1)
            guard step > 0 else { return nil }
            places = (1...count).map { lower + Int64($0) * step }
        case (nil, let upper?): places = (1...count).map { upper - Int64(count + 1 - $0) * gap }
        case (let lower, nil): places = (1...count).map { (lower ?? 0) + Int64($0) * gap }
        }
        guard let first = places.first, let last = places.last, first > -limit, last < limit else { return nil }
        return places
    }

    /// Marks the members of a longest rising subsequence of the numbers. Negative numbers never belong to it.
    ///
    /// Patience sorting: `ends[n]` is the index of the smallest number that ends a subsequence of n + 1.
    static func longestRise(of numbers: [Int]) -> [Bool] {
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() where number >= 0 {
            var place = ends.count
            if let last = ends.last, numbers[last] >= number {
                var low = 0
                while low < place {
                    let middle = (low + place) / 2
                    if numbers[ends[middle]] < number { low = middle + 1 } else { place = middle }
                }
            }
            if place > 0 { before[index] = ends[place - 1] }
            if place == ends.count { ends.append(index) } else { ends[place] = index }
        }
        var belongs = [Bool](repeating: false, count: numbers.count)
        var index = ends.last ?? -1
        while index >= 0 {
            belongs[index] = true
            index = before[index]
        }
        return belongs
    }
}
