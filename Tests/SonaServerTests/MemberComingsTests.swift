import SonaWire
import Testing

@testable import SonaServer

struct MemberComingsTests {
    private func user(_ number: Int) throws -> User {
        let text = "u" + String(repeating: "0", count: 24) + String(1000 + number).suffix(3)
        return User(uid: try #require(UserID(String(text))), username: nil, isGuest: true)
    }

    @Test func `who came and went in between is in neither list, and nothing is told then`() throws {
        var comings = MemberComings()
        comings.came(try user(1))
        comings.went(try user(1).uid)
        comings.went(try user(2).uid)
        comings.came(try user(2))
        let taken = comings.take(count: 7, ghostCount: 0)
        #expect(taken == nil)
    }

    @Test func `of a wave no more is kept than can be told, and the rest is said to be there`() throws {
        var comings = MemberComings()
        for number in 0..<200 { comings.came(try user(number)) }
        // Some of those nobody was told of go again, and somebody who had been there for long.
        for number in 100..<120 { comings.went(try user(number).uid) }
        comings.went(try user(500).uid)
        #expect(comings.joined.count == 50 && comings.left.isEmpty)
        let taken = comings.take(count: 180, ghostCount: 0)
        let told = try #require(taken)
        #expect(told.joined.count == 50 && told.left.isEmpty && told.hasMore)
        let rest = comings.take(count: 180, ghostCount: 0)
        #expect(rest == nil, "all of that has been told")
    }

    @Test func `the same for those who go`() throws {
        var comings = MemberComings()
        for number in 0..<200 { comings.went(try user(number).uid) }
        for number in 100..<120 { comings.came(try user(number)) }
        let taken = comings.take(count: 20, ghostCount: 0)
        let told = try #require(taken)
        #expect(told.joined.isEmpty && told.left.count == 50 && told.hasMore)
    }
}
