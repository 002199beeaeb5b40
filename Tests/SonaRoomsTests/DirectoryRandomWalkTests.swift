import SonaBase
import SonaRooms
import SonaTestSupport
import SonaWire
import Testing

/// Goal: searches find the right rooms in the promised order, pages neither repeat nor leave out rooms, and watched
/// lists equal a fresh search, whatever happens to rooms.
///
/// Way: a walk of random changes, compared with `NaiveDirectory` after each search, page and difference. Readers who
/// page through a list know which rooms could be found all the time since they began.
/// on in a list know what could be found all the time since they began.
@Suite struct DirectoryRandomWalkTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `search, pages and lists agree with the naive directory on a random walk`(seed: UInt64) throws {
        var walk = Walk(seed: seed)
        for _ in 0..<2_000 { try walk.step() }
        // The walk went everywhere.
        #expect(walk.hitCount > 2_000)
        #expect(walk.readToEndCount > 30)
        #expect(walk.pageCount > 200)
        #expect(walk.differenceCount > 300)
        #expect(walk.moveCount > 60)
        #expect(walk.silenceCount > 60)
    }
}

private struct Walk {
    /// Somebody who reads a list page by page.
    private struct Reading {
        var question: NaiveDirectory.Question
        var reader: UserID
        var cursor: String?
        var shown: [RoomID] = []
        /// Rooms that could be found all the time.
        var steady: Set<RoomID>
    }

    private struct Watcher {
        var question: NaiveDirectory.Question
        var subscription: DirectorySubscription
        var list: [DirectoryEntry] = []
        var times: [Int64] = []
    }

    private static let ownerCount = 30
    private static let roomCount = 220
    private static let words = [
        "jazz", "Jazzanova", "Déjà", "vu", "AC/DC", "Don’t", "stop", "東京", "音楽", "の夜", "らーめん", "КИНО", "Ёлка",
        "ёж", "مُحَمَّد", "ليل", "İstanbul", "ısparta", "🔥", "★", "한국", "ไทย", "हिन्दी", "a", "ab",
        "abc", "P!nk", "Łódź",
    ]
    private static let names = ["ada.lovelace", "bob", "DJ_X", "a-b-c", "jazzman", "Zoe99", "abcabc"]

    private let seed: UInt64
    private var generator: SeededGenerator
    private var directory: RoomDirectory
    private var naive = NaiveDirectory()
    private var now: Int64 = 0
    private var stepCount = 0
    private var readings: [Reading] = []
    private var watchers: [Watcher] = []
    private var nextReader = 0

    private(set) var hitCount = 0
    private(set) var pageCount = 0
    private(set) var readToEndCount = 0
    private(set) var differenceCount = 0
    private(set) var moveCount = 0
    private(set) var silenceCount = 0

    init(seed: UInt64) {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        directory = RoomDirectory(seed: seed)
    }

    private func check(_ condition: Bool, _ claim: String, _ detail: @autoclosure () -> String = "") throws {
        try #require(condition, "seed \(seed), step \(stepCount): \(claim) \(condition ? "" : detail())")
    }

    private mutating func chance(_ percent: Double) -> Bool { Double.random(in: 0..<100, using: &generator) < percent }

    private mutating func pick<Element>(_ elements: [Element], _ otherwise: Element) -> Element {
        elements.randomElement(using: &generator) ?? otherwise
    }

