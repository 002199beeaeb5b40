import SonaBase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaRooms

@Suite struct DirectorySubscriptionTests {
    /// A subscriber, with the list it builds from the differences.
    private struct Watcher {
        var subscription: DirectorySubscription
        private(set) var list: [DirectoryEntry] = []

        init(_ query: DirectoryQuery = DirectoryQuery(), limit: Int = 5) {
            subscription = DirectorySubscription(query, limit: limit)
        }

        var rooms: [Int] { list.map { Int($0.room.id.rawValue.prefix(6)) ?? -1 } }

        @discardableResult
        mutating func look(_ directory: RoomDirectory, _ now: Int64) -> DirectoryChanges? {
            let changes = directory.changes(for: &subscription, now: now)
            if let changes { list = changes.applied(to: list) }
            return changes
        }
    }

    private static let second: Int64 = 1_000_000

    private static func rooms(_ count: Int) -> RoomDirectory {
        RoomDirectory((0..<count).map { DirectoryEntry($0, "jazz", created: Int64(count - $0)) })
    }

    @Test func `the first difference is the list`() {
        let directory = Self.rooms(9)
        var watcher = Watcher()
        let changes = watcher.look(directory, 0)
        #expect(changes?.added.map(\.index) == [0, 1, 2, 3, 4])
        #expect(watcher.rooms == [0, 1, 2, 3, 4])
        #expect(watcher.look(directory, 9 * Self.second) == nil)
        var empty = Watcher(DirectoryQuery("rock"))
        #expect(empty.look(directory, 0) == nil)
    }

    @Test(arguments: [(Int.min, 1), (0, 1), (1, 1), (100, 100), (101, 100), (.max, 100)])
    func `a list has at most a hundred rooms`(limit: Int, expected: Int) {
        var watcher = Watcher(limit: limit)
        watcher.look(Self.rooms(300), 0)
        #expect(watcher.rooms.count == expected && watcher.subscription.limit == expected)
    }

    @Test func `each kind of change has its own form`() {
        var directory = Self.rooms(9)
        var watcher = Watcher()
        watcher.look(directory, 0)
        var now: Int64 = 0
        func changes(after change: (inout RoomDirectory) -> Void) -> DirectoryChanges? {
            change(&directory)
            now += Self.second
            return watcher.look(directory, now)
        }
        let retitled = changes { $0.put(DirectoryEntry(1, "blues", created: 8)) }
        #expect(retitled?.changed == [DirectoryEntry(1, "blues", created: 8)])
        #expect(retitled?.removed.isEmpty == true && retitled?.added.isEmpty == true && retitled?.moved.isEmpty == true)

        // A first listener moves the room before the others: that is one move, not four.
        let visited = changes { $0.put(DirectoryEntry(3, "jazz", listeners: 1, created: 6)) }
        #expect(visited?.moved == [.init(index: 0, room: .number(3))])
        #expect(visited?.listeners == [.init(room: .number(3), count: 1)] && visited?.changed.isEmpty == true)
        #expect(watcher.rooms == [3, 0, 1, 2, 4])

        let gone = changes { $0.put(DirectoryEntry(0, "jazz", visibility: .private, created: 9)) }
        #expect(gone?.removed == [.number(0)])
        #expect(gone?.added == [.init(index: 4, entry: DirectoryEntry(5, "jazz", created: 4))])
        #expect(watcher.rooms == [3, 1, 2, 4, 5])

        let new = changes { $0.put(DirectoryEntry(20, isLive: true)) }
        #expect(new?.added == [.init(index: 0, entry: DirectoryEntry(20, isLive: true))])
        #expect(new?.removed == [.number(5)])
        // A change far down the list is not seen.
        #expect(changes { $0.put(DirectoryEntry(8, "rock", created: 1)) } == nil)
        // A change that is undone is no change.
        let back = changes {
            $0.put(DirectoryEntry(1, "rock", created: 8))
            $0.put(DirectoryEntry(1, "blues", created: 8))
        }
        #expect(back == nil)
        #expect(changes { $0.put(DirectoryEntry(1, "blues", created: 8)) } == nil)
    }

    @Test func `there is one difference a second, with all changes`() {
        var directory = Self.rooms(9)
        var watcher = Watcher()
        var times: [Int64] = []
        for tick in 0..<1_000 {
            let now = Int64(tick) * 50_000
            directory.put(DirectoryEntry(tick % 5, "jazz", listeners: tick, created: 9 - Int64(tick % 5)))
            if watcher.look(directory, now) != nil { times.append(now) }
        }
        #expect(times == (0..<50).map { $0 * Self.second })
    }

    @Test func `a late call neither delays nor bunches the next ones`() {
        var directory = Self.rooms(9)
        var watcher = Watcher()
        var count = 0
        func look(_ now: Int64) -> Bool {
            count += 1
            directory.put(DirectoryEntry(1, "jazz \(count)", created: 8))
            return watcher.look(directory, now) != nil
        }
        #expect(look(0))
        #expect(!look(999_999))
        #expect(look(1_200_000))
        #expect(!look(1_999_999))
        #expect(look(2_000_000))
        // A call more than a second late starts a new count.
        #expect(look(4_100_000))
        #expect(!look(5_099_999))
        #expect(look(5_100_000))
    }

