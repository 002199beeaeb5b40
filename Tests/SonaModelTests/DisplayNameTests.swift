import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Display names must be visible and must not change the direction of the text after them.
struct DisplayNameTests {
    private static let misleading = [
        "a\u{202E}b", "a\u{2066}b", "   ", "\u{200B}", "\u{3164}", "a" + String(repeating: "\u{301}", count: 40),
    ]

    @Test(arguments: misleading)
    func `a misleading display name is refused on every way to set one`(_ name: String) async throws {
        let fixture = try await SignInFixture(.firebase)
        let escaped = "\"\(name.unicodeScalars.map { "\\u" + hex($0.value) }.joined())\""
        let token = fixture.token("bob", ["name": escaped])
        let bob = try await fixture.accounts.exchange(provider: "firebase", token: token, address: nil).account
        #expect(try await fixture.model.people.own(bob.uid).profile.displayName == nil)

        var request = Accounts.SignUp.named("ada")
        request.displayName = name
        let signUp = await refusal { try await fixture.accounts.signUp(request) }
        let update = await refusal {
            try await fixture.model.people.update(ProfileUpdate(displayName: name), of: bob.uid)
        }
        #expect(signUp == .displayNameInvalid)
        #expect(update == .displayNameInvalid)
        await fixture.model.close()
    }

    private func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
