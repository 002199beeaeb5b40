import SonaBase
import SonaTestSupport
import SonaWire
import Testing

@Suite struct IdentifierTests {
    @Test func `made identifiers are accepted again and differ`() {
        var dice = SeededGenerator(seed: 1)
        let users = (0..<100).map { _ in UserID.random(using: &dice) }
        #expect(users.allSatisfy { $0.rawValue.utf8.count == 28 && UserID($0.rawValue) == $0 })
        #expect(Set(users).count == 100)
        let rooms = (0..<100).map { _ in RoomID.random(using: &dice) }
        #expect(rooms.allSatisfy { $0.rawValue.utf8.count == 20 && RoomID($0.rawValue) == $0 })
        let sessions = (0..<100).map { _ in SessionID.random(using: &dice) }
        #expect(sessions.allSatisfy { $0.rawValue.utf8.count == 22 && SessionID($0.rawValue) == $0 })
    }

    /// 62 000 draws give each character about 1000; the bound is more than six standard deviations away.
    @Test func `no character is likelier than another`() {
        var dice = SeededGenerator(seed: 2)
        var counts: [UInt8: Int] = [:]
        for _ in 0..<3_100 { for byte in RoomID.random(using: &dice).rawValue.utf8 { counts[byte, default: 0] += 1 } }
        #expect(counts.count == 62)
        #expect(counts.values.allSatisfy { 800...1_200 ~= $0 })
    }

    @Test func `the same random numbers make the same identifier`() {
        var one = SeededGenerator(seed: 3)
        var two = SeededGenerator(seed: 3)
        #expect(UserID.random(using: &one) == UserID.random(using: &two))
    }

    @Test func `usernames compare by their key`() throws {
        let typed = try #require(Username("Ada.Lovelace-1_X"))
        #expect(typed.key == "ada.lovelace-1_x")
        #expect(typed != Username("ada.lovelace-1_x"))
        #expect(typed.description == "Ada.Lovelace-1_X")
    }

    @Test func `a combining mark after the at sign is kept`() {
        #expect(RoomReference("@\u{301}ada") == nil)
        #expect(RoomReference("@ada") == Username("ada").map(RoomReference.username))
        #expect(UserReference("@\u{301}ada") == nil)
        #expect(UserReference("@ada") == Username("ada").map(UserReference.username))
    }

    @Test func `a reference that begins with an at sign is a username`() throws {
        let uid = try #require(UserID("@ada"))
        #expect(UserReference(uid.rawValue) == Username("ada").map(UserReference.username))
        #expect(UserReference("ada@x") == UserID("ada@x").map(UserReference.id))
    }

    @Test func `a colour is written as three bytes with leading zeros`() {
        #expect(HexColor(red: 0, green: 0, blue: 0).rawValue == "#000000")
        #expect(HexColor(red: 0, green: 10, blue: 255).rawValue == "#000aff")
        #expect(HexColor(red: 255, green: 255, blue: 255) == HexColor("#ffffff"))
    }
}
