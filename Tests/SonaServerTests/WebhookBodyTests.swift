import SonaWire
import Testing

@testable import SonaModel
@testable import SonaServer

/// What webhooks are sent.
struct WebhookBodyTests {
    private func body(_ form: WebhookForm, _ kind: WebhookEvent, _ matter: WebhookMatter) -> WebhookBody {
        WebhookBody(
            telling: WebhookStore.Telling(
                webhook: 1, createdMilliseconds: 0, url: "https://example.org", form: form, secret: Array("key".utf8),
                failures: 0, number: 1, event: "e1", kind: kind.rawValue, atMilliseconds: 7, matter: matter),
            publicAddress: "https://sona.example")
    }

    /// Source: `printf '7.{}' | openssl dgst -sha256 -hmac key`.
    @Test func `a signature is over the time and the body`() {
        #expect(
            WebhookBody.signature(Array("{}".utf8), secret: Array("key".utf8), seconds: 7)
                == "77bc83bd1f40422311e47918b203449aecf84b02c1568bb1b570ac2a474cc2d8")
        let signed = body(.json, .test, WebhookMatter()).headers(Array("{}".utf8), now: 7)
        #expect(signed.contains("Sona-Event-Id: e1") && signed.contains { $0.hasPrefix("Sona-Signature: t=7,v1=") })
        #expect(body(.discord, .test, WebhookMatter()).headers([], now: 7).isEmpty)
    }

    @Test func `a room is named with its link, and its end with who listened`() throws {
        var matter = WebhookMatter()
        (matter.room, matter.title, matter.user) = ("k2Vb7nQx0ZrT5mLp9sWd", "Night", "ada")
        let live = try JSON.parse(body(.json, .roomLive, matter).bytes)
        #expect(live["event"] == .string("room.live") && live["at_ms"] == .integer(7) && live["audience"] == nil)
        #expect(live["room"]?["url"] == .string("https://sona.example/r/k2Vb7nQx0ZrT5mLp9sWd"))
        (matter.fromMilliseconds, matter.untilMilliseconds, matter.accounts, matter.guests) = (1, 2, 3, 4)
        let ended = try JSON.parse(body(.json, .roomEnded, matter).bytes)
        #expect(ended["audience"]?["accounts"] == .integer(3) && ended["audience"]?["until_ms"] == .integer(2))
    }

    @Test func `Discord is told no markup of others, and calls nobody`() throws {
        var matter = WebhookMatter()
        (matter.room, matter.title, matter.user) = ("r", "@everyone **[x](https://evil.example)**\nnew", "a_b")
        let said = try JSON.parse(body(.discord, .roomLive, matter).bytes)
        guard case .string(let content)? = said["content"] else {
            Issue.record("no content")
            return
        }
        #expect(
            content.hasPrefix(#"🔴 **\@everyone \*\*\[x\]\(https\://evil.example\)\*\* new** by @a\_b"#), "\(content)")
        #expect(content.hasSuffix("https://sona.example/r/r"))
        #expect(said["allowed_mentions"]?["parse"] == .array([]))
        matter.title = String(repeating: "x", count: 3_000)
        guard case .string(let long)? = try JSON.parse(body(.discord, .roomEnded, matter).bytes)["content"] else {
            return
        }
        #expect(long.count == 1_900)
    }
}
