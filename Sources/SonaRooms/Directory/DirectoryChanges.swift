package import SonaWire

/// The difference that turns a subscriber's list into the list as it is now.
///
/// Apply it in this order: take out `removed` and `moved`; put in `moved` and `added` together, by rising index, each
/// at its index; then apply `changed` and `listeners`.
package struct DirectoryChanges: Sendable, Equatable {
    /// A room that was not in the list.
    package struct Addition: Sendable, Equatable {
        /// Index in the list as it is now.
        package var index: Int
        package var entry: DirectoryEntry
    }

    /// A room that others of the list have passed, or that has passed them.
    package struct Move: Sendable, Equatable {
        /// Index in the list as it is now.
        package var index: Int
        package var room: RoomID
    }

    /// A room whose number of listeners changed and nothing else.
    package struct Listeners: Sendable, Equatable {
        package var room: RoomID
        package var count: Int
    }

    package var removed: [RoomID] = []
    package var added: [Addition] = []
    /// The smallest set of moves.
    package var moved: [Move] = []
    package var changed: [DirectoryEntry] = []
    package var listeners: [Listeners] = []

    package var isEmpty: Bool { self == DirectoryChanges() }

    /// O(n log n) if the order has changed, otherwise O(n).
    init(from old: [Found], to new: [Found]) {
        guard !old.elementsEqual(new, by: { $0.record.id == $1.record.id }) else {
            for (former, found) in zip(old, new) { compare(former.record, found.record) }
            return
        }
        var former: [RoomID: Int] = [:]
        for (index, found) in old.enumerated() { former[found.record.id] = index }
        var isKept = Array(repeating: false, count: old.count)
        var stays: [(index: Int, former: Int)] = []
        for (index, found) in new.enumerated() {
            if let former = former[found.record.id] {
                isKept[former] = true
                stays.append((index, former))
                compare(old[former].record, found.record)
            } else {
                added.append(Addition(index: index, entry: found.record.entry))
            }
        }
        removed = zip(old, isKept).filter { !$0.1 }.map(\.0.record.id)
        let resting = Self.longestRising(stays.map(\.former))
        for (stay, rests) in zip(stays, resting) where !rests {
            moved.append(Move(index: stay.index, room: new[stay.index].record.id))
        }
    }

    private init() {}

    private mutating func compare(_ former: DirectoryRecord, _ record: DirectoryRecord) {
        guard former !== record, former.entry != record.entry else { return }
        var entry = former.entry
        entry.room.listenerCount = record.entry.room.listenerCount
        if entry == record.entry {
            listeners.append(Listeners(room: record.id, count: record.entry.room.listenerCount))
        } else {
            changed.append(record.entry)
        }
    }

    /// Marks the members of a longest rising sequence of the numbers, which are all different. The rooms they stand for
    /// need not move.
    ///
    /// By patience sorting, O(n log n).
    private static func longestRising(_ numbers: [Int]) -> [Bool] {
        /// For each length, the index at which a sequence of that length ends with the lowest number.
        var ends: [Int] = []
        var before = Array(repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var range = 0..<ends.count
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range =
                    numbers[ends[middle]] < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            if range.lowerBound > 0 { before[index] = ends[range.lowerBound - 1] }
            if range.lowerBound == ends.count { ends.append(index) } else { ends[range.lowerBound] = index }
        }
        var belongs = Array(repeating: false, count: numbers.count)
        var index = ends.last ?? -1
        while index >= 0 {
            belongs[index] = true
            index = before[index]
        }
        return belongs
    }
}
