/// Rooms in their order, as slot numbers of the shelf.
///
/// The order is stored in blocks. A copy shares every block that is not changed afterwards. Keeping the order of one
/// moment costs a reference for each block, and each later change copies at most one block.
struct RankedOrder: Sendable {
    /// A longer block is split.
    private static let blockMax = 128

    private(set) var blocks: [[Int32]] = []
    private(set) var count = 0

    init() {}

    /// Puts all slots into one block, however many there are. O(n log n).
    init(_ slots: [Int32], _ shelf: DirectoryShelf) {
        blocks = [slots.sorted(by: shelf.isBefore)]
        count = slots.count
    }

    /// O(√n). The slot's rank must be on the shelf.
    mutating func insert(_ slot: Int32, _ shelf: DirectoryShelf) {
        count += 1
        let block = min(block(of: slot, shelf), blocks.count - 1)
        guard block >= 0 else {
            blocks = [[slot]]
            return
        }
        blocks[block].insert(slot, at: Self.position(of: slot, in: blocks[block], shelf))
        if blocks[block].count > Self.blockMax { part(block) }
    }

    /// O(√n). The rank at insertion must still be on the shelf.
    mutating func remove(_ slot: Int32, _ shelf: DirectoryShelf) {
        let block = block(of: slot, shelf)
        precondition(block < blocks.count, "A room that is to leave the order is in it.")
        let position = Self.position(of: slot, in: blocks[block], shelf)
        precondition(
            position < blocks[block].count && blocks[block][position] == slot, "A room stands where its rank says.")
        count -= 1
        blocks[block].remove(at: position)
        if blocks[block].isEmpty { blocks.remove(at: block) }
    }

    private mutating func part(_ block: Int) {
        let half = blocks[block].count / 2
        blocks.insert(Array(blocks[block][half...]), at: block + 1)
        blocks[block].removeSubrange(half...)
    }

    /// The first block that does not end before `slot`.
    private func block(of slot: Int32, _ shelf: DirectoryShelf) -> Int {
        var range = 0..<blocks.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let last = blocks[middle][blocks[middle].count - 1]
            range = shelf.isBefore(last, slot) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    /// The first position in a block that is not before `slot`.
    private static func position(of slot: Int32, in block: [Int32], _ shelf: DirectoryShelf) -> Int {
        var range = 0..<block.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = shelf.isBefore(block[middle], slot) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
