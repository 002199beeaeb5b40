import Foundation
import Testing

/// What `sonaload` says of a server that fails while it is measured.
@Suite(.serialized) struct LoadFaultTests {
    private struct Run {
        let ending: Ending
        let figures: [String: Any]

        func count(_ key: String) -> Int? { (figures[key] as? NSNumber)?.intValue }
        var warnings: [String] {
            let all = (figures["harness"] as? [String: Any])?["warnings"] as? [[String: Any]] ?? []
            return all.compactMap { $0["code"] as? String }
        }
        var isBalanced: Bool { count("received").map { $0 + (count("lost") ?? 0) } == count("expected") }
    }

    /// Runs a load of `seconds`, and `fault` once its first second is over.
    private func run(
        _ server: TestServer, seconds: Int, fault: (RunningProgram) async throws -> Void
    ) async throws -> Run {
        let run = try RunningProgram(
            "sonaload",
            [
                "--server", server.address, "--rooms", "2", "--listeners", "20", "--seconds", "\(seconds)", "--json",
                server.file("run.json"), "--server-pid", "\(server.process.identifier)",
            ], environment: server.environment("load"))
        let deadline = ContinuousClock.now + .seconds(60)
        while !run.errors.contains("p99 "), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await fault(server.process)
        let ending = await run.ending(within: 120)
        let data = try Data(contentsOf: URL(fileURLWithPath: server.file("run.json")))
        return Run(
            ending: ending,
            figures: try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any], "\(ending)"))
    }

    @Test func `a server that stands still for four seconds has that in its delays, and in words`() async throws {
        let server = try await TestServer()
        let run = try await run(server, seconds: 9) { process in
            process.signal(SIGSTOP)
            try await Task.sleep(for: .seconds(4))
            process.signal(SIGCONT)
        }
        #expect(run.ending.status == 0 && run.isBalanced, "\(run.ending)")
        #expect(run.warnings.contains("server.silent"), "\(run.warnings)")
        let delay = try #require(run.figures["delay_ms"] as? [String: Any])
        #expect((delay["max"] as? Double ?? 0) > 1_000, "what was sent meanwhile counts from when it was due: \(delay)")
    }

    @Test func `a server that is killed ends the run with 69, and with what was measured until then`() async throws {
        let server = try await TestServer()
        let run = try await run(server, seconds: 5) { $0.signal(SIGKILL) }
        #expect(run.ending.status == 69 && run.isBalanced, "\(run.ending)")
        #expect(run.figures["end"] as? String == "failed" && run.figures["failure"] != nil)
        #expect(run.warnings.contains("server.gone"), "\(run.warnings)")
        #expect(run.count("received") ?? 0 > 0 && run.count("lost") ?? 0 > 0)
    }
}
