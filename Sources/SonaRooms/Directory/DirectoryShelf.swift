internal import SonaWire

/// Storage of the directory's rooms: each room has a numbered slot.
struct DirectoryShelf: Sendable {
    /// The data that a search reads for every room, side by side in one cache line.
    struct Mark: Sendable {
        var signature = WordSignature()
        var rank: DirectoryRank
        /// Revision of the directory at which the room changed last, or left.
        var revision: Int64
        /// Revision of the directory at which the room took this slot.
        var sinceRevision: Int64
    }

    private(set) var records: [DirectoryRecord?] = []
    private(set) var marks: [Mark] = []
    private var slots: [RoomID: Int32] = [:]
    private var free: [Int32] = []

    var count: Int { slots.count }

    func slot(of room: RoomID) -> Int32? { slots[room] }

    /// The order in which rooms are listed.
    func isBefore(_ one: Int32, _ other: Int32) -> Bool {
        let ranks = (marks[Int(one)].rank, marks[Int(other)].rank)
        if ranks.0 != ranks.1 { return ranks.0 > ranks.1 }
        guard one != other, let one = records[Int(one)], let other = records[Int(other)] else { return false }
        return one.id.rawValue < other.id.rawValue
    }

    mutating func insert(_ record: DirectoryRecord, revision: Int64) -> Int32 {
        let mark = Mark(
            signature: record.words.signature, rank: record.rank, revision: revision, sinceRevision: revision)
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
            records[Int(slot)] = record
            marks[Int(slot)] = mark
        } else {
            slot = Int32(records.count)
            records.append(record)
            marks.append(mark)
        }
        slots[record.id] = slot
        return slot
    }

    mutating func replace(_ slot: Int32, _ record: DirectoryRecord, revision: Int64) {
        records[Int(slot)] = record
        marks[Int(slot)].signature = record.words.signature
        marks[Int(slot)].rank = record.rank
        marks[Int(slot)].revision = revision
    }

    mutating func remove(_ slot: Int32, revision: Int64) {
        if let record = records[Int(slot)] { slots[record.id] = nil }
        records[Int(slot)] = nil
        marks[Int(slot)].revision = revision
        free.append(slot)
    }
}
