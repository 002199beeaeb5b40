import SonaTestSupport
import Testing

@testable import SonaMedia

@Suite struct SandboxTests {
    /// Goal: a worker that was taken over has nothing to take.
    /// Way: the real program limits itself and tries; what it reports is what the kernel answered.
    @Test func `a worker can open no file or socket, start nothing and signal nobody`() throws {
        let answer = try WorkerFixture.sona.run(.probe, reading: [])
        var answers: [Substring: Substring] = [:]
        for line in String(decoding: answer.bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            answers[parts[0]] = parts[1]
        }
        #expect(answers.count == 10)
        for (attempt, outcome) in answers where answer.isFiltered || !attempt.hasPrefix("filter:") {
            #expect(outcome != "allowed", "\(attempt)")
        }
        // ENOMEM: a limit of its own, not the filter.
        #expect(answers["limit:memory"] == "errno 12")
        for name in ["fork", "exec", "kill"] where answer.isFiltered {
            #expect(answers["filter:\(name)"] == "errno 1")
        }
    }

    @Test func `a worker has three descriptors and no environment`() throws {
        let folder = TemporaryFolder()
        let script = """
            \(WorkerFixture.greet)
            printf '\\0\\0\\0\\003'
            ls /proc/self/fd | wc -l | tr -d '\\n'
            env | wc -l
            """
        // ls has one more, for the folder; a shell without an environment has PWD.
        let answer = try WorkerFixture.script(script, in: folder).run(.picture, reading: [])
        #expect(String(decoding: answer.bytes, as: UTF8.self) == "41\n")
    }
}
