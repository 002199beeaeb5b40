import SonaEventLoop
import SonaModel
import SonaWire
import Testing

@testable import SonaServer

/// What one version of the program hands to another.
@Suite struct ServerHandoverTests {
    @Test func `a room and a session that are not understood are left out, and unknown members passed over`() throws {
        let text = """
            {"resumeKey":"AAAA","lastConnections":[7],"of_a_later_version":{"a":1},
             "sessions":[{"number":1},{"number":64,"uid":"h3QmZx7RkP0aVbN5tY2wLs9DfGeC","isGuest":true,"role":"king",
              "address":"127.0.0.1","savesData":false,"sequence":3,"events":[],"later":[1,2]}],
             "rooms":[{"room":"what?"},null,7]}
            """
        let handover = try ServerHandover(decoding: Array(text.utf8))
        #expect(handover.sessions.count == 2 && handover.sessions[0].value == nil)
        let session = try #require(handover.sessions[1].value)
        #expect(session.number == 64 && session.sequence == 3 && session.account.role == .user)
        #expect(handover.rooms.count == 3 && handover.rooms.allSatisfy { $0.value == nil })
    }

    @Test func `events keep their text`() throws {
        let text = String(repeating: "ż", count: 40_000)
        for piece in ["", "short", String(text.prefix(150)), text] {
            let event = KeptEvent(sequence: 1, text: Array(piece.utf8), atMicroseconds: 2)
            #expect(event.frame.text == Array(piece.utf8))
        }
    }
}
