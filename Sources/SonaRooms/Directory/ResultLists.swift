internal import SonaWire

/// The order of what one search found, for the pages behind the first.
struct ResultList: Sendable {
    let reader: UserID
    let text: String
    let isScoped: Bool
    /// Numbers of places on the shelf. Blocks of the directory's own order are shared with it.
    let blocks: [[Int32]]
    /// Of the directory when the list was made: a place that was given to another room since is nobody's here.
    let revision: Int64
    /// Where pages begin. A cursor says only which of them it means: a place in the list would tell how many rooms
    /// there are that its reader may not see.
    fileprivate(set) var starts: [Int] = []
    fileprivate(set) var usedMicroseconds: Int64
    /// When it was put at the end of the queue last.
    fileprivate var queuedMicroseconds: Int64

    init(_ query: DirectoryQuery, reader: UserID, blocks: [[Int32]], revision: Int64, now: Int64) {
        self.reader = reader
        text = query.text
        isScoped = query.scope != .all
        self.blocks = blocks
        self.revision = revision
        usedMicroseconds = now
        queuedMicroseconds = now
    }

    /// - Returns: Which of the beginnings of pages it is.
    fileprivate mutating func bookmark(_ start: Int) -> Int {
        if let index = starts.firstIndex(of: start) { return index }
        starts.append(start)
        return starts.count - 1
    }

    /// Bytes of memory, about.
    fileprivate var cost: Int {
        // Of shared blocks, the references; one that changes later stays behind, with half a kilobyte.
        blocks.count > 1 ? 1_024 + 8 * blocks.count : 1_024 + 4 * (blocks.first?.count ?? 0)
    }
}

/// The lists of searches that have not been read to their ends.
///
/// A list is kept for two minutes after its last page, of each reader at most the latest four, and of all of them
/// `bytesMax`: who types drops the lists of the beginnings typed before, and nobody can drive out another's but by that
/// last bound.
///
/// The trade-off: order among rooms changes with every listener, so a place in it that is good for the next page cannot
/// be said in a cursor alone. To remember the list costs memory and an expiry; a key into an order that never changes
/// would cost neither, and would not have live rooms first.
struct ResultLists: Sendable {
    static let lifetimeMicroseconds: Int64 = 120_000_000
    static let perReaderMax = 4

    private let seed: UInt64
    private let bytesMax: Int
    private var madeCount: UInt64 = 0
    private var lists: [UInt64: ResultList] = [:]
    private var readers: [UserID: [UInt64]] = [:]
    /// Every list, about in the order of their use; and some that are gone.
    private var queue: [UInt64] = []
    private var queueStart = 0
    private var bytes = 0

    init(seed: UInt64, bytesMax: Int) {
        self.seed = seed
        self.bytesMax = bytesMax
    }

    /// - Returns: The cursor of the page that begins at `bookmark`.
    mutating func keep(_ list: ResultList, bookmark: Int, now: Int64) -> String {
        makeRoom(for: list.cost, now: now)
        if let numbers = readers[list.reader], numbers.count >= Self.perReaderMax { drop(numbers[0]) }
        madeCount += 1
        let number = Self.mixed(seed &+ madeCount)
        lists[number] = list
        readers[list.reader, default: []].append(number)
        queue.append(number)
        bytes += list.cost
        return self.bookmark(bookmark, in: number)
    }

    /// - Returns: The cursor of a place in a list that is kept.
    mutating func bookmark(_ start: Int, in number: UInt64) -> String {
        guard let index = lists[number]?.bookmark(start) else {
            preconditionFailure("A list that is being read is kept.")
        }
        return "\(String(number, radix: 16)).\(index)"
    }

    /// - Throws: `cursorForeign`, `cursorExpired`.
    mutating func list(
        at cursor: String, of reader: UserID, _ query: DirectoryQuery, now: Int64
    ) throws(DirectoryError) -> (list: ResultList, number: UInt64, start: Int) {
        guard let (number, index) = Self.parse(cursor) else { throw .cursorForeign }
        guard let list = lists[number], now - list.usedMicroseconds <= Self.lifetimeMicroseconds else {
            throw .cursorExpired
        }
        guard list.reader == reader, list.text == query.text, list.isScoped == (query.scope != .all),
            list.starts.indices.contains(index)
        else { throw .cursorForeign }
        lists[number]?.usedMicroseconds = now
        return (list, number, list.starts[index])
    }

    private static func parse(_ cursor: String) -> (number: UInt64, index: Int)? {
        guard cursor.utf8.count <= 32 else { return nil }
        let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt64(parts[0], radix: 16), let index = Int(parts[1]), index >= 0 else {
            return nil
        }
        // One list has one spelling.
        return String(number, radix: 16) == parts[0] && String(index) == parts[1] ? (number, index) : nil
    }

    private mutating func makeRoom(for cost: Int, now: Int64) {
        while queueStart < queue.count {
            let number = queue[queueStart]
            if let list = lists[number] {
                if now - list.usedMicroseconds > Self.lifetimeMicroseconds || bytes + cost > bytesMax {
                    drop(number)
                } else if list.queuedMicroseconds < list.usedMicroseconds {
                    lists[number]?.queuedMicroseconds = list.usedMicroseconds
                    queue.append(number)
                } else {
                    break
                }
            }
            queueStart += 1
        }
        // Cut now and then only, since what is behind has to be moved.
        if queueStart > 1_024, queueStart > queue.count / 2 {
            queue.removeFirst(queueStart)
            queueStart = 0
        }
    }

    private mutating func drop(_ number: UInt64) {
        guard let list = lists.removeValue(forKey: number) else { return }
        bytes -= list.cost
        readers[list.reader]?.removeAll { $0 == number }
        if readers[list.reader]?.isEmpty == true { readers[list.reader] = nil }
    }

    /// Another number for each, and none that shows how many there were: the finaliser of MurmurHash3.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var value = number
        value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ value >> 33
    }
}
