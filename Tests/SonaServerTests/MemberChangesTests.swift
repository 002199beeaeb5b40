import SonaWire
import Testing

@testable import SonaServer

struct MemberChangesTests {
    private func user(_ number: Int) throws -> User {
        let text = "u" + String(repeating: "0", count: 24) + String(1000 + number).suffix(3)
        return User(uid: try #require(UserID(String(text))), username: nil, isGuest: true)
    }

    /// A client that has read the list in between would keep the user otherwise.
    @Test func `a user who came and went in between is among those who left`() throws {
        var changes = MemberChanges()
        changes.came(try user(1))
        changes.went(try user(1).uid)
        let gone = changes.take(count: 7, ghostCount: 0)
        let one = try user(1).uid
        #expect(gone?.joined == [] && gone?.left == [one] && gone?.hasMore == false)
        let rest = changes.take(count: 7, ghostCount: 0)
        #expect(rest == nil)
    }

    /// A client that has read the list in between would stay without the user otherwise.
    @Test func `a user who left and came back in between is in both lists, however often`() throws {
        for times in 1...3 {
            var changes = MemberChanges()
            for _ in 0..<times {
                changes.went(try user(1).uid)
                changes.came(try user(1))
            }
            let back = changes.take(count: 7, ghostCount: 0)
            let one = try user(1)
            #expect(back?.joined == [one] && back?.left == [one.uid] && back?.hasMore == false)
            changes.went(try user(1).uid)
            changes.came(try user(1))
            changes.went(try user(1).uid)
            let gone = changes.take(count: 6, ghostCount: 0)
            #expect(gone?.joined == [] && gone?.left == [one.uid])
        }
    }

    @Test func `of users who come back only as many as can be told are named twice`() throws {
        var changes = MemberChanges()
        for number in 0..<50 { changes.went(try user(number).uid) }
        for number in 0..<50 { changes.came(try user(number)) }
        changes.came(try user(60))
        let taken = changes.take(count: 51, ghostCount: 0)
        let told = try #require(taken)
        #expect(told.joined.count == 50 && told.left.count == 50 && told.hasMore)
    }

    @Test func `of a wave of arrivals only as many as can be told are kept, and the rest is marked as more`() throws {
        var changes = MemberChanges()
        for number in 0..<200 { changes.came(try user(number)) }
        // Some of those who were not named leave again, and so does a user who had been there for long. Nobody can say
        // any longer who of them is in which list.
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
