internal import SonaWire

/// The rows that a queue is stored in, and what is to be written to make them those of a later state.
///
/// The two states are compared in memory, which takes O(entries) and encodes nothing that has not changed. What is
/// written is in proportion to the change: an entry that comes, goes or moves is one row, a vote is one, a play is one;
/// and the state's row, some hundred bytes, is always one. The differences hold whatever happened in between, so several
/// changes are written as one.
///
/// Places have gaps of 2³². An entry that moves between two others takes the middle of theirs; where none is left, as
/// after 32 that were each put right before the last one, all of the list get new ones.
package struct PartyLedger: Sendable {
    /// Bytes of all texts and of the identifiers of those who voted.
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

    /// Nothing is stored yet.
    package init() {}

    /// - Parameters:
    ///   - rows: As they were read.
    ///   - queue: What they are.
    package init(_ rows: PartyRows, of queue: PartyQueue) {
        writes = rows.writes
        stateBytes = rows.state.utf8.count
        // A queue that is one text has no rows: whatever is written next makes all of them.
        guard !(rows.entries.isEmpty && rows.plays.isEmpty && rows.ballots.isEmpty) else { return }
        waiting.read(queue.waiting, rows.entries)
        pending.read(queue.pending, rows.entries)
        past.read(queue.past, rows.entries)
        plays.read(queue.history, rows.plays)
        (skipped, skippers) = (queue.playing?.entry.id, queue.skippers)
        skipBytes = skippers.reduce(0) { $0 + $1.rawValue.utf8.count }
    }

    /// Takes another state for the stored one.
    ///
    /// - Returns: What makes the rows those of `queue`. Until that is written, the ledger before is the one that holds.
    package mutating func update(to queue: PartyQueue) -> PartyRowChange {
        var change = PartyRowChange(after: writes, state: queue.stateText)
        writes += 1
        stateBytes = change.state.utf8.count
        skipBytes += updateSkips(to: queue, &change)
        waiting.update(to: queue.waiting, &change)
        pending.update(to: queue.pending, &change)
        past.update(to: queue.past, &change)
        plays.update(to: queue.history, &change)
        return change
    }

    /// - Returns: By how many bytes the identifiers stored have become more.
    private mutating func updateSkips(to queue: PartyQueue, _ change: inout PartyRowChange) -> Int {
        let entry = queue.playing?.entry.id
        defer { (skipped, skippers) = (entry, queue.skippers) }
        guard entry != skipped || queue.skippers != skippers else { return 0 }
        let before = Dictionary(uniqueKeysWithValues: skippers.map { ($0, PartyRows.Choice.skip) })
        let after = Dictionary(uniqueKeysWithValues: queue.skippers.map { ($0, PartyRows.Choice.skip) })
        if let skipped, skipped == entry { return change.updateVotes(for: skipped, from: before, to: after) }
        return (skipped.map { change.updateVotes(for: $0, from: before, to: [:]) } ?? 0)
            + (entry.map { change.updateVotes(for: $0, from: [:], to: after) } ?? 0)
    }
}

/// What has to be done to the rows of a queue, in the order of these properties.
package struct PartyRowChange: Sendable, Equatable {
    package struct Move: Sendable, Equatable {
        package let id: Int64
        package let place: Int64
    }

    package struct Withdrawal: Sendable, Equatable {
        package let entry: Int64
        package let user: String
    }

    /// How often the queue had been written before this: it is of use for that state and no other.
    package let after: Int64
    package let state: String
    /// Entries all of whose votes go.
    package fileprivate(set) var closedVotes: [Int64] = []
    package fileprivate(set) var withdrawals: [Withdrawal] = []
    /// New ones, and those of people who have changed their mind.
    package fileprivate(set) var ballots: [PartyRows.Ballot] = []
    package fileprivate(set) var goneEntries: [Int64] = []
    package fileprivate(set) var moves: [Move] = []
    /// New ones, and those in which something has changed.
    package fileprivate(set) var entries: [PartyRows.Entry] = []
    /// Plays of lower numbers are forgotten; `nil`: none are.
    package fileprivate(set) var firstPlay: Int64?
    package fileprivate(set) var plays: [PartyRows.Play] = []

    fileprivate init(after: Int64, state: String) {
        self.after = after
        self.state = state
    }

    /// - Returns: By how many bytes the identifiers stored have become more.
    fileprivate mutating func updateVotes(
        for id: QueueEntryID, from before: [UserID: PartyRows.Choice], to after: [UserID: PartyRows.Choice]
    ) -> Int {
        var bytes = 0
        if after.isEmpty, !before.isEmpty {
            closedVotes.append(id.rawValue)
            return before.keys.reduce(0) { $0 - $1.rawValue.utf8.count }
        }
        for user in before.keys where after[user] == nil {
            withdrawals.append(Withdrawal(entry: id.rawValue, user: user.rawValue))
            bytes -= user.rawValue.utf8.count
        }
        for (user, choice) in after where before[user] != choice {
            ballots.append(PartyRows.Ballot(entry: id.rawValue, user: user.rawValue, choice: choice))
            if before[user] == nil { bytes += user.rawValue.utf8.count }
        }
        return bytes
    }
}

