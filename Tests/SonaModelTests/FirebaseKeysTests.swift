import Glibc
import SonaTestSupport
import Testing

@testable import SonaModel

struct FirebaseKeysTests {
    // MARK: An address

    @Test func `keys are fetched once and serve for their time`() async throws {
        let fixture = try #require(FirebaseFixture(maxAgeSeconds: 1_000))
        #expect(fixture.site.fetches == 0)
        for _ in 0..<5 { #expect(await fixture.refusal(fixture.token()) == nil) }
        #expect(fixture.site.fetches == 1)
        fixture.calendar.advance(seconds: 799)
        #expect(await fixture.refusal(fixture.token()) == nil)
        #expect(fixture.site.fetches == 1)
    }

    @Test func `unreachable keys mean no, at first and later`() async throws {
        let fixture = try #require(FirebaseFixture(maxAgeSeconds: 1_000))
        fixture.site.publish(document: nil)
        #expect(await fixture.refusal(fixture.token()) == .keysUnavailable)
        #expect(fixture.site.fetches == 1)
        // A failure rests for ten seconds.
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

        // Later: good for their time, and not a second longer.
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
    func `an answer's max-age is a minute at least and a day at most`(maxAge: Int?, seconds: Int64) async throws {
        let fixture = try #require(FirebaseFixture(maxAgeSeconds: maxAge))
        #expect(await fixture.refusal(fixture.token()) == nil)
        fixture.site.publish(document: nil)
        fixture.calendar.advance(seconds: seconds - 1)
        #expect(await fixture.refusal(fixture.token()) == nil)
        fixture.calendar.advance(seconds: 1)
        #expect(await fixture.refusal(fixture.token()) == .keysUnavailable)
    }

    @Test func `keys are replaced before their time is over, and nobody waits for it`() async throws {
        let fixture = try #require(FirebaseFixture(maxAgeSeconds: 1_000))
        #expect(await fixture.refusal(fixture.token()) == nil)
        fixture.calendar.advance(seconds: 800)
        fixture.site.hold()
        fixture.site.publish(.first, .second)
        // The fetch is held, and these come back all the same.
        for _ in 0..<3 { #expect(await fixture.refusal(fixture.token()) == nil) }
        #expect(await fixture.site.isAsked(2))
        fixture.site.release()
        // Whose key is in the new document only waits for it.
        #expect(await fixture.refusal(fixture.token(signer: .second)) == nil)
        #expect(fixture.site.fetches == 2)
        fixture.calendar.advance(seconds: 799)
        #expect(await fixture.refusal(fixture.token()) == nil)
        #expect(fixture.site.fetches == 2)
    }

    @Test func `a new key is found when a token names it, an old one goes with its document`() async throws {
        let fixture = try #require(FirebaseFixture())
        #expect(await fixture.refusal(fixture.token()) == nil)
        fixture.site.publish(.second)
        // The document is a moment old: it is not asked for again so soon.
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

    @Test func `names nobody knows cost one fetch a minute`() async throws {
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
        // With the site down nobody can say that there is no such key; those that are known stay good.
        fixture.site.publish(document: nil)
        fixture.calendar.advance(seconds: 60)
        for _ in 0..<20 { #expect(await fixture.refusal(fixture.token(signer: .second)) == .keysUnavailable) }
        #expect(await fixture.refusal(fixture.token()) == nil)
        #expect(fixture.site.fetches == 5)
    }

    @Test func `many at once wait for one fetch`() async throws {
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

    @Test func `who gives up waiting ends the fetch for nobody`() async throws {
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

    @Test func `a clock that jumps back costs a fetch and makes no old key good`() async throws {
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

    @Test func `a document that is none is a failure, and keys so far stay good`() async throws {
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

    @Test func `a document without any key of ours revokes the keys before`() async throws {
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

        /// The way that is recommended: whole or not at all.
        func replace(_ document: String) {
            TemporaryFolder.write(Array(document.utf8), toFile: path + ".new")
            precondition(rename(path + ".new", path) == 0, "The test can't rename its file.")
        }

        /// A socket in the file's place; the caller closes it.
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

        /// Makes the file look as it did before, to its time of modification.
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
        // Days later it is still the same file.
        fixture.calendar.advance(seconds: 300_000)
        #expect(await fixture.refusal(.second) == nil)
        #expect(fixture.failures.failures.count == 1)
    }

    @Test func `a file that is gone, unreadable or malformed takes its keys with it`() async throws {
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
        // A pipe that nobody writes to holds nobody up.
        #expect(rmdir(fixture.path) == 0 && mkfifo(fixture.path, 0o600) == 0)
        #expect(await fixture.refusal() == .keysUnavailable)
        #expect(failures().count == 5)
        // Nothing changed: it is tried again after ten seconds.
        #expect(await fixture.refusal() == .keysUnavailable)
        #expect(failures().count == 5)
        fixture.calendar.advance(seconds: 10)
        #expect(await fixture.refusal() == .keysUnavailable)
        #expect(failures().count == 6)
        // A socket can't even be opened, and that is found out once.
        #expect(remove(fixture.path) == 0)
        let socket = try #require(fixture.makeSocket())
        defer { close(socket) }
        for _ in 0..<3 { #expect(await fixture.refusal() == .keysUnavailable) }
        #expect(failures().last == .unreadable(operation: "open", errno: ENXIO))
        #expect(failures().count == 7)
    }

    /// The file is written in place and given its old time and size again, so that only a name that is not known is a
    /// reason to read it.
    @Test func `a key that is not known has the file read again, once a minute`() async throws {
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
        // Another time is another file, at once.
        fixture.write(padded(document))
        fixture.setModified(timespec(tv_sec: 1_700_000_000, tv_nsec: 6))
        #expect(await fixture.refusal() == nil)
    }

    private static func certificates(_ signers: FirebaseSigner...) -> String {
        let members = signers.map { "\"\($0.kid)\":\"\($0.certificatePEM.replacing("\n", with: #"\n"#))\"" }
        return "{" + members.joined(separator: ",") + "}"
    }
}
