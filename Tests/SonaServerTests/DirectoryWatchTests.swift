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

    @Test func `a guest has no circle, and is told only when a ban begins or ends`() throws {
        var watch = try watch(isGuest: true)
        #expect(!watch.needsCircle(now: 1_000 * Self.second))
        watch.isCircleStale = true
        #expect(watch.needsCircle(now: 1_000 * Self.second))
        watch.take(DirectoryQuery(""), now: 1_000 * Self.second)
        #expect(!watch.needsCircle(now: 2_000 * Self.second))
    }
}
