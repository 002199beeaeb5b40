internal import Glibc
internal import SonaBase
internal import SonaClient
package import SonaWire

/// An account made for the test, which removes it in the end.
package struct ThrowawayAccount: Sendable {
    package var email: String
    package var password: String
    package var username: Username
    /// Access token.
    package var token: String
    /// When the token was granted, by `LoadClock`; nil: there is none, or the server no longer accepts it.
    package var tokenAt: UInt64?

    /// A token is good for 15 minutes by default: one that has to last for a while is no older than this.
    private static let tokenAgeMax: UInt64 = 600_000_000_000

    package var isTokenOld: Bool { tokenAt.map { LoadClock.now >= $0 + Self.tokenAgeMax } ?? true }

    package mutating func hold(_ token: String) {
        self.token = token
        tokenAt = LoadClock.now
    }

    /// New names each time, so that what an interrupted run has left is in nobody's way.
    package static func make() -> ThrowawayAccount {
        let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
        func random(_ count: Int) -> String {
            String((0..<count).map { _ in alphabet[Int.random(in: alphabet.indices)] })
        }
        let name = "load_" + random(12)
        guard let username = Username(name) else { preconditionFailure("letters, digits and _ make a username") }
        // example.org is reserved (RFC 2606), so no mail reaches anybody.
        return ThrowawayAccount(
            email: "\(name)@example.org", password: random(24), username: username, token: "")
    }

    package var signIn: AuthSignIn { AuthSignIn(email: email, password: password) }
    package var signUp: AuthSignUp { AuthSignUp(email: email, password: password, username: username) }
}

/// A sign-up under way.
struct SignUpAttempt {
    var account: ThrowawayAccount
    var wasAsked = false
    /// The server said that it will not.
    var wasRefused = false
}

extension Engine {
    func beginSignUp(_ number: Int, _ due: UInt64) {
        let slot = slot(ofSignUp: number)
        guard clients[slot].phase == .unused else { return }
        counts.pointee.signUpsBegun += 1
        signUps[slot] = SignUpAttempt(account: .make())
        connect(slot, plannedAt: due)
    }

    func askToSignUp(_ slot: Int) {
        guard let attempt = signUps[slot] else { return }
        clients[slot].phase = .answering
        signUps[slot]?.wasAsked = true
        let body = attempt.account.signUp.encoded()
        let head =
            "POST /v1/rpc/\(AuthSignUp.type) HTTP/1.1\r\nHost: \(target.address.authority)\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        say(slot, Array(head.utf8) + body)
    }

    /// The answer is complete as soon as it is JSON: nothing but one object comes.
    func takeSignUpAnswer(_ slot: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ now: UInt64) {
        guard let attempt = signUps[slot], let end = HTTPHead.end(bytes) else { return }
        guard let reply = try? JSON.parse(Array(bytes[end...])) else { return }
        if let error = reply["error"], let refusal = try? WireError(error) {
            // A mistake of its own may have come after the account.
            signUps[slot]?.wasRefused = refusal.code != .serverInternal
            return fail(slot, refusal.code.text, refusal.message)
        }
        guard let grant = try? Grant(reply["data"] ?? .null) else {
            return fail(slot, "reply.unreadable", "The answer to a sign-up can't be read.")
        }
        var account = attempt.account
        account.hold(grant.accessToken)
        accounts.append(account)
        counts.pointee.signUpsDone += 1
        times.signUps.record(nanoseconds: now > clients[slot].plannedAt ? now - clients[slot].plannedAt : 0)
        finishSignUp(slot)
    }

    /// A request without an answer may have been carried out: such an account is looked for in the end.
    func signUpFailed(_ slot: Int) {
        guard let attempt = signUps.removeValue(forKey: slot) else { return }
        if attempt.wasAsked && !attempt.wasRefused { accounts.append(attempt.account) }
    }

    private func finishSignUp(_ slot: Int) {
        signUps[slot] = nil
        opening -= 1
        clients[slot].phase = .closed
        release(slot)
    }
}
