package import SonaWire

/// The recent chunks of a room, for those who come in: the newest replaces the oldest.
///
/// Chunks are numbered from 0 for ever; a listener keeps the number of the next one it is owed and nothing else.
/// Bounded by time (`microsecondsMax`, reckoned from the newest chunk's play time) and by bytes (`bytesMax`).
///
/// Where hundreds of rooms play, what is not in the processor's cache is what a chunk costs: packets lie behind one
/// another in a few blocks, which are used again, and no object is made or freed for any of them.
package struct ChunkRing: Sendable {
    /// What a ring, here or on the way to listeners, may hold. Here a block more: one is used again.
    package static let bytesMax = 4 << 20

    private struct Entry {
        var header = AudioDown(epoch: 0, sequence: 0, playAtMicroseconds: 0, samples: 0)
        var due: Int64 = 0
        /// The block its packet is in, by its number for ever, and where in it.
        var block = 0
        var offset: UInt16 = 0
        var count: UInt16 = 0
        /// What the block before has left, because this packet did not fit in.
        var unused: UInt16 = 0

        var cost: Int { ChunkRing.cost(Int(count)) + Int(unused) }
    }

    /// By number, modulo its size, which is a power of two.
    private var entries = [Entry](repeating: Entry(), count: 64)
    /// Number of the oldest chunk held.
    package private(set) var first = 0
    /// Number of the chunk that comes next.
    package private(set) var end = 0

    /// Packets, in their order. The last block is being filled.
    private var blocks: [[UInt8]] = []
    /// Number of the first of them.
    private var firstBlock = 0
    private static let blockBytes = 16_384

    private var bytes = 0
    /// The room's lead plus what late comers and laggards may need.
    package var microsecondsMax: Int64

    package init(microsecondsMax: Int64) {
        self.microsecondsMax = microsecondsMax
    }

    package var isEmpty: Bool { first == end }
    package var numbers: Range<Int> { first..<end }

    /// The chunk of a number in `numbers`.
    package subscript(number: Int) -> AudioChunk {
        let entry = entry(number)
        let place = Int(entry.offset)..<Int(entry.offset) + Int(entry.count)
        return AudioChunk(
            header: entry.header, packet: Array(blocks[entry.block - firstBlock][place]), due: entry.due)
    }

    /// The same without its packet.
    package func header(_ number: Int) -> AudioDown { entry(number).header }
    package func due(_ number: Int) -> Int64 { entry(number).due }

    private func entry(_ number: Int) -> Entry {
        precondition(numbers.contains(number), "Chunk \(number) is not in the ring (\(numbers)).")
        return entries[number & (entries.count - 1)]
    }

    /// Adds a chunk, whose packet has at most `Limits.packetBytesMax` bytes.
    package mutating func append(_ chunk: AudioChunk) {
        let room = blocks.last.map { Self.blockBytes - $0.count } ?? 0
        let unused = room < chunk.packet.count ? room : 0
        let cost = Self.cost(chunk.packet.count) + unused
        let oldest = chunk.header.playAtMicroseconds - microsecondsMax
        while first < end, header(first).playAtMicroseconds < oldest || bytes + cost > Self.bytesMax { dropFirst() }
        if end - first == entries.count { grow() }
        let (block, offset) = store(chunk.packet)
        entries[end & (entries.count - 1)] = Entry(
            header: chunk.header, due: chunk.due, block: block, offset: UInt16(offset),
            count: UInt16(chunk.packet.count), unused: UInt16(unused))
        bytes += cost
        end += 1
    }

    package mutating func removeAll() {
        while first < end { dropFirst() }
    }

    /// What a chunk takes, if its block is filled.
    package static func cost(_ packetBytes: Int) -> Int { packetBytes + MemoryLayout<Entry>.stride }

    private mutating func dropFirst() {
        bytes -= entry(first).cost
        first += 1
    }

    /// - Returns: The number of the block, and where in it.
    private mutating func store(_ packet: [UInt8]) -> (block: Int, offset: Int) {
        if blocks.last.map({ $0.count + packet.count > Self.blockBytes }) ?? true { beginBlock() }
        let last = blocks.count - 1
        let offset = blocks[last].count
        blocks[last].append(contentsOf: packet)
        return (firstBlock + last, offset)
    }

    /// Takes a block in which nothing is held any more, or a new one.
    private mutating func beginBlock() {
        let held = first < end ? entry(first).block : firstBlock + blocks.count
        var block: [UInt8] = []
        while firstBlock < held {
            block = blocks.removeFirst()
            firstBlock += 1
        }
        block.removeAll(keepingCapacity: true)
        block.reserveCapacity(Self.blockBytes)
        blocks.append(block)
    }

    private mutating func grow() {
        var larger = [Entry](repeating: Entry(), count: entries.count * 2)
        for number in numbers { larger[number & (larger.count - 1)] = entry(number) }
        entries = larger
    }
}
