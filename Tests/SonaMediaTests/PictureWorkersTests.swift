import Dispatch
import Glibc
import SonaImages
import SonaTestSupport
import Synchronization
import Testing

@testable import SonaMedia

@Suite struct PictureWorkersTests {
    private static let real = PictureWorkers(WorkerFixture.sona)

    private func failure(_ bytes: [UInt8], _ workers: PictureWorkers = real) -> PictureWorkers.Failure? {
        do throws(PictureWorkers.Failure) {
            _ = try workers.photo(bytes)
            return nil
        } catch {
            return error
        }
    }

    private func code(_ bytes: [UInt8], _ workers: PictureWorkers = real) -> ImageError.Code? {
        if case .picture(let error) = failure(bytes, workers) { error.code } else { nil }
    }

    @Test func `a worker makes the photo that this process would make`() throws {
        #expect(try Self.real.photo(WorkerFixture.picture) == Photo(WorkerFixture.picture))
    }

    @Test func `a worker refuses with the code and the sentence that this process would give`() {
        let half = Array(WorkerFixture.picture.prefix(40))
        for bytes in [[], [0], Array("GIF89a".utf8), half, PNGBomb.file([], width: 99_999)] {
            let expected: ImageError?
            do throws(ImageError) {
                _ = try Photo(bytes)
                expected = nil
            } catch {
                expected = error
            }
            #expect(failure(bytes) == expected.map { .picture($0) })
        }
    }

    /// Way: the worker gets two seconds of processor time instead of ten; before the check the bomb took ten.
    @Test
    func `2 × 2 pixels that unpack to four and a half GiB are damaged, for less than two seconds of a core`() {
        let folder = TemporaryFolder()
        let notices = Mutex<[String]>([])
        let hurried = PictureWorkers(
            WorkerFixture.script("ulimit -t 2; exec \(BuiltProgram.sona) worker picture", in: folder),
            notice: { line in notices.withLock { $0.append(line) } })
        let bomb = PNGBomb.png(mebibytes: 4_600)
        #expect(bomb.count < 5 << 20)
        #expect(code(bomb, hurried) == .damaged)
        // Found by the check, not by the limit.
        #expect(notices.withLock { $0 } == [])
    }

    @Test func `endless input is too large`() throws {
        let folder = TemporaryFolder()
        let endless = PictureWorkers(
            WorkerFixture.script("exec \(BuiltProgram.sona) worker picture </dev/zero", in: folder))
        #expect(code([], endless) == .tooManyBytes(count: 5 << 20 | 1))
    }

    /// Way: a picture of 36 million pixels takes a second or so; its worker is found in /proc and killed.
    @Test(arguments: [SIGKILL, SIGSEGV])
    func `a worker killed in the middle costs its picture, says so, and the next one works`(signal: Int32) async throws
    {
        let notices = Mutex<[String]>([])
        let folder = TemporaryFolder()
        let workers = PictureWorkers(WorkerFixture.named(in: folder)) { line in notices.withLock { $0.append(line) } }
        let rows = PNGBomb.compressed([UInt8](repeating: 0, count: 6_000 * 18_001))
        let large = PNGBomb.file(PNGBomb.chunk("IDAT", rows), width: 6_000, height: 6_000)
        async let outcome = withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: code(large, workers)) }
        }
        let deadline = ContinuousClock.now + .seconds(20)
        var victim: pid_t?
        while victim == nil, ContinuousClock.now < deadline {
            victim = WorkerFixture.running(in: folder).first { Self.hasLimitedItself($0) }
            try await Task.sleep(for: .milliseconds(5))
        }
        kill(try #require(victim), signal)
        #expect(await outcome == .damaged)
        #expect(notices.withLock { $0 }.count == 1)
        #expect(try workers.photo(WorkerFixture.picture).full.width == 2)
    }

    /// No file but its three: from there on it is past its greeting.
    private static func hasLimitedItself(_ process: pid_t) -> Bool {
        let status = TemporaryFolder.bytes(ofFile: "/proc/\(process)/status") ?? []
        return String(decoding: status, as: UTF8.self).contains("NoNewPrivs:\t1")
    }

    @Test func `forty at once are all made`() {
        let folder = TemporaryFolder()
        let workers = PictureWorkers(WorkerFixture.named(in: folder))
        let made = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 40) { _ in
            if failure(WorkerFixture.picture, workers) == nil { made.add(1, ordering: .relaxed) }
        }
        #expect(made.load(ordering: .relaxed) == 40)
        #expect(WorkerFixture.running(in: folder).isEmpty)
    }

    @Test func `a kernel that filters no system calls is reported once`() throws {
        let folder = TemporaryFolder()
        let error = PictureMessage.encode(ImageError(.damaged, "No."))
        let notices = Mutex<[String]>([])
        let workers = PictureWorkers(
            WorkerFixture.script("printf 'SONA\\0\\0\\0\\0\\\(String(error.count, radix: 8))'; exec cat", in: folder),
            notice: { line in notices.withLock { $0.append(line) } })
        for _ in 0..<3 { #expect(code(error, workers) == .damaged) }
        #expect(notices.withLock { $0 }.count == 1)
    }

    @Test func `workers that break one after the other are told of once in ten seconds`() {
        let folder = TemporaryFolder()
        let notices = Mutex<[String]>([])
        let workers = PictureWorkers(WorkerFixture.script("\(WorkerFixture.greet); kill -SEGV $$", in: folder)) {
            line in
            notices.withLock { $0.append(line) }
        }
        for _ in 0..<3 { #expect(code(WorkerFixture.picture, workers) == .damaged) }
        #expect(
            notices.withLock { $0 } == ["The photo worker was ended by signal 11 (Segmentation fault)"])
    }

    @Test func `where no worker can be started no picture is called damaged`() {
        var nowhere = WorkerProgram()
        nowhere.path = "/nowhere/sona"
        #expect(failure(WorkerFixture.picture, PictureWorkers(nowhere)) == .unavailable)
    }

    @Test func `a worker that was taken over can't slip in something else for a photo`() throws {
        let good = try Photo(WorkerFixture.picture)
        let message = PictureMessage.encode(good)
        #expect(try PictureMessage.decode(message)?.get() == good)
        for count in 0..<message.count { #expect(PictureMessage.decode(Array(message.prefix(count))) == nil) }
        #expect(PictureMessage.decode(message + [0]) == nil)
        let html = EncodedImage(webP: Array("<script>".utf8), width: 2, height: 2)
        func decode(_ full: EncodedImage, _ squares: [EncodedImage]) -> Result<Photo, ImageError>? {
            PictureMessage.decode(
                PictureMessage.encode(
                    Photo(full: full, squares: squares, color: good.color, foreground: good.foreground)))
        }
        #expect(decode(html, good.squares) == nil && decode(good.full, [html, html]) == nil)
        #expect(decode(good.full, good.squares.reversed()) == nil)
        let huge = EncodedImage(webP: good.full.bytes, width: 2_049, height: 2)
        #expect(decode(huge, good.squares) == nil && decode(good.full, good.squares) != nil)
    }
}
