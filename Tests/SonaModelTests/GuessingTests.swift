import SonaBase
import SonaCrypto
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Guessing at passwords from one or many addresses, at one or many accounts.
struct GuessingTests {
    private let folder = TemporaryFolder()
    private let calendar = ManualCalendar()

    private func opened() async throws -> Model { try await Model.opened(folder, calendar) }

    private func guess(
        _ model: Model, _ name: String = "ada", from address: String?, _ password: String = "wrong one"
    ) async -> Refusal? {
        await refusal {
            try await model.accounts.signIn(email: "\(name)@example.org", password: password, address: address)
        }
    }

    /// Goal: concurrent guesses cannot exceed the limit. Way: two hundred at once, each at another account, so that
    /// only the network address is limited. `auth.credentials_invalid` means that a password was hashed.
    @Test func `of two hundred concurrent guesses from one address at most twenty are hashed`() async throws {
        let model = try await opened()
        let errors = await withTaskGroup(of: Refusal?.self) { group in
            for number in 0..<200 { group.addTask { await guess(model, "nobody\(number)", from: "192.0.2.1") } }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(errors.filter { $0 == .credentialsInvalid }.count <= 20)
        #expect(
            errors.allSatisfy { [ErrorCode.authCredentialsInvalid, .authRateLimited, .authBusy].contains($0?.code) })
        await model.close()
    }

    @Test func `of two hundred guesses from forty addresses ten are checked, whether the account exists or not`()
        async throws
    {
        let model = try await opened()
        _ = try await model.accounts.signUp("ada")
        for name in ["ada", "nobody"] {
            var waits: [Int64] = []
            var looked = 0
            for address in 0..<40 {
                for _ in 0..<5 {
                    let refusal = await guess(model, name, from: "192.0.2.\(address)")
                    if refusal == .credentialsInvalid {
                        looked += 1
                    } else if refusal?.code == .authRateLimited, let wait = refusal?.retryAfterMilliseconds {
                        waits.append(wait)
                    } else {
                        Issue.record("\(String(describing: refusal))")
                    }
                }
            }
            #expect(looked == AccountDelays.freeFailures)
            #expect(Set(waits) == [1_000])
        }
        await model.close()
    }

    /// Way: for six hours an attacker guesses as often as allowed, each time from another address.
    @Test func `an account under constant attack takes at most seventy guesses an hour`() async throws {
        let model = try await opened()
        _ = try await model.accounts.signUp("ada")
        var looked = 0
        var address = 0
        var left: Int64 = 6 * 3_600_000
        while left > 0 {
            address += 1
            let refusal = await guess(model, from: "2001:db8:\(String(address, radix: 16))::1")
            if refusal?.code == .authRateLimited, let wait = refusal?.retryAfterMilliseconds {
                #expect(1...60_000 ~= wait)
                calendar.advance(milliseconds: wait)
                left -= wait
            } else {
                looked += 1
            }
        }
        #expect(looked <= 6 * 70 + AccountDelays.freeFailures)
        await model.close()
    }

    /// Goal: an attack does not lock out the owner. Way: during an attack the owner signs in from three networks. From
    /// one with an earlier sign-in it works at once, ten times; also from one where the account only stayed signed in;
    /// from a new one within a minute.
    @Test func `the owner of an account under attack can sign in`() async throws {
        let model = try await opened()
        let home = "203.0.113.7"
        let grant = try await model.accounts.signUp("ada", address: home)
        _ = try await model.accounts.refresh(grant.refreshToken, address: "2001:db8:7::1")
        for address in 0..<30 {
            calendar.advance(seconds: 61)
            #expect(await guess(model, from: "192.0.2.\(address)") == .credentialsInvalid)
            #expect(await guess(model, from: home, "pass-ada-word") == nil)
            #expect(await guess(model, from: "2001:db8:7::2", "pass-ada-word") == nil)
        }
        let refusal = await guess(model, from: "198.51.100.1", "pass-ada-word")
        guard refusal?.code == .authRateLimited, let wait = refusal?.retryAfterMilliseconds else {
            Issue.record("A sign-in from a new network was not delayed.")
            return
        }
        #expect(wait <= 60_000)
        calendar.advance(milliseconds: wait)
        #expect(await guess(model, from: "198.51.100.1", "pass-ada-word") == nil)
        // From now on the network is known.
        #expect(await guess(model, from: "192.0.2.200") != nil)
        #expect(await guess(model, from: "198.51.100.1", "pass-ada-word") == nil)
        await model.close()
    }

