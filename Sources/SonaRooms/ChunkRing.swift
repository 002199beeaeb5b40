internal import SonaWire

/// The recent chunks of a room, for those who come in: the newest replaces the oldest.
///
/// Chunks are numbered from 0 for ever; a listener keeps the number of the next one it is owed and nothing else.
/// Bounded by time (`microsecondsMax`, reckoned from the newest chunk's play time) and by bytes (`bytesMax`).
package struct ChunkRing: Sendable {
    /// What a ring, here or on the way to listeners, may hold.
    package static let bytesMax = 4 << 20

    private var entries: [AudioChunk?] = Array(repeating: nil, count: 64)
    /// Of each chunk, when it plays and what it is reckoned at: to drop old ones without looking at them, which would
    /// fetch them into the cache for nothing.
    private var marks: [(playAt: Int64, cost: Int)] = Array(repeating: (0, 0), count: 64)
    /// Number of the oldest chunk held.
    package private(set) var first = 0
    /// Number of the chunk that comes next.
    package private(set) var end = 0
    private var bytes = 0
    private let microsecondsMax: Int64

    /// - Parameter microsecondsMax: The room's lead plus what late comers and laggards may need.
    package init(microsecondsMax: Int64) {
        self.microsecondsMax = microsecondsMax
    }

    package var isEmpty: Bool { first == end }
    package var numbers: Range<Int> { first..<end }

    /// The chunk of a number in `numbers`.
    package subscript(number: Int) -> AudioChunk {
        guard numbers.contains(number), let entry = entries[number & (entries.count - 1)] else {
            preconditionFailure("Chunk \(number) is not in the ring (\(numbers)).")
        }
        return entry
    }

    package mutating func append(_ chunk: AudioChunk) {
        let cost = Self.cost(chunk)
        let oldest = chunk.header.playAtMicroseconds - microsecondsMax
        while first < end, mark(first).playAt < oldest || bytes + cost > Self.bytesMax { dropFirst() }
        if end - first == entries.count { grow() }
        let place = end & (entries.count - 1)
        entries[place] = chunk
        marks[place] = (chunk.header.playAtMicroseconds, cost)
        bytes += cost
        end += 1
    }

    private func mark(_ number: Int) -> (playAt: Int64, cost: Int) { marks[number & (marks.count - 1)] }

    package mutating func removeAll() {
        while first < end { dropFirst() }
    }

    /// What a chunk is reckoned at: its packet, and the objects around it, which outweigh a small one.
    static func cost(_ chunk: AudioChunk) -> Int { chunk.packet.count + 256 }

    private mutating func dropFirst() {
        bytes -= mark(first).cost
        entries[first & (entries.count - 1)] = nil
        first += 1
    }

    private mutating func grow() {
        var larger = [AudioChunk?](repeating: nil, count: entries.count * 2)
        var largerMarks = [(playAt: Int64, cost: Int)](repeating: (0, 0), count: marks.count * 2)
        for number in numbers {
            larger[number & (larger.count - 1)] = self[number]
            largerMarks[number & (larger.count - 1)] = mark(number)
        }
        entries = larger
        marks = largerMarks
    }
}
