import SonaBase
import SonaCrypto
import SonaDatabase
import SonaTestSupport

@testable import SonaModel

/// One project with a clock, and tokens that are valid unless a test changes them.
struct FirebaseFixture {
    static let project = "sona-demo-1"

    let calendar: ManualCalendar
    let site: KeySite
    let keys: FirebaseKeys
    let tokens: FirebaseTokens

    init?(_ signers: FirebaseSigner..., maxAgeSeconds: Int? = 3_600) {
        let calendar = ManualCalendar()
        let site = KeySite(KeySite.set(signers.isEmpty ? [.first] : signers), maxAgeSeconds: maxAgeSeconds)
        let keys = FirebaseKeys(
            address: KeySite.address, clock: calendar.clock, log: { site.log($0) }, fetch: { try await site.fetch($0) })
        guard let tokens = FirebaseTokens(project: Self.project, keys: keys, clock: calendar.clock) else { return nil }
        self.calendar = calendar
        self.site = site
        self.keys = keys
        self.tokens = tokens
    }

    /// The time of the clock, seconds since 1970.
    var now: Int64 { calendar.clock.nowMilliseconds() / 1_000 }

    /// The claims that Firebase writes, by name. The values are JSON.
    func claims(_ changes: [String: String?] = [:]) -> String {
        var claims = [
            "iss": #""https://securetoken.google.com/\#(Self.project)""#, "aud": #""\#(Self.project)""#,
            "auth_time": "\(now - 100)", "user_id": #""vTqN4hIm2bVY0xL5zKc8dQe1rSw2""#,
            "sub": #""vTqN4hIm2bVY0xL5zKc8dQe1rSw2""#, "iat": "\(now - 10)", "exp": "\(now + 3_590)",
            "name": #""Ada Löwe""#, "picture": #""https://example.org/ada.png""#, "email": #""ada@example.org""#,
            "email_verified": "true",
            "firebase": #"{"identities":{"email":["ada@example.org"]},"sign_in_provider":"password"}"#,
        ]
        for (key, value) in changes { claims[key] = value }
        let members = claims.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// `header.claims` in base64url.
    func unsigned(_ claims: String? = nil, header: String? = nil, kid: String = FirebaseSigner.first.kid) -> String {
        let header = header ?? #"{"alg":"RS256","kid":"\#(kid)","typ":"JWT"}"#
        return Base64.encode(header.utf8) + "." + Base64.encode((claims ?? self.claims()).utf8)
    }

    func token(_ claims: String? = nil, header: String? = nil, signer: FirebaseSigner = .first) -> String {
        let unsigned = unsigned(claims, header: header, kid: signer.kid)
        return unsigned + "." + Base64.encode(signer.sign(unsigned))
    }

    /// The error of verifying a token, if any.
    func refusal(_ token: String) async -> FirebaseError? {
        await failure { () throws(FirebaseError) in try await tokens.verify(token) }
    }
}

/// A web site that tests change. It records who fetched from it.
final class KeySite: Sendable {
    static let address = "https://keys.example.org/jwk"

    struct Unreachable: Error {}

    private struct State {
        var document: [UInt8]?
        var maxAgeSeconds: Int?
        var fetches = 0
        var failures: [any Error] = []
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Monitor<State>

    init(_ document: String?, maxAgeSeconds: Int?) {
        state = Monitor(State(document: document.map { Array($0.utf8) }, maxAgeSeconds: maxAgeSeconds))
    }

    static func set(_ signers: [FirebaseSigner]) -> String {
        #"{"keys":[\#(signers.map(\.jwk).joined(separator: ","))]}"#
    }

    var fetches: Int { state.withLock { $0.fetches } }
    var failures: [any Error] { state.withLock { $0.failures } }

    func publish(_ signers: FirebaseSigner...) { publish(document: Self.set(signers)) }

    /// `nil` makes the site unreachable.
    func publish(document: String?) { state.withLock { $0.document = document.map { Array($0.utf8) } } }

    /// Makes fetches wait from now on, until `release`.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isHeld = false
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Waits for `count` fetches. False if they do not come within ten seconds.
    func isAsked(_ count: Int) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while fetches < count {
            guard ContinuousClock.now < deadline else { return false }
            await Task.yield()
        }
        return true
    }

    func log(_ error: any Error) { state.withLock { $0.failures.append(error) } }

    func fetch(_ address: String) async throws -> (body: [UInt8], maxAgeSeconds: Int?) {
        precondition(address == Self.address, "The fetch is for another address than the given one.")
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                state.fetches += 1
                if state.isHeld { state.held.append(continuation) }
                return !state.isHeld
            }
            if goesOn { continuation.resume() }
        }
        return try state.withLock { state throws(Unreachable) in
            guard let document = state.document else { throw Unreachable() }
            return (document, state.maxAgeSeconds)
        }
    }
}