    mutating func step() throws {
        stepCount += 1
        now += Int64.random(in: 0...300_000, using: &generator)
        for _ in 0..<Int.random(in: 0...3, using: &generator) { change() }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...2: try searchOnce()
        case 3: try begin()
        case 4...6: try readOn()
        default: try watch()
        }
        try check(directory.publicCount == naive.publicCount, "as many public rooms")
    }

    // MARK: Changes

    private mutating func change() {
        let id = RoomID.number(Int.random(in: 0..<Self.roomCount, using: &generator))
        guard var entry = naive[id] else { return put(newEntry(id)) }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0:
            directory.remove(id)
            naive.remove(id)
            forget(id)
            return
        case 1...2: entry.room.settings.visibility = entry.room.settings.visibility == .public ? .private : .public
        case 3...5: entry.room.isLive.toggle()
        case 6...9: entry.room.listenerCount = max(0, entry.room.listenerCount + .random(in: -3...3, using: &generator))
        case 10: entry.room.settings.title = title(1...3)
        case 11: entry.tags = tags()
        case 12: entry.room.owner = owner()
        case 13: entry.room.host = chance(30) ? nil : owner()
        case 14: entry.room.settings.delivery = entry.room.settings.delivery == .party ? .interactive : .party
        default: entry.room.track = track()
        }
        put(entry)
    }

    private mutating func put(_ entry: DirectoryEntry) {
        directory.put(entry)
        naive.put(entry)
        forget(entry.room.id)
    }

    /// Readers who cannot find the room now have not been able to find it all the time.
    private mutating func forget(_ room: RoomID) {
        for index in readings.indices where !naive.finds(room, readings[index].question) {
            readings[index].steady.remove(room)
        }
    }

    private mutating func newEntry(_ id: RoomID) -> DirectoryEntry {
        DirectoryEntry(
            room: Room(
                id: id, settings: RoomSettings(title: title(1...3), visibility: chance(75) ? .public : .private),
                owner: owner(),
                host: chance(50) ? owner() : nil, isLive: chance(40),
                listenerCount: .random(in: 0...9, using: &generator),
                createdMilliseconds: .random(in: 0...20, using: &generator), track: track()),
            tags: tags())
    }

    private mutating func title(_ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &generator)).map { _ in pick(Self.words, "x") }.joined(separator: " ")
    }

    private mutating func track() -> Track? {
        chance(30) ? nil : Track(title: chance(80) ? title(1...3) : nil, artist: chance(80) ? title(1...2) : nil)
    }

    private mutating func tags() -> [String] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in title(1...2) }
    }

    private mutating func owner() -> User {
        User(
            uid: .number(.random(in: 0..<Self.ownerCount, using: &generator)),
            username: chance(80) ? Username(pick(Self.names, "x")) : nil, isGuest: false)
    }

    // MARK: Questions

    private mutating func question() -> NaiveDirectory.Question {
        var question = NaiveDirectory.Question()
        if chance(65) { question.text = typed() }
        if chance(15) { question.text += " " + typed() }
        if chance(30) { question.owners = owners(1...Self.ownerCount) }
        if chance(40) { question.hidden = owners(0...6) }
        if chance(40) { question.admitted = rooms(0...20) }
        return question
    }

    /// The beginning of a word, with its capitals changed at random.
    private mutating func typed() -> String {
        let word = Array(pick(Self.words + Self.names, "x").unicodeScalars)
        var beginning = String.UnicodeScalarView()
        beginning.append(contentsOf: word.prefix(Int.random(in: 1...word.count, using: &generator)))
        return chance(30) ? String(beginning).uppercased() : String(beginning)
    }

    private mutating func owners(_ count: ClosedRange<Int>) -> Set<UserID> {
        let count = Int.random(in: count, using: &generator)
        return Set((0..<count).map { _ in UserID.number(.random(in: 0..<Self.ownerCount, using: &generator)) })
    }

    private mutating func rooms(_ count: ClosedRange<Int>) -> Set<RoomID> {
        let count = Int.random(in: count, using: &generator)
        return Set((0..<count).map { _ in RoomID.number(.random(in: 0..<Self.roomCount, using: &generator)) })
    }

    // MARK: Searching

    private mutating func searchOnce() throws {
        let question = question()
        let limit = Int.random(in: 1...300, using: &generator)
        let page = try directory.search(question.query, reader: .number(0), limit: limit, now: now)
        let expected = naive.results(question)
        try check(
            page.entries == Array(expected.prefix(limit)), "a search finds what the naive one does",
            "\(question): \(page.entries.map(\.room.settings.title)), not \(expected.map(\.room.settings.title))")
        try check((page.nextCursor != nil) == (expected.count > limit), "there is a cursor to what there is")
        hitCount += page.entries.count
    }

    private mutating func begin() throws {
        let question = question()
        let expected = naive.results(question)
        nextReader += 1
        let limit = Int.random(in: 1...30, using: &generator)
        let page = try directory.search(question.query, reader: .number(nextReader), limit: limit, now: now)
        try check(page.entries == Array(expected.prefix(limit)), "a first page is what is so now")
        guard let cursor = page.nextCursor else { return }
        if readings.count == 6 { readings.removeFirst() }
        readings.append(
            Reading(
                question: question, reader: .number(nextReader), cursor: cursor, shown: page.entries.map(\.room.id),
                steady: Set(expected.map(\.room.id))))
    }

    private mutating func readOn() throws {
        guard let index = readings.indices.randomElement(using: &generator) else { return }
        var reading = readings[index]
        changeView(&reading)
        let limit = Int.random(in: 1...30, using: &generator)
        let page = try directory.search(
            reading.question.query, reader: reading.reader, cursor: reading.cursor, limit: limit, now: now)
        pageCount += 1
        for entry in page.entries {
            try check(naive.finds(entry.room.id, reading.question), "what is shown can be found", "\(entry)")
            try check(naive[entry.room.id] == entry, "what is shown is so now", "\(entry)")
        }
        try check(page.entries.count <= limit, "a page has its limit")
        try check(page.nextCursor == nil || page.entries.count == limit, "a page is full unless it is the last")
        reading.shown += page.entries.map(\.room.id)
        reading.cursor = page.nextCursor
        try check(Set(reading.shown).count == reading.shown.count, "nothing is shown twice", "\(reading.shown)")
        readings[index] = reading
        guard page.nextCursor == nil else { return }
        let missed = reading.steady.subtracting(reading.shown)
        try check(missed.isEmpty, "nothing is left out that was there all the time", "\(missed)")
        readings.remove(at: index)
        readToEndCount += 1
    }

    /// Blocks and invitations come and go while a reader pages.
    private mutating func changeView(_ reading: inout Reading) {
        if chance(10) { reading.question.hidden = owners(0...3) }
        if chance(10) { reading.question.admitted.subtract(rooms(0...20)) }
        let question = reading.question
        reading.steady = reading.steady.filter { naive.finds($0, question) }
    }

    // MARK: Watching

    private mutating func watch() throws {
        if watchers.count < 5 || chance(2) {
            if watchers.count == 5 { watchers.removeFirst() }
            let question = question()
            let limit = Int.random(in: 1...40, using: &generator)
            watchers.append(
                Watcher(question: question, subscription: DirectorySubscription(question.query, limit: limit)))
        }
        for index in watchers.indices where chance(70) { try look(index) }
    }

    private mutating func look(_ index: Int) throws {
        var watcher = watchers[index]
        defer { watchers[index] = watcher }
        if chance(3) {
            watcher.question = question()
            watcher.subscription.query = watcher.question.query
        }
        let isDue = now >= watcher.subscription.dueMicroseconds
        guard let changes = directory.changes(for: &watcher.subscription, now: now) else {
            if !isDue { return }
            silenceCount += 1
            return try compare(watcher, "no difference is none")
        }
        try check(isDue && !changes.isEmpty, "a difference comes when it is due")
        watcher.list = changes.applied(to: watcher.list)
        try compare(watcher, "a list with its difference is the list as it is")
        watcher.times.append(now)
        differenceCount += 1
        moveCount += changes.moved.count
        if let first = watcher.times.first, let last = watcher.times.dropLast().last {
            try check(watcher.times.count <= 2 + Int((now - first) / 1_000_000), "there is one difference a second")
            try check(now - last >= 750_000, "no two differences come together")
        }
    }

    private func compare(_ watcher: Watcher, _ claim: String) throws {
        let expected = Array(naive.results(watcher.question).prefix(watcher.subscription.limit))
        try check(
            watcher.list == expected, claim,
            "\(watcher.question): \(watcher.list.map(\.room.id)), not \(expected.map(\.room.id))")
    }
}
