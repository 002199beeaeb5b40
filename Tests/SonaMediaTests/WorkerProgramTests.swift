import Glibc
import SonaTestSupport
import Testing

@testable import SonaMedia

/// Goal: whatever a worker does, its caller gets an answer or an error, in time, and no process is left.
/// Way: shell scripts in the worker's place.
@Suite struct WorkerProgramTests {
    private func failure(_ lines: String, change: (inout WorkerProgram) -> Void = { _ in }) -> WorkerError? {
        let folder = TemporaryFolder()
        var program = WorkerFixture.script(lines, in: folder)
        change(&program)
        do throws(WorkerError) {
            _ = try program.run(.picture, reading: [1, 2, 3])
            return nil
        } catch {
            return error
        }
    }

    @Test func `a worker reads the bytes it was given`() throws {
        let folder = TemporaryFolder()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let program = WorkerFixture.script(
            "\(WorkerFixture.greet); printf '\\0\\003\\015\\100'; exec cat", in: folder)
        let answer = try program.run(.picture, reading: bytes)
        #expect(answer.bytes == bytes && answer.isFiltered)
    }

    @Test(arguments: ["KILL", "SEGV", "ABRT", "XCPU", "TERM"])
    func `a worker that a signal ends has failed, and the reason says which`(signal: String) throws {
        let error = try #require(failure("\(WorkerFixture.greet); kill -\(signal) $$"))
        #expect(error.code == .failed && error.reason.contains("signal"))
    }

    @Test func `a worker that ends before its greeting was not started`() {
        #expect(failure("exit 71")?.code == .notStarted)
        #expect(failure("kill -KILL $$")?.code == .notStarted)
        #expect(failure("", change: { $0.path = "/nowhere/sona" })?.code == .notStarted)
    }

    @Test func `a worker that talks nonsense, too little or too much has failed`() {
        let greet = WorkerFixture.greet
        for lines in [
            "echo hello", "\(greet)", "\(greet); printf '\\0\\0\\0'", "\(greet); printf '\\0\\0\\0\\002x'",
            "\(greet); printf '\\0\\0\\0\\002xyz'", "printf 'SONA\\002\\0\\0\\0\\0'",
            "\(greet); printf '\\0\\0\\0\\001x'; exit 1",
        ] { #expect(failure(lines)?.code == .failed, "\(lines)") }
        #expect(failure("\(greet); printf '\\0\\0\\0\\001x'") == nil)
    }

    @Test func `endless output ends at the limit`() throws {
        let error = try #require(failure("\(WorkerFixture.greet); exec yes", change: { $0.answerBytesMax = 1 << 20 }))
        #expect(error == WorkerError(code: .failed, reason: "said more than 1048576 bytes"))
    }

    @Test func `a worker that never ends is killed in time, whether it holds its output or not`() throws {
        for lines in ["exec sleep 60", "exec >&-; exec sleep 60"] {
            let start = ContinuousClock.now
            let error = try #require(
                failure("\(WorkerFixture.greet); \(lines)", change: { $0.timeMax = .milliseconds(300) }))
            #expect(error == WorkerError(code: .failed, reason: "took too long"))
            #expect(ContinuousClock.now - start < .seconds(10))
        }
    }
}