    @Test func `neither correct passwords nor answers of a busy server count as attempts`() async throws {
        let model = try await opened()
        _ = try await model.accounts.signUp("ada")
        for _ in 0..<50 { #expect(await guess(model, from: "192.0.2.1", "pass-ada-word") == nil) }
        for _ in 0..<10 { #expect(await guess(model, from: "192.0.2.1") == .credentialsInvalid) }
        await model.close()
        for _ in 0..<50 {
            let error = await guess(model, "nobody", from: "192.0.2.1")
            #expect(error?.code != .authRateLimited)
        }
    }

    @Test(arguments: [
        (["2001:db8:1:2::%x"], 20), (["2001:db8:1:2%x::1"], 80), (["2001:db8:1:%x00::1"], 320),
    ])
    func `an IPv6 /64 counts as one client, and larger networks have higher limits`(form: [String], allowed: Int) {
        let limiter = AttemptLimiter(attemptsMax: 20, windowMilliseconds: 1_000)
        var passed = 0
        for number in 1...255 {
            let digits = String(number, radix: 16)
            let address = form[0].replacing("%x", with: digits.count == 1 ? "0\(digits)" : digits)
            for _ in 0..<4 where (try? limiter.take(address, now: 5)) != nil { passed += 1 }
        }
        #expect(passed == allowed)
    }

    @Test func `networks are recognized in every form in which addresses come`() {
        let one = ["2001:db8:1:2::/64", "2001:db8:1:2::7", "2001:0DB8:0001:0002:9::", "20:1:d:b8:0:1:0:2::/64"]
        #expect(Set(one.map(ClientNetwork.smallest)) == ["20:1:d:b8:0:1:0:2/64"])
        #expect(ClientNetwork.all("2001:db8:1:2::7").map(\.factor) == [1, 4, 16])
        #expect(ClientNetwork.all("2001:db8:1:2::7").last?.key == "20:1:d:b8:0:1/48")
        for single in ["203.0.113.7", "::ffff:203.0.113.7", "local", "", "2001:db8::/32", "20:1:d:b8:0:1:0::/64x"] {
            #expect(ClientNetwork.all(single).map(\.factor) == [1], "\(single)")
        }
        #expect(AddressGroup("20:1:d:b8:0:1:0:2::/64").description == "2001:db8:1::/48")
        #expect(AddressGroup("::ffff:203.0.113.7").description == "203.0.113.0/24")
    }

    @Test func `of one client two passwords are hashed at a time, further ones wait, and too many are refused`()
        async throws
    {
        let hashQueue = HashQueue()
        let counts = Monitor((now: 0, most: 0, isOpen: false))
        let errors = await withTaskGroup(of: Refusal?.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    await refusal {
                        try await hashQueue.run("192.0.2.1") {
                            counts.withLock { $0.now += 1 }
                            counts.withLock { $0.most = max($0.most, $0.now) }
                            while !counts.withLock({ $0.isOpen }) { await Task.yield() }
                            counts.withLock { $0.now -= 1 }
                        }
                    }
                }
            }
            // Another client does not have to wait.
            do { try await hashQueue.run("192.0.2.2") {} } catch { Issue.record(error) }
            var errors: [Refusal?] = []
            for await error in group {
                errors.append(error)
                if errors.count == 30 - HashQueue.inFlightMax - HashQueue.waitingMax {
                    counts.withLock { $0.isOpen = true }
                }
            }
            return errors
        }
        #expect(counts.withLock { $0.most } == HashQueue.inFlightMax)
        #expect(errors.filter { $0 == nil }.count == HashQueue.inFlightMax + HashQueue.waitingMax)
        #expect(errors.allSatisfy { $0 == nil || $0?.code == .authBusy })
        // The queue is empty again.
        try await hashQueue.run("192.0.2.1") {}
    }

    @Test func `a million attacked accounts take no more memory than the limit, and the clock may be set back`() {
        let delays = AccountDelays()
        for number in 0..<AccountDelays.keysMax { try? delays.take("\(number)", now: 1_000_000) }
        for _ in 0..<11 { try? delays.take("ada", now: 2_000_000) }
        #expect(throws: Refusal.rateLimited(retryAfterMilliseconds: 1_000)) {
            try delays.take("ada", now: 2_000_000)
        }
        for number in 0..<AccountDelays.keysMax / 2 { try? delays.take("x\(number)", now: 2_000_000) }
        // An account with more than one failure is remembered longer.
        #expect(throws: Refusal.self) { try delays.take("ada", now: 2_000_000) }
        #expect(throws: Refusal.rateLimited(retryAfterMilliseconds: 60_000)) { try delays.take("ada", now: 0) }
    }

    @Test func `a hundred thousand places are known, and the ones seen longest ago are forgotten first`() {
        let places = KnownPlaces(), uid = RoomFixture.guest()
        func address(_ number: Int) -> String { "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)" }
        for number in 0..<KnownPlaces.placesMax { places.note(uid, address(number), now: Int64(number)) }
        #expect(places.contains(uid, address(0), now: 0))
        places.note(uid, "192.0.2.1", now: Int64(KnownPlaces.placesMax))
        let known = (0..<KnownPlaces.placesMax).filter { places.contains(uid, address($0), now: Int64($0)) }
        #expect(known.first == KnownPlaces.placesMax / 10 + 1 && known.count == KnownPlaces.placesMax * 9 / 10 - 1)
        #expect(places.contains(uid, "192.0.2.1", now: Int64(KnownPlaces.placesMax)))
    }
}
