import SonaBase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaServer

@Suite struct ResumeTokensTests {
    @Test func `a token is valid for one session of one run of the server`() throws {
        var generator = SeededGenerator(seed: 3)
        let tokens = ResumeTokens()
        let other = ResumeTokens()
        for number in [0, 1, 0x0102_0304_0506_0708, UInt64.max] {
            let session = SessionID.random(using: &generator)
            let token = tokens.sign(number, session)
            #expect(token.utf8.count == 62)
            let found = try #require(tokens.verify(token))
            #expect(found.number == number && found.session == session)
            #expect(other.verify(token) == nil)
            for index in token.indices {
                var forged = token
                forged.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
                #expect(tokens.verify(forged) == nil, "character \(token.distance(from: token.startIndex, to: index))")
            }
        }
        for text in ["", "A", "é", String(repeating: "A", count: 62), String(repeating: "=", count: 62)] {
            #expect(tokens.verify(text) == nil)
        }
    }
}
