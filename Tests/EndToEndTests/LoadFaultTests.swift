import Foundation
import Testing

/// What `sonaload` reports about a server that fails during a run.
@Suite(.serialized) struct LoadFaultTests {
    private struct Run {
        let ending: Ending
        let figures: [String: Any]

        func count(_ key: String) -> Int? {
            ((figures[key] ?? (figures["details"] as? [String: Any])?[key]) as? NSNumber)?.intValue
        }
        var warnings: [String] {
            let all = (figures["harness"] as? [String: Any])?["warnings"] as? [[String: Any]] ?? []
            return all.compactMap { $0["code"] as? String }
        }
        var isBalanced: Bool { count("received").map { $0 + (count("lost") ?? 0) } == count("expected") }
    }

    /// Runs a load of `seconds`, and runs `fault` once the first second is over.
    private func run(
        _ server: TestServer, at address: String? = nil, seconds: Int, _ more: [String] = [],
        fault: (RunningProgram) async throws -> Void
    ) async throws -> Run {
        let run = try RunningProgram(
            "sonaload",
            [
                "--server", address ?? server.address, "--rooms", "2", "--listeners", "20", "--seconds", "\(seconds)",
                "--json", server.file("run.json"), "--server-pid", "\(server.process.identifier)",
            ] + more, environment: server.environment("load"))
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

    @Test func `a server that stands still for four seconds shows it in delays and in words`() async throws {
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

    /// Goal: packets that a server leaves out for listeners who are too late fail a run that must lose nothing. Way:
    /// their lines are held up for longer than packets on their way can still be heard, and for less than the server's
    /// patience.
    @Test func `packets skipped for listeners who cannot keep up are lost and fail the run`() async throws {
        let server = try await TestServer()
        let proxy = try StallingProxy(to: server, stalling: .toClients)
        defer { proxy.end() }
        let run = try await run(server, at: proxy.address, seconds: 10, ["--fail-if", "lost>0"]) { _ in
            _ = await proxy.stall(for: 6)
        }
        #expect(run.ending.status == 1 && run.isBalanced, "\(run.ending)")
        let (lost, skipped) = (try #require(run.count("lost")), try #require(run.count("skipped")))
        #expect(skipped > 0, "\(run.ending)")
        let others = (run.count("lost_while_away") ?? 0) + (run.count("lost_unexplained") ?? 0)
        #expect(lost == skipped + others, "\(run.ending)")
        #expect(run.ending.output.contains("of the lost, by the server") && run.ending.errors.contains(" skipped "))
    }

    @Test func `a killed server ends the run with 69 and the measurements so far`() async throws {
        let server = try await TestServer()
        let run = try await run(server, seconds: 5) { $0.signal(SIGKILL) }
        #expect(run.ending.status == 69 && run.isBalanced, "\(run.ending)")
        #expect(run.figures["end"] as? String == "failed" && run.figures["failure"] != nil)
        #expect(run.warnings.contains("server.gone"), "\(run.warnings)")
        #expect(run.count("received") ?? 0 > 0 && run.count("lost") ?? 0 > 0)
    }
}
