import SonaBase
import SonaRooms
import SonaTestSupport
import SonaWire
import Testing

@Suite struct DirectoryPagingTests {
    private static let reader = UserID.number(1)
    private static let second: Int64 = 1_000_000

    /// Rooms, the first of them the newest.
    private static func rooms(_ count: Int) -> RoomDirectory {
        RoomDirectory((0..<count).map { DirectoryEntry($0, "jazz", created: Int64(count - $0)) })
    }

    private static func refused(_ body: () throws -> Void) -> DirectoryError? {
        do {
            try body()
            return nil
        } catch { return error as? DirectoryError }
    }

    @Test(arguments: [1, 2, 9, 10, 11, 200, 999, 1000], ["", "jazz"])
    func `all pages together make up the whole result`(limit: Int, text: String) throws {
        var directory = Self.rooms(1000)
        let query = DirectoryQuery(text)
        var seen: [RoomID] = []
        var cursor: String?
        repeat {
            let page = try directory.search(query, reader: Self.reader, cursor: cursor, limit: limit, now: 0)
            #expect(page.entries.count == min(limit, 1000 - seen.count))
            seen += page.entries.map(\.room.id)
            cursor = page.nextCursor
            if let cursor { #expect((1...32).contains(cursor.utf8.count) && cursor.allSatisfy(\.isASCII)) }
        } while cursor != nil
        #expect(seen == (0..<1000).map { RoomID.number($0) })
    }

    @Test(arguments: ["", "jazz"])
    func `a room that moves is shown once, one that comes is not, one that goes is not`(text: String) throws {
        var directory = Self.rooms(9)
        let query = DirectoryQuery(text)
        let first = try directory.search(query, reader: Self.reader, limit: 3, now: 0)
        #expect(first.entries.map(\.room.id) == [0, 1, 2].map { RoomID.number($0) })
        // One of the shown rooms falls back, and one of the rooms to come rises before them.
        directory.put(DirectoryEntry(1, "jazz", created: 0))
        directory.put(DirectoryEntry(7, "jazz", isLive: true))
        directory.put(DirectoryEntry(20, "jazz"))
        directory.put(DirectoryEntry(4, "jazz", visibility: .private))
        directory.remove(.number(5))
        // A new room takes the place of the one that is gone.
        directory.put(DirectoryEntry(21, "jazz"))
        let second = try directory.search(query, reader: Self.reader, cursor: first.nextCursor, limit: 3, now: 0)
        #expect(second.entries.map(\.room.id) == [3, 6, 7].map { RoomID.number($0) })
        // A room that comes back is where it was.
        let third = try directory.search(query, reader: Self.reader, cursor: second.nextCursor, limit: 3, now: 0)
        #expect(third.entries.map(\.room.id) == [.number(8)] && third.nextCursor == nil)
    }

    @Test func `a shown room that leaves and returns is not shown again`() throws {
        var directory = Self.rooms(6)
        let first = try directory.search(DirectoryQuery(), reader: Self.reader, limit: 2, now: 0)
        directory.remove(.number(4))
        directory.remove(.number(0))
        // First it takes the place of the fourth, which the list still has before it; then its own.
        directory.put(DirectoryEntry(0, "jazz", created: 6))
        directory.put(DirectoryEntry(4, "jazz", created: 2))
        let rest = try directory.search(
            DirectoryQuery(), reader: Self.reader, cursor: first.nextCursor, limit: 9, now: 0)
        #expect(rest.entries.map(\.room.id) == [2, 3, 5].map { RoomID.number($0) })
    }

    @Test func `present blocks, invitations and follows count on every page`() throws {
        var directory = RoomDirectory((0..<6).map { DirectoryEntry($0, by: $0, created: Int64(9 - $0)) })
        directory.put(DirectoryEntry(6, by: 6, visibility: .private))
        let owners = Set((0..<7).map { UserID.number($0) })
        var query = DirectoryQuery(scope: .owners(owners), admitted: [.number(6)])
        let first = try directory.search(query, reader: Self.reader, limit: 1, now: 0)
        query.hidden = [.number(2)]
        query.scope = .owners(owners.subtracting([.number(4)]))
        let second = try directory.search(query, reader: Self.reader, cursor: first.nextCursor, limit: 3, now: 0)
        #expect(second.entries.map(\.room.id) == [1, 3, 5].map { RoomID.number($0) })
        query.admitted = []
        let third = try directory.search(query, reader: Self.reader, cursor: second.nextCursor, limit: 3, now: 0)
        #expect(third.entries.isEmpty && third.nextCursor == nil)
        // The same page for a reader who is still invited.
        query.admitted = [.number(6)]
        let again = try directory.search(query, reader: Self.reader, cursor: second.nextCursor, limit: 3, now: 0)
        #expect(again.entries.map(\.room.id) == [.number(6)])
    }

    @Test func `no cursor leads to rooms that the reader may not see`() throws {
        var directory = RoomDirectory([
            DirectoryEntry(1, "a", created: 3), DirectoryEntry(2, "a", by: 2, created: 2),
            DirectoryEntry(3, "a", visibility: .private),
        ])
        for text in ["", "a"] {
            let query = DirectoryQuery(text, hidden: [.number(2)])
            let page = try directory.search(query, reader: Self.reader, limit: 1, now: 0)
            #expect(page.entries.map(\.room.id) == [.number(1)] && page.nextCursor == nil)
        }
    }

    @Test func `a cursor is valid for its reader and its search, any number of times`() throws {
        var directory = Self.rooms(9)
        func cursor(_ query: DirectoryQuery) throws -> String {
            try #require(try directory.search(query, reader: Self.reader, limit: 3, now: 0).nextCursor)
        }
        func use(_ cursor: String, _ query: DirectoryQuery, _ reader: UserID = Self.reader) -> DirectoryError? {
            Self.refused { _ = try directory.search(query, reader: reader, cursor: cursor, limit: 3, now: 0) }
        }
        let jazz = try cursor(DirectoryQuery("jazz"))
        #expect(use(jazz, DirectoryQuery("jazz")) == nil)
        #expect(use(jazz, DirectoryQuery("jazz", hidden: [.number(5)], admitted: [.number(5)])) == nil)
        #expect(use(jazz, DirectoryQuery("jaz")) == .cursorForeign)
        #expect(use(jazz, DirectoryQuery("jazz", scope: .owners([.number(0)]))) == .cursorForeign)
        #expect(use(jazz, DirectoryQuery("jazz"), .number(2)) == .cursorForeign)
        let mine = try cursor(DirectoryQuery(scope: .owners([.number(0)])))
        #expect(use(mine, DirectoryQuery(scope: .owners([.number(0), .number(1)]))) == nil)
        #expect(use(mine, DirectoryQuery()) == .cursorForeign)
        #expect(use(jazz, DirectoryQuery("jazz")) == nil)
    }

    @Test func `asking for a page again gives the same page`() throws {
        var directory = Self.rooms(20)
        func page(_ cursor: String?) throws -> DirectoryPage {
            try directory.search(DirectoryQuery("jazz"), reader: Self.reader, cursor: cursor, limit: 3, now: 0)
        }
        var pages = [try page(nil)]
        while let cursor = pages[pages.count - 1].nextCursor { pages.append(try page(cursor)) }
        #expect(pages.count == 7)
        for (former, expected) in zip(pages, pages.dropFirst()).reversed() {
            #expect(try page(former.nextCursor) == expected)
        }
    }

    @Test(arguments: [
        "", ".", "0", "0.", ".0", "0.0.0", "x.0", "0.x", "-1.0", "0.-1", "00.0", "0.00", "+0.0", "0.+0", " 0.0", "0.0 ",
        "ffffffffffffffff0.0", "0.99999999999999999999", String(repeating: "0", count: 256), "🔥.🔥", "0\u{0}.0",
        "18446744073709551616.0", "A.0",
    ])
    func `an invalid cursor is refused`(text: String) {
        var directory = Self.rooms(9)
        let error = Self.refused {
            _ = try directory.search(DirectoryQuery(), reader: Self.reader, cursor: text, limit: 3, now: 0)
        }
        #expect(error == .cursorForeign)
    }

    @Test func `cursors of another process and to another place are refused`() throws {
        var directory = Self.rooms(9)
        var other = RoomDirectory(seed: 2)
        for number in 0..<9 { other.put(DirectoryEntry(number)) }
        let page = try other.search(DirectoryQuery(), reader: Self.reader, limit: 3, now: 0)
        let foreign = Self.refused {
            _ = try directory.search(DirectoryQuery(), reader: Self.reader, cursor: page.nextCursor, limit: 3, now: 0)
        }
        #expect(foreign == .cursorExpired)
        let own = try #require(
            try directory.search(DirectoryQuery(), reader: Self.reader, limit: 3, now: 0).nextCursor)
        for place in ["1", "7", "9223372036854775807"] {
            let forged = own.prefix { $0 != "." } + ".\(place)"
            let error = Self.refused {
                _ = try directory.search(
                    DirectoryQuery(), reader: Self.reader, cursor: String(forged), limit: 3, now: 0)
            }
            #expect(error == .cursorForeign)
        }
    }

