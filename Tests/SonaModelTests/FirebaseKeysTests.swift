import Glibc
import SonaTestSupport
import Testing

@testable import SonaModel

struct FirebaseKeysTests {
    // MARK: An address

    @Test func `keys are fetched once and used until they expire`() async throws {
        let fixture = try #require(FirebaseFixture(maxAgeSeconds: 1_000))
        #expect(fixture.site.fetches == 0)
        for _ in 0..<5 { #expect(await fixture.refusal(fixture.token()) == nil) }
        #expect(fixture.site.fetches == 1)
        fixture.calendar.advance(seconds: 799)
        #expect(await fixture.refusal(fixture.token()) == nil)
        #expect(fixture.site.fetches == 1)
    }

    @Test func `tokens are refused while keys are unreachable, at first and later`() async throws {
        let fixture = try #require(FirebaseFixture(maxAgeSeconds: 1_000))
        fixture.site.publish(document: nil)
        #expect(await fixture.refusal(fixture.token()) == .keysUnavailable)
        #expect(fixture.site.fetches == 1)
        // After a failure nothing is fetched for ten seconds.
        fixture.calendar.advance(seconds: 9)
        #expect(await fixture.refusal(fixture.token()) == .keysUnavailable)
        #expect(fixture.site.fetches == 1)
        fixture.calendar.advance(seconds: 1)
        #expect(await fixture.refusal(fixture.token()) == .keysUnavailable)
        #expect(fixture.site.fetches == 2)
        fixture.site.publish(.first)
        #expect(await fixture.refusal(fixture.token()) == .keysUnavailable)
        fixture.calendar.advance(seconds: 10)
        #expect(await fixture.refusal(fixture.token()) == nil)
        #expect(fixture.site.fetches == 3)
        #expect(fixture.site.failures.count == 2 && fixture.site.failures.allSatisfy { $0 is KeySite.Unreachable })

        // Later: the keys are valid until they expire, and not a second longer.
        fixture.site.publish(document: nil)
        fixture.calendar.advance(seconds: 999)
        let held = fixture.token()
        #expect(await fixture.refusal(held) == nil)
        fixture.calendar.advance(seconds: 1)
        #expect(await fixture.refusal(held) == .keysUnavailable)
        fixture.calendar.advance(seconds: 10)
        fixture.site.publish(.first)
        #expect(await fixture.refusal(held) == nil)
    }

    @Test(
        arguments: [
            (nil, 3_600), (0, 60), (-5, 60), (Int.min, 60), (59, 60), (61, 61), (86_400, 86_400), (86_401, 86_400),
            (Int.max, 86_400),
        ] as [(Int?, Int64)])
    func `a max-age counts as at least a minute and at most a day`(maxAge: Int?, seconds: Int64) async throws {
        let fixture = try #require(FirebaseFixture(maxAgeSeconds: maxAge))
        #expect(await fixture.refusal(fixture.token()) == nil)
        fixture.site.publish(document: nil)
        fixture.calendar.advance(seconds: seconds - 1)
        #expect(await fixture.refusal(fixture.token()) == nil)
        fixture.calendar.advance(seconds: 1)
        #expect(await fixture.refusal(fixture.token()) == .keysUnavailable)
    }

    @Test func `keys are replaced before they expire, and no caller waits for it`() async throws {
        let fixture = try #require(FirebaseFixture(maxAgeSeconds: 1_000))
        #expect(await fixture.refusal(fixture.token()) == nil)
        fixture.calendar.advance(seconds: 800)
        fixture.site.hold()
        fixture.site.publish(.first, .second)
        // These calls return although the fetch is blocked.
        for _ in 0..<3 { #expect(await fixture.refusal(fixture.token()) == nil) }
        #expect(await fixture.site.isAsked(2))
        fixture.site.release()
        // A token whose key is only in the new document waits for it.
        #expect(await fixture.refusal(fixture.token(signer: .second)) == nil)
        #expect(fixture.site.fetches == 2)
        fixture.calendar.advance(seconds: 799)
        #expect(await fixture.refusal(fixture.token()) == nil)
        #expect(fixture.site.fetches == 2)
    }

    @Test func `a new key is found when a token names it, and an old one is void with its document`() async throws {
        let fixture = try #require(FirebaseFixture())
        #expect(await fixture.refusal(fixture.token()) == nil)
        fixture.site.publish(.second)
        // The document is too new to be fetched again.
        #expect(await fixture.refusal(fixture.token(signer: .second)) == .tokenInvalid)
        fixture.calendar.advance(seconds: 59)
        #expect(await fixture.refusal(fixture.token(signer: .second)) == .tokenInvalid)
        #expect(fixture.site.fetches == 1)
        fixture.calendar.advance(seconds: 1)
        #expect(await fixture.refusal(fixture.token()) == nil)
        #expect(await fixture.refusal(fixture.token(signer: .second)) == nil)
        #expect(fixture.site.fetches == 2)
        #expect(await fixture.refusal(fixture.token()) == .tokenInvalid)
    }

    @Test func `unknown key names cause one fetch a minute`() async throws {
        let fixture = try #require(FirebaseFixture())
        #expect(await fixture.refusal(fixture.token()) == nil)
        for minute in 1...3 {
            fixture.calendar.advance(seconds: 60)
            for number in 0..<20 {
                let header = #"{"alg":"RS256","kid":"unknown-\#(minute)-\#(number)"}"#
                #expect(await fixture.refusal(fixture.token(header: header)) == .tokenInvalid)
            }
            #expect(fixture.site.fetches == 1 + minute)
        }
        // With the site down an unknown key counts as unavailable, and known keys stay valid.
        fixture.site.publish(document: nil)
        fixture.calendar.advance(seconds: 60)
        for _ in 0..<20 { #expect(await fixture.refusal(fixture.token(signer: .second)) == .keysUnavailable) }
        #expect(await fixture.refusal(fixture.token()) == nil)
        #expect(fixture.site.fetches == 5)
    }

    @Test func `concurrent callers wait for the same fetch`() async throws {
        let fixture = try #require(FirebaseFixture())
        fixture.site.hold()
        let token = fixture.token()
        let refusals = await withTaskGroup(of: FirebaseError?.self) { group in
            for _ in 0..<64 { group.addTask { await fixture.refusal(token) } }
            #expect(await fixture.site.isAsked(1))
            for _ in 0..<1_000 { await Task.yield() }
            fixture.site.release()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals == [FirebaseError?](repeating: nil, count: 64))
        #expect(fixture.site.fetches == 1)
    }

    @Test func `a cancelled caller does not cancel the fetch for others`() async throws {
        let fixture = try #require(FirebaseFixture())
        fixture.site.hold()
        let token = fixture.token()
        let impatient = Task { await fixture.refusal(token) }
        #expect(await fixture.site.isAsked(1))
        let patient = Task { await fixture.refusal(token) }
        impatient.cancel()
        fixture.site.release()
        #expect(await patient.value == nil)
        _ = await impatient.value
        #expect(fixture.site.fetches == 1)
    }

    @Test func `a clock that jumps back costs a fetch and makes no old key valid`() async throws {
        let fixture = try #require(FirebaseFixture(maxAgeSeconds: 100))
        #expect(await fixture.refusal(fixture.token()) == nil)
        fixture.calendar.advance(seconds: -5_000)
        #expect(await fixture.refusal(fixture.token()) == nil)
        #expect(fixture.site.fetches == 2)
        fixture.site.publish(document: nil)
        fixture.calendar.advance(seconds: -5_000)
        #expect(await fixture.refusal(fixture.token()) == .keysUnavailable)
        #expect(fixture.site.fetches == 3)
    }

    @Test func `an invalid document is a failure, and the current keys stay valid`() async throws {
        let fixture = try #require(FirebaseFixture(maxAgeSeconds: 1_000))
        #expect(await fixture.refusal(fixture.token()) == nil)
        fixture.site.publish(document: "<html>502 Bad Gateway</html>")
        fixture.calendar.advance(seconds: 900)
        #expect(await fixture.refusal(fixture.token(signer: .second)) == .keysUnavailable)
        #expect(await fixture.refusal(fixture.token()) == nil)
        #expect(fixture.site.failures.map { $0 as? FirebaseKeyError } == [.malformed])
        fixture.calendar.advance(seconds: 100)
        #expect(await fixture.refusal(fixture.token()) == .keysUnavailable)
    }

    @Test func `a document without usable keys revokes the former keys`() async throws {
        let fixture = try #require(FirebaseFixture())
        #expect(await fixture.refusal(fixture.token()) == nil)
        fixture.site.publish(document: #"{"keys":[]}"#)
        fixture.calendar.advance(seconds: 60)
        #expect(await fixture.refusal(fixture.token(signer: .second)) == .keysUnavailable)
        #expect(await fixture.refusal(fixture.token()) == .keysUnavailable)
    }

    // MARK: A file

    private struct FileFixture {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let failures = KeySite(nil, maxAgeSeconds: nil)
        let tokens: FirebaseTokens
        let base: FirebaseFixture

        var path: String { folder.file("keys.json") }

        init?() {
            let keys = FirebaseKeys(
                file: folder.file("keys.json"), clock: calendar.clock, log: { [failures] in failures.log($0) })
            guard let base = FirebaseFixture(),
                let tokens = FirebaseTokens(project: FirebaseFixture.project, keys: keys, clock: calendar.clock)
            else { return nil }
            self.base = base
            self.tokens = tokens
        }

        func refusal(_ signer: FirebaseSigner = .first) async -> FirebaseError? {
            let token = base.token(base.claims(["exp": "\(base.now + 1_000_000)"]), signer: signer)
            return await failure { () throws(FirebaseError) in try await tokens.verify(token) }
        }

        func write(_ document: String) { TemporaryFolder.write(Array(document.utf8), toFile: path) }

        /// The recommended way: an atomic replacement.
        func replace(_ document: String) {
            TemporaryFolder.write(Array(document.utf8), toFile: path + ".new")
            precondition(rename(path + ".new", path) == 0, "The test can't rename its file.")
        }

        /// Puts a socket in place of the file. The caller closes it.
        func makeSocket() -> Int32? {
            let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let result = withUnsafeBytes(of: &address) { bytes in
                bind(file, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            }
            return result == 0 ? file : nil
        }

        /// Gives the file its former time of modification.
        func setModified(_ time: timespec) {
            var times = [time, time]
            precondition(utimensat(AT_FDCWD, path, &times, 0) == 0, "The test can't set its file's time.")
        }
    }

    @Test func `a file is read as a JWK set and as Google's certificates`() async throws {
        let fixture = try #require(FileFixture())
        #expect(await fixture.refusal() == .keysUnavailable)
        fixture.write(KeySite.set([.first, .second]))
        #expect(await fixture.refusal() == nil)
        #expect(await fixture.refusal(.second) == nil)
        fixture.replace(Self.certificates(.second))
        #expect(await fixture.refusal(.second) == nil)
        #expect(await fixture.refusal(.first) == .tokenInvalid)
        // Days later the file is unchanged, and so are its keys.
        fixture.calendar.advance(seconds: 300_000)
        #expect(await fixture.refusal(.second) == nil)
        #expect(fixture.failures.failures.count == 1)
    }

    @Test func `the keys of a missing, unreadable or malformed file are void`() async throws {
        let fixture = try #require(FileFixture())
        func failures() -> [FirebaseKeyError?] { fixture.failures.failures.map { $0 as? FirebaseKeyError } }
        fixture.write(KeySite.set([.first]))
        #expect(await fixture.refusal() == nil)
        #expect(remove(fixture.path) == 0)
        #expect(await fixture.refusal() == .keysUnavailable)
        #expect(failures() == [.unreadable(operation: "open", errno: ENOENT)])
        #expect(await fixture.refusal() == .keysUnavailable)
        #expect(failures().count == 1)
        fixture.write(KeySite.set([.first]))
        #expect(await fixture.refusal() == nil)
        fixture.write("{")
        #expect(await fixture.refusal() == .keysUnavailable)
        #expect(failures().last == .malformed)
        fixture.replace(KeySite.set([.second]))
        #expect(await fixture.refusal(.second) == nil)
        fixture.replace(String(repeating: " ", count: FirebaseKeySet.bytesMax) + KeySite.set([.first]))
        #expect(await fixture.refusal() == .keysUnavailable)
        #expect(failures().last == .tooLarge)
        #expect(remove(fixture.path) == 0 && mkdir(fixture.path, 0o700) == 0)
        #expect(await fixture.refusal() == .keysUnavailable)
        #expect(failures().last == .unreadable(operation: "read", errno: EINVAL))
        // A pipe without a writer does not block.
        #expect(rmdir(fixture.path) == 0 && mkfifo(fixture.path, 0o600) == 0)
        #expect(await fixture.refusal() == .keysUnavailable)
        #expect(failures().count == 5)
        // The file has not changed, so it is read again only after ten seconds.
        #expect(await fixture.refusal() == .keysUnavailable)
        #expect(failures().count == 5)
        fixture.calendar.advance(seconds: 10)
        #expect(await fixture.refusal() == .keysUnavailable)
        #expect(failures().count == 6)
        // A socket can't be opened, and that is tried only once.
        #expect(remove(fixture.path) == 0)
        let socket = try #require(fixture.makeSocket())
        defer { close(socket) }
        for _ in 0..<3 { #expect(await fixture.refusal() == .keysUnavailable) }
        #expect(failures().last == .unreadable(operation: "open", errno: ENXIO))
        #expect(failures().count == 7)
    }

    /// The file is written in place and gets its old time and size, so that only an unknown key name is a reason to
    /// read it.
    @Test func `an unknown key name causes a reading of the file, once a minute`() async throws {
        let fixture = try #require(FileFixture())
        let document = KeySite.set([.first])
        let other = KeySite.set([.second])
        let length = max(document.utf8.count, other.utf8.count)
        func padded(_ text: String) -> String { text + String(repeating: " ", count: length - text.utf8.count) }
        let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 5)
        fixture.write(padded(document))
        fixture.setModified(time)
        #expect(await fixture.refusal() == nil)
        fixture.write(padded(other))
        fixture.setModified(time)
        #expect(await fixture.refusal() == nil)
        #expect(await fixture.refusal(.second) == .tokenInvalid)
        fixture.calendar.advance(seconds: 59)
        #expect(await fixture.refusal(.second) == .tokenInvalid)
        fixture.calendar.advance(seconds: 1)
        #expect(await fixture.refusal(.second) == nil)
        #expect(await fixture.refusal() == .tokenInvalid)
        // A new time of modification counts as another file at once.
        fixture.write(padded(document))
        fixture.setModified(timespec(tv_sec: 1_700_000_000, tv_nsec: 6))
        #expect(await fixture.refusal() == nil)
    }

    private static func certificates(_ signers: FirebaseSigner...) -> String {
        let members = signers.map { "\"\($0.kid)\":\"\($0.certificatePEM.replacing("\n", with: #"\n"#))\"" }
        return "{" + members.joined(separator: ",") + "}"
    }
}
