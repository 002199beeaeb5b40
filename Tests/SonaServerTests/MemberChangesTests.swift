import SonaWire
import Testing

@testable import SonaServer

struct MemberChangesTests {
    private func user(_ number: Int) throws -> User {
        let text = "u" + String(repeating: "0", count: 24) + String(1000 + number).suffix(3)
        return User(uid: try #require(UserID(String(text))), username: nil, isGuest: true)
    }

    @Test func `a user who came and went in between is in neither list, and no event is sent for them`() throws {
        var changes = MemberChanges()
        changes.came(try user(1))
        changes.went(try user(1).uid)
        changes.went(try user(2).uid)
        changes.came(try user(2))
        let taken = changes.take(count: 7, ghostCount: 0)
        #expect(taken == nil)
    }

    @Test func `of a wave of arrivals only as many as can be told are kept, and the rest is marked as more`() throws {
        var changes = MemberChanges()
        for number in 0..<200 { changes.came(try user(number)) }
        // Some of those who were not named leave again, and so does a user who had been there for long.
        for number in 100..<120 { changes.went(try user(number).uid) }
        changes.went(try user(500).uid)
        #expect(changes.joined.count == 50 && changes.left.isEmpty)
        let taken = changes.take(count: 180, ghostCount: 0)
        let told = try #require(taken)
        #expect(told.joined.count == 50 && told.left.isEmpty && told.hasMore)
        let rest = changes.take(count: 180, ghostCount: 0)
        #expect(rest == nil, "all of that has been told")
    }

    @Test func `of a wave of departures only as many as can be told are kept, and the rest is marked as more`() throws {
        var changes = MemberChanges()
        for number in 0..<200 { changes.went(try user(number).uid) }
        for number in 100..<120 { changes.came(try user(number)) }
        let taken = changes.take(count: 20, ghostCount: 0)
        let told = try #require(taken)
        #expect(told.joined.isEmpty && told.left.count == 50 && told.hasMore)
    }
}