    @Test func `a room that goes private is out of every list within a second`() {
        var generator = SeededGenerator(seed: 41)
        var directory = Self.rooms(30)
        let owner = DirectoryQuery(scope: .owners([.number(0)]))
        var watchers = [Watcher(), Watcher(DirectoryQuery("jazz")), Watcher(owner)]
        var hidden: [Int: Int64] = [:]
        for tick in 0..<3_000 {
            let now = Int64(tick) * 10_000
            if tick % 7 == 0 {
                let number = Int.random(in: 0..<30, using: &generator)
                let isPrivate = Bool.random(using: &generator)
                directory.put(
                    DirectoryEntry(number, "jazz", visibility: isPrivate ? .private : .public, created: Int64(number)))
                hidden[number] = isPrivate ? hidden[number] ?? now : nil
            }
            for index in watchers.indices {
                watchers[index].look(directory, now)
                for (number, since) in hidden where now - since >= Self.second {
                    #expect(!watchers[index].rooms.contains(number), "\(number) at \(now)")
                }
            }
        }
    }

    @Test func `a block, an invitation or another query changes the list at the next difference`() {
        var directory = RoomDirectory((0..<6).map { DirectoryEntry($0, "jazz", by: $0, created: Int64(9 - $0)) })
        directory.put(DirectoryEntry(6, "rock", by: 6, visibility: .private))
        var watcher = Watcher(limit: 3)
        watcher.look(directory, 0)
        watcher.subscription.query.hidden = [.number(1)]
        #expect(watcher.look(directory, Self.second - 1) == nil)
        watcher.look(directory, Self.second)
        #expect(watcher.rooms == [0, 2, 3])
        watcher.subscription.query = DirectoryQuery("rock", admitted: [.number(6)])
        watcher.look(directory, 2 * Self.second)
        #expect(watcher.rooms == [6])
        watcher.subscription.query.admitted = []
        watcher.look(directory, 3 * Self.second)
        #expect(watcher.rooms.isEmpty)
    }

    @Test func `a subscriber who missed more changes than are remembered still gets the right list`() {
        var directory = Self.rooms(9)
        var watcher = Watcher()
        watcher.look(directory, 0)
        for (count, listeners) in [(4_095, 1), (4_096, 2), (4_097, 3), (20_000, 4)] {
            directory.put(DirectoryEntry(7, "jazz", listeners: listeners * 10))
            for change in 1..<count { directory.put(DirectoryEntry(8, "jazz \(change) \(listeners)")) }
            watcher.look(directory, Int64(count) * Self.second)
            #expect(watcher.rooms.first == 7 && watcher.list.first?.room.listenerCount == listeners * 10)
        }
    }

    @Test(arguments: [("jazz", nil), (nil, "jazz")] as [(String?, String?)])
    func `a list that loses all its rooms is filled with the next ones`(title: String?, artist: String?) {
        var directory = RoomDirectory(
            (0..<100).map { DirectoryEntry($0, track: title, artist: artist, created: Int64(100 - $0)) })
        var watcher = Watcher(DirectoryQuery("jazz"))
        for first in 0..<100 {
            watcher.look(directory, Int64(first) * Self.second)
            #expect(watcher.rooms == Array(first..<min(first + 5, 100)))
            directory.remove(.number(first))
        }
        watcher.look(directory, 100 * Self.second)
        #expect(watcher.rooms.isEmpty)
    }

    @Test(arguments: [("jazz", nil), (nil, "jazz")] as [(String?, String?)])
    func `most of a list may leave at once`(title: String?, artist: String?) {
        func entry(_ number: Int) -> DirectoryEntry {
            DirectoryEntry(number, track: title, artist: artist, created: Int64(100 - number))
        }
        for count in 1...30 {
            var directory = RoomDirectory((0..<60).map(entry))
            var watcher = Watcher(DirectoryQuery("jazz"), limit: 1)
            for (time, first) in stride(from: 0, to: 60, by: count).enumerated() {
                watcher.look(directory, Int64(time) * Self.second)
                #expect(watcher.rooms == [first])
                for number in first..<min(first + count, 60) { directory.remove(.number(number)) }
                // A room far down has changed, which does not make it the next one.
                var last = entry(59)
                last.room.settings.delivery = time % 2 == 0 ? .interactive : .party
                if first + count < 59 { directory.put(last) }
            }
        }
    }

    @Test func `a list that outgrows its spare results is not taken for the whole result`() {
        var directory = Self.rooms(5)
        var watcher = Watcher(limit: 1)
        watcher.look(directory, 0)
        for number in 10..<40 { directory.put(DirectoryEntry(number, created: 100 - Int64(number))) }
        watcher.look(directory, Self.second)
        #expect(watcher.rooms == [10])
        for number in 10..<30 { directory.remove(.number(number)) }
        watcher.look(directory, 2 * Self.second)
        #expect(watcher.rooms == [30])
    }

    @Test func `changes after the end of the list do not delay changes in it`() {
        var directory = Self.rooms(30)
        var watcher = Watcher()
        watcher.look(directory, 0)
        directory.put(DirectoryEntry(5, "jazz and more", created: 25))
        #expect(watcher.look(directory, Self.second) == nil)
        directory.put(DirectoryEntry(4, "jazz and more", created: 26))
        #expect(watcher.look(directory, Self.second + 1)?.changed.count == 1)
    }
}