    @Test func `a list is kept for two minutes after its last page`() throws {
        var directory = Self.rooms(9)
        var now: Int64 = 5
        var page = try directory.search(DirectoryQuery(), reader: Self.reader, limit: 2, now: now)
        for _ in 0..<2 {
            now += 120 * Self.second
            page = try directory.search(
                DirectoryQuery(), reader: Self.reader, cursor: page.nextCursor, limit: 2, now: now)
            // Others come and go meanwhile.
            _ = try directory.search(DirectoryQuery(), reader: .number(2), limit: 2, now: now)
        }
        now += 120 * Self.second + 1
        let error = Self.refused {
            _ = try directory.search(DirectoryQuery(), reader: Self.reader, cursor: page.nextCursor, limit: 2, now: now)
        }
        #expect(error == .cursorExpired)
    }

    @Test func `a reader's fifth list drops their own first one and nobody else's`() throws {
        var directory = Self.rooms(9)
        let query = DirectoryQuery("ja")
        let others = try #require(try directory.search(query, reader: .number(2), limit: 3, now: 0).nextCursor)
        var cursors: [String] = []
        for _ in 0..<500 {
            cursors.append(try #require(try directory.search(query, reader: Self.reader, limit: 3, now: 0).nextCursor))
        }
        #expect(Set(cursors).count == 500)
        for (index, cursor) in cursors.enumerated() {
            let error = Self.refused {
                _ = try directory.search(query, reader: Self.reader, cursor: cursor, limit: 3, now: 0)
            }
            #expect(error == (index < 496 ? .cursorExpired : nil))
        }
        _ = try directory.search(query, reader: .number(2), cursor: others, limit: 3, now: 0)
    }

    @Test func `beyond the memory for lists the least recently used ones expire`() throws {
        // Each list counts as a little more than a kilobyte.
        var directory = RoomDirectory(seed: 1, listBytesMax: 10_500)
        for number in 0..<9 { directory.put(DirectoryEntry(number, "jazz")) }
        let query = DirectoryQuery("jazz")
        var cursors: [String] = []
        for reader in 0..<30 {
            let page = try directory.search(query, reader: .number(reader), limit: 3, now: Int64(reader))
            cursors.append(try #require(page.nextCursor))
            // The reader of the first list reads on all the time.
            _ = try directory.search(query, reader: .number(0), cursor: cursors[0], limit: 3, now: Int64(reader))
        }
        let kept = cursors.indices.filter { reader in
            Self.refused {
                _ = try directory.search(
                    query, reader: .number(reader), cursor: cursors[reader], limit: 3, now: 30)
            } == nil
        }
        #expect(kept.count == 9 && kept.first == 0 && kept.suffix(8) == Array(22..<30)[...])
        // There is always room for one list.
        var small = RoomDirectory(seed: 1, listBytesMax: 0)
        for number in 0..<9 { small.put(DirectoryEntry(number, "jazz")) }
        let page = try small.search(query, reader: Self.reader, limit: 3, now: 0)
        let rest = try small.search(query, reader: Self.reader, cursor: page.nextCursor, limit: 9, now: 0)
        #expect(rest.entries.count == 6)
    }

    /// Goal: no answer tells of rooms that the reader may not see.
    ///
    /// Way: two directories. In the second, strangers' private rooms come, change and go all the time. Every question
    /// gets the same answer from both, including cursors, differences and their times.
    @Test func `private rooms of others change nothing for anybody`() throws {
        var generator = SeededGenerator(seed: 31)
        var (plain, secret) = (RoomDirectory(seed: 7), RoomDirectory(seed: 7))
        var lists = (
            DirectorySubscription(DirectoryQuery("jazz"), limit: 10), DirectorySubscription(DirectoryQuery(), limit: 10)
        )
        var twins = lists
        for step in 0..<2_000 {
            let now = Int64(step) * 100_000
            let number = Int.random(in: 0..<60, using: &generator)
            let entry = DirectoryEntry(
                number, Bool.random(using: &generator) ? "jazz" : "rock", by: number,
                isLive: Bool.random(using: &generator), listeners: .random(in: 0..<40, using: &generator),
                created: Int64(number))
            if Int.random(in: 0..<5, using: &generator) == 0 {
                plain.remove(entry.room.id)
                secret.remove(entry.room.id)
            } else {
                plain.put(entry)
                secret.put(entry)
            }
            for _ in 0..<3 {
                let number = 100 + Int.random(in: 0..<60, using: &generator)
                var hidden = entry
                hidden.room.id = .number(number)
                hidden.room.settings.visibility = .private
                if Bool.random(using: &generator) { secret.put(hidden) } else { secret.remove(hidden.room.id) }
            }
            let query = DirectoryQuery(Bool.random(using: &generator) ? "" : "ja", admitted: [.number(number)])
            let limit = Int.random(in: 1...20, using: &generator)
            let page = try plain.search(query, reader: Self.reader, limit: limit, now: now)
            #expect(try secret.search(query, reader: Self.reader, limit: limit, now: now) == page)
            if let cursor = page.nextCursor {
                let next = try plain.search(query, reader: Self.reader, cursor: cursor, limit: limit, now: now)
                #expect(try secret.search(query, reader: Self.reader, cursor: cursor, limit: limit, now: now) == next)
            }
            #expect(plain.changes(for: &lists.0, now: now) == secret.changes(for: &twins.0, now: now))
            #expect(plain.changes(for: &lists.1, now: now) == secret.changes(for: &twins.1, now: now))
            #expect(lists.0.dueMicroseconds == twins.0.dueMicroseconds)
            #expect(plain.publicCount == secret.publicCount)
        }
        #expect(secret.count > plain.count)
    }
}
