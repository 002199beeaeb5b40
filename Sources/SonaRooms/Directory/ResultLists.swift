internal import SonaWire

/// The order of the results of one search, for the pages after the first.
struct ResultList: Sendable {
    let reader: UserID
    let text: String
    let isScoped: Bool
    /// Slot numbers of the shelf. Blocks of the directory's own order are shared with it.
    let blocks: [[Int32]]
    /// Revision of the directory when the list was made. A slot given to another room since then is skipped.
    let revision: Int64
    /// The positions at which pages begin. A cursor holds only an index into this array: a position would reveal how
    /// many rooms there are that the reader may not see.
    fileprivate(set) var starts: [Int] = []
    fileprivate(set) var usedMicroseconds: Int64
    /// Time at which the list was last put at the end of the queue.
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

    /// - Returns: The index of `start` among the beginnings of pages.
    fileprivate mutating func bookmark(_ start: Int) -> Int {
        if let index = starts.firstIndex(of: start) { return index }
        starts.append(start)
        return starts.count - 1
    }

    /// Approximate memory, bytes.
    fileprivate var cost: Int {
        // Shared blocks count as references; a block that the directory changes later stays with the list, at half a
        // kilobyte.
        blocks.count > 1 ? 1_024 + 8 * blocks.count : 1_024 + 4 * (blocks.first?.count ?? 0)
    }
}

/// The lists of searches that have not been read to their ends.
///
/// A list is kept for two minutes after its last page. Each reader keeps at most the latest four lists, and all lists
/// together at most `bytesMax`. A reader who types drops the lists of the beginnings typed before. Only the last limit
/// lets one reader drive out another's list.
///
/// The trade-off: the order of rooms changes with every listener, so a cursor alone cannot name a place that is still
/// right for the next page. Remembering the list costs memory and an expiry. A key into an order that never changes
/// would cost neither, but could not put live rooms first.
struct ResultLists: Sendable {
    static let lifetimeMicroseconds: Int64 = 120_000_000
    static let perReaderMax = 4

    private let seed: UInt64
    private let bytesMax: Int
    private var madeCount: UInt64 = 0
    private var lists: [UInt64: ResultList] = [:]
    private var readers: [UserID: [UInt64]] = [:]
    /// All lists, roughly in the order of their use, and some that were dropped.
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

    /// - Returns: The cursor of a position in a list that is kept.
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
        // Each list has exactly one valid spelling.
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
        // The front is cut only now and then, because the rest has to be moved.
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

    /// A different number for each list, from which the count of lists cannot be told: the finaliser of MurmurHash3.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var value = number
        value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ value >> 33
    }
}
