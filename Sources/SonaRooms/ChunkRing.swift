package import SonaWire

/// The recent chunks of a room, for listeners that join: the newest replaces the oldest.
///
/// Chunks are numbered from 0, without end. A listener keeps the number of its next chunk and nothing else.
/// Bounded by time (`microsecondsMax`, reckoned from the newest chunk's play time, and a sixteenth more) and by bytes
/// (`bytesMax`).
///
/// With hundreds of rooms playing, the cost of a chunk is its cache misses. Packets therefore lie one after another in
/// a few blocks that are reused, and no object is made or freed for a packet. `append` reads only this object, except
/// at the start of a block and at the limit of bytes.
package final class ChunkRing {
    /// Most bytes that a ring may hold, here or on the way to listeners. Here there may be one block more, which is
    /// reused.
    package static let bytesMax = 4 << 20

    private struct Entry {
        var header = AudioDown(epoch: 0, sequence: 0, playAtMicroseconds: 0, samples: 0)
        var due: Int64 = 0
        /// The number of the block that holds the packet. Block numbers are never reused.
        var block = 0
        var offset: UInt16 = 0
        var count: UInt16 = 0
        /// Bytes left unused in the block before, because this packet did not fit.
        var unused: UInt16 = 0

        var cost: Int { ChunkRing.cost(Int(count)) + Int(unused) }
    }

    /// Indexed by chunk number modulo the capacity, which is a power of two.
    private var entries: UnsafeMutablePointer<Entry>
    private var entriesCount = 64
    /// Number of the oldest chunk held.
    package private(set) var first = 0
    /// Number of the next chunk.
    package private(set) var end = 0

    /// Play time of the oldest chunk, µs.
    private var oldestPlayAt: Int64 = .max

    /// Blocks with the packets, in order. The last block is being filled.
    private var blocks: [UnsafeMutablePointer<UInt8>] = []
    /// The last block, and the number of bytes filled in it.
    private var tail: UnsafeMutablePointer<UInt8>?
    private var tailCount = 0
    /// Numbers of the first block and of the last.
    private var firstBlock = 0
    private var lastBlock = -1
    private static let blockBytes = 16_384

    private var bytes = 0
    /// The room's lead, plus the time that listeners who come late or fall behind may need.
    package var microsecondsMax: Int64

    package init(microsecondsMax: Int64) {
        self.microsecondsMax = microsecondsMax
        entries = .allocate(capacity: entriesCount)
        entries.initialize(repeating: Entry(), count: entriesCount)
    }

    deinit {
        entries.deallocate()
        for block in blocks { block.deallocate() }
    }

    package var isEmpty: Bool { first == end }
    package var numbers: Range<Int> { first..<end }

    /// The chunk with a number from `numbers`.
    package subscript(number: Int) -> AudioChunk {
        let entry = entry(number)
        let packet = UnsafeBufferPointer(
            start: blocks[entry.block - firstBlock] + Int(entry.offset), count: Int(entry.count))
        return AudioChunk(header: entry.header, packet: Array(packet), due: entry.due)
    }

    /// The header of a chunk, without its packet.
    package func header(_ number: Int) -> AudioDown { entry(number).header }
    package func due(_ number: Int) -> Int64 { entry(number).due }

    private func entry(_ number: Int) -> Entry {
        precondition(numbers.contains(number), "Chunk \(number) is not in the ring (\(numbers)).")
        return entries[number & (entriesCount - 1)]
    }

    /// Adds a chunk, whose packet has at most `Limits.packetBytesMax` bytes.
    package func append(_ chunk: AudioChunk) {
        let room = tail == nil ? 0 : Self.blockBytes - tailCount
        let unused = room < chunk.packet.count ? room : 0
        let cost = Self.cost(chunk.packet.count) + unused
        let oldest = chunk.header.playAtMicroseconds - microsecondsMax
        if oldestPlayAt < oldest - microsecondsMax / 16 {
            while oldestPlayAt < oldest { dropFirst() }
        }
        while first < end, bytes + cost > Self.bytesMax { dropFirst() }
        if end - first == entriesCount { grow() }
        if isEmpty { oldestPlayAt = chunk.header.playAtMicroseconds }
        let offset = store(chunk.packet)
        entries[end & (entriesCount - 1)] = Entry(
            header: chunk.header, due: chunk.due, block: lastBlock, offset: UInt16(offset),
            count: UInt16(chunk.packet.count), unused: UInt16(unused))
        bytes += cost
        end += 1
    }

    package func removeAll() {
        while first < end { dropFirst() }
    }

    /// Bytes that a chunk occupies in a filled block.
    package static func cost(_ packetBytes: Int) -> Int { packetBytes + MemoryLayout<Entry>.stride }

    private func dropFirst() {
        bytes -= entry(first).cost
        first += 1
        oldestPlayAt = isEmpty ? .max : header(first).playAtMicroseconds
    }

    /// - Returns: The packet's offset in the last block.
    private func store(_ packet: [UInt8]) -> Int {
        precondition(packet.count <= Self.blockBytes, "A packet of \(packet.count) bytes fits in no block.")
        let block = tailCount + packet.count <= Self.blockBytes ? tail ?? beginBlock() : beginBlock()
        let offset = tailCount
        packet.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { (block + offset).update(from: base, count: source.count) }
        }
        tailCount += packet.count
        return offset
    }

    /// Takes a block that holds no chunk any more, or allocates one.
    private func beginBlock() -> UnsafeMutablePointer<UInt8> {
        let held = isEmpty ? firstBlock + blocks.count : entry(first).block
        var free: UnsafeMutablePointer<UInt8>?
        while firstBlock < held {
            free?.deallocate()
            free = blocks.removeFirst()
            firstBlock += 1
        }
        let block = free ?? .allocate(capacity: Self.blockBytes)
        blocks.append(block)
        tail = block
        tailCount = 0
        lastBlock = firstBlock + blocks.count - 1
        return block
    }

    private func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: entriesCount * 2)
        larger.initialize(repeating: Entry(), count: entriesCount * 2)
        for number in numbers { larger[number & (entriesCount * 2 - 1)] = entry(number) }
        entries.deallocate()
        entries = larger
        entriesCount *= 2
    }
}
