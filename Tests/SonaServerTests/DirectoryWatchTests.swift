import SonaRooms
import SonaWire
import Testing

@testable import SonaModel
@testable import SonaServer

/// When the blocks and follows behind a watched list are looked up again.
@Suite struct DirectoryWatchTests {
    private static let second: Int64 = 1_000_000

    private func watch(isGuest: Bool = false) throws -> DirectoryWatch {
        let reader = Accounts.Account(uid: try #require(UserID("ada")), username: nil, isGuest: isGuest)
        var watch = DirectoryWatch(RoomWatch(), reader, DirectoryQuery(""), 1)
        watch.take(DirectoryQuery(""), now: 5 * Self.second)
        return watch
    }

    @Test func `a circle is looked up again thirty seconds after the last time`() throws {
        var watch = try watch()
        #expect(!watch.needsCircle(now: 35 * Self.second))
        #expect(watch.needsCircle(now: 35 * Self.second + 1))
        watch.take(DirectoryQuery(""), now: 36 * Self.second)
        #expect(!watch.needsCircle(now: 66 * Self.second))
    }

    @Test func `a circle that has changed is looked up at once, and then it is fresh`() throws {
        var watch = try watch()
        watch.isCircleStale = true
        #expect(watch.needsCircle(now: 5 * Self.second))
        watch.take(DirectoryQuery(""), now: 6 * Self.second)
        #expect(!watch.needsCircle(now: 6 * Self.second))
    }

    @Test func `bans of owners end by their time, so a guest's list is looked through again like others'`() throws {
        var watch = try watch(isGuest: true)
        #expect(!watch.needsCircle(now: 35 * Self.second))
        #expect(watch.needsCircle(now: 35 * Self.second + 1))
        watch.take(DirectoryQuery(""), now: 36 * Self.second)
        #expect(!watch.needsCircle(now: 66 * Self.second))
        watch.isCircleStale = true
        #expect(watch.needsCircle(now: 36 * Self.second))
    }

    /// Goal: the list of a guest gets a room back when the ban of its owner ends. Way: the query of the ban's time, and
    /// the one after it.
    @Test func `a room comes back once its owner is hidden no more`() throws {
        var directory = RoomDirectory(seed: 1)
        let owner = User(uid: try #require(UserID("bob")), username: nil, isGuest: false)
        let room = Room(
            id: try #require(RoomID("k2Vb7nQx0ZrT5mLp9sWd")),
            settings: RoomSettings(title: "Bob's", visibility: .public), owner: owner,
            createdMilliseconds: 1)
        directory.put(DirectoryEntry(room: room, tags: []))
        var watch = try watch(isGuest: true)
        watch.take(DirectoryQuery("", hidden: [owner.uid]), now: 5 * Self.second)
        #expect(watch.beginning(&directory, now: 5 * Self.second).isEmpty)
        watch.take(DirectoryQuery("", hidden: [owner.uid]), now: 40 * Self.second)
        #expect(watch.changes(&directory, now: 40 * Self.second).isEmpty)
        watch.take(DirectoryQuery(""), now: 80 * Self.second)
        #expect(watch.changes(&directory, now: 80 * Self.second).flatMap(\.rooms).map(\.id) == [room.id])
    }
}