/// What the rows of an entry are made of.
private protocol StoredEntry: Sendable {
    var id: QueueEntryID { get }
    func hasText(of other: Self) -> Bool
    var text: String { get }
    func hasVotes(of other: Self) -> Bool
    var choices: [UserID: PartyRows.Choice] { get }
}

extension StoredEntry {
    fileprivate func hasVotes(of other: Self) -> Bool { true }
    fileprivate var choices: [UserID: PartyRows.Choice] { [:] }
}

extension PartyQueue.Waiting: StoredEntry {
    var id: QueueEntryID { entry.id }

    /// Votes are rows of their own.
    @inline(__always) fileprivate func hasText(of other: Self) -> Bool {
        passedOver == other.passedOver && isRecalled == other.isRecalled && entry.isSameSuggestion(as: other.entry)
    }

    /// Where nobody has voted in between, the two are one table in memory, and equal at a glance.
    @inline(__always) fileprivate func hasVotes(of other: Self) -> Bool { ballots == other.ballots }

    fileprivate var choices: [UserID: PartyRows.Choice] { ballots.mapValues { $0 == .up ? .up : .down } }
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
    let list: PartyRows.List
    /// Of texts, and of the identifiers of those who voted.
    private(set) var bytes = 0
    private var elements: [Element] = []
    private var places: [Int64] = []
    private var lengths: [Int] = []

    init(list: PartyRows.List) { self.list = list }

    mutating func read(_ elements: [Element], _ rows: [PartyRows.Entry]) {
        let rows = rows.filter { $0.list == list }
        self.elements = elements
        places = rows.map(\.place)
        lengths = rows.map(\.text.utf8.count)
        bytes = lengths.reduce(0, +)
        for element in elements { bytes += element.choices.keys.reduce(0) { $0 + $1.rawValue.utf8.count } }
    }

    mutating func update(to next: [Element], _ change: inout PartyRowChange) {
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
                    change.moves.append(PartyRowChange.Move(id: next[index].id.rawValue, place: newPlaces[index]))
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
    private func put(_ element: Element, at place: Int64, _ change: inout PartyRowChange) -> Int {
        let text = element.text
        change.entries.append(PartyRows.Entry(id: element.id.rawValue, list: list, place: place, text: text))
        return text.utf8.count
    }

    /// For each of `next` the index it had before, −1 for one that is new. Most changes leave both ends as they were.
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

/// The plays that are remembered: new ones come at one end, old ones go at the other.
private struct StoredPlays {
    private(set) var bytes = 0
    private var last: Int64?
    private var lengths: [Int] = []

    mutating func read(_ plays: [PartyQueue.Play], _ rows: [PartyRows.Play]) {
        last = plays.last?.number
        lengths = rows.map(\.text.utf8.count)
        bytes = lengths.reduce(0, +)
    }

    mutating func update(to next: [PartyQueue.Play], _ change: inout PartyRowChange) {
        let new = next.reversed().prefix { play in last.map { play.number > $0 } ?? true }.reversed()
        let kept = next.count - new.count
        guard !new.isEmpty || kept != lengths.count else { return }
        if kept < lengths.count { change.firstPlay = next.first?.number ?? .max }
        change.plays = new.map { PartyRows.Play(number: $0.number, text: $0.text) }
        lengths = lengths.suffix(kept) + change.plays.map(\.text.utf8.count)
        last = next.last?.number
        bytes = lengths.reduce(0, +)
    }
}

/// Where rows stand in their list.
enum Places {
    static let gap: Int64 = 1 << 32
    /// Further from 0 there are none: sums stay in range.
    static let limit: Int64 = 1 << 60

    /// Rising places for entries that had others before, as few as can be of them new.
    ///
    /// O(n), or O(n log n) where the order has changed.
    /// - Parameters:
    ///   - origins: For each entry its index in `places`, −1 for one that had none.
    ///   - places: Those before, rising.
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

    /// - Returns: `nil` where there is not room enough.
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

    /// Which of the numbers belong to a longest rising run, not all of it need be in a row; negative ones belong to none.
    ///
    /// Patience sorting: `ends[n]` is the index of the smallest number that ends a run of n + 1.
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
