import Foundation
import SonaAudio
import Testing

/// Listeners whose clocks are off by hours and drift: their devices' outputs are laid over each other.
///
/// The simulation knows the true time of each recording's first sample and the true rate of each device. The sound at
/// any true time can therefore be read from a recording. Cross-correlation tells how far two listeners are apart at
/// that moment.
@Suite(.serialized) struct InStepTests {
    /// A running listener.
    struct Listener {
        var program: RunningProgram
        var file: String
        var ppm: Double
        var figures: [String: Any] = [:]

        func number(_ path: String...) -> Double? {
            var value: Any? = figures
            for key in path { value = (value as? [String: Any])?[key] }
            return (value as? NSNumber)?.doubleValue
        }

        /// Waits for the listener's end and reads what its device played.
        mutating func recording() async throws -> Recording {
            let ending = await program.ending(within: 400)
            let line = ending.output.split(separator: "\n").last.map(String.init) ?? ""
            guard ending.status == 0,
                let figures = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            else { throw ProgramFault(description: "listen: \(ending)") }
            self.figures = figures
            if file.hasSuffix(".opus") {
                return try Recording(opus: file, start: try #require(number("first_sample_server_us")))
            }
            let start = try #require(number("simulated", "first_sample_true_us"), "\(line)")
            return try Recording(wav: file, start: start, ppm: ppm)
        }
    }

    private let server: TestServer

    init() async throws {
        server = try await TestServer()
        try await server.signUp("ada")
    }

    private func broadcast(_ files: String...) async throws -> (host: RunningProgram, room: String) {
        let host = try RunningProgram("sonactl", ["broadcast"] + files, environment: server.environment("ada"))
        return (host, try await host.line())
    }

    private func listen(
        _ room: String, _ name: String, seconds: Double, offset: Int64 = 0, ppm: Double = 0, step: String = ""
    ) throws -> Listener {
        let file = server.file(name)
        let program = try server.start(
            String(name.prefix { $0 != "." }), "listen", room, "--output", file, "--seconds", "\(seconds)", "--stats",
            "--simulate-clock=\(offset),\(ppm)\(step)")
        return Listener(program: program, file: file, ppm: ppm)
    }

    /// A listener that keeps the packets unchanged: the reference for all recordings.
    private func reference(_ room: String, seconds: Double) throws -> Listener {
        let file = server.file("truth.opus")
        let program = try server.start(
            "truth", "listen", room, "--output", file, "--seconds", "\(seconds)", "--stats")
        return Listener(program: program, file: file, ppm: 0)
    }

    private func percentile(_ values: [Double], _ fraction: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * fraction))]
    }

    /// Goal: four devices sound as one for as long as they play, whatever a host does. Way: four clocks, hours apart
    /// and up to 200 ppm against each other; pause, seek and the next track meanwhile. Measured is the distance between
    /// the earliest and the latest of the four, every half second (every second in the long run, which takes five
    /// minutes).
    @Test func `four listeners with wrong clocks stay within a millisecond`() async throws {
        let seconds = Programs.isLong ? 310.0 : 30
        let files = [server.file("one.opus"), server.file("two.opus")]
        // The first track ends after the seek.
        try Sources.noise(files[0], seconds: seconds * 0.6, seed: 1)
        try Sources.noise(files[1], seconds: seconds, seed: 2)
        let (host, room) = try await broadcast(files[0], files[1])
        let clocks: [(offset: Int64, ppm: Double)] = [
            (-7_200_000_000, -100), (3_600_000_000, -37), (18_000_000_000, 50), (-86_400_000_000, 100),
        ]
        var listeners = try clocks.enumerated().map { number, clock in
            try listen(room, "l\(number).wav", seconds: seconds, offset: clock.offset, ppm: clock.ppm)
        }
        var truth = try reference(room, seconds: seconds * 0.4)
        func pass(to share: Double, since begin: ContinuousClock.Instant) async throws {
            try await Task.sleep(until: begin + .seconds(seconds * share))
        }
        let begin = ContinuousClock.now
        try await pass(to: 0.5, since: begin)
        #expect(try await server.run("ada", "pause", room).status == 0)
        try await Task.sleep(for: .seconds(2))
        #expect(try await server.run("ada", "play", room).status == 0)
        try await pass(to: 0.7, since: begin)
        // Near the end of the first track, so that the second one follows.
        #expect(try await server.run("ada", "seek", room, "\(seconds * 0.6 - 3)").status == 0)

        var recordings: [Recording] = []
        for index in listeners.indices { recordings.append(try await listeners[index].recording()) }
        let truthRecording = try await truth.recording()
        host.signal(SIGINT)
        _ = await host.ending()

        let start = recordings.map(\.start).max() ?? 0
        let end = recordings.map(\.end).min() ?? 0
        #expect(end - start > (seconds - 4) * 1e6)
        var spreads: [Double] = []
        var earlySpreads: [Double] = []
        var unlike = 0
        for time in stride(from: start + 20_000, to: end - 600_000, by: Programs.isLong ? 1e6 : 5e5) {
            let comparisons = recordings.dropFirst().compactMap { recordings[0].compare(with: $0, at: time) }
            guard comparisons.count == 3 else { continue }
            unlike += comparisons.count { $0.likeness < 0.95 }
            let lags = [0] + comparisons.map(\.lag)
            let spread = (lags.max() ?? 0) - (lags.min() ?? 0)
            if time > start + 10e6 { spreads.append(spread) } else { earlySpreads.append(spread) }
        }
        print(
            "in step: p95 \(percentile(spreads, 0.95)) µs, max \(spreads.max() ?? .nan) µs; first ten seconds max \(earlySpreads.max() ?? .nan) µs"
        )
        #expect(
            Double(spreads.count) > (seconds - 18) * (Programs.isLong ? 0.9 : 1.5),
            "\(spreads.count) windows were heard")
        #expect(percentile(spreads, 0.95) < 1_000 && (spreads.max() ?? .infinity) < 2_000, "\(spreads)")
        #expect((earlySpreads.max() ?? .infinity) < 2_000, "\(earlySpreads)")
        #expect(unlike == 0, "the same sound, wherever there is any")

        // Besides being alike, they must agree with the room's timeline.
        for recording in recordings {
            var errors: [Double] = []
            for time in stride(
                from: max(start, truthRecording.start) + 100_000, to: truthRecording.end - 600_000, by: 1e6)
            {
                if let comparison = recording.compare(with: truthRecording, at: time) {
                    errors.append(abs(comparison.lag))
                }
            }
            #expect(errors.count > 5 && percentile(errors, 0.95) < 1_000, "\(errors)")
        }
        for listener in listeners {
            #expect(listener.number("lost") == 0 && listener.number("undecodable") == 0)
            #expect((listener.number("sync_error_us", "p95") ?? .infinity) < 500, "\(listener.figures)")
        }
        #expect(await server.stop().status == 0)
    }

    /// Goal: a joiner hears sound within a quarter of a second, in step from its first sample. Way: ten listeners,
    /// one after the other, compared with the packets of one that was there all the time.
    @Test func `a joiner hears the right sample within a quarter of a second`() async throws {
        try Sources.noise(server.file("music.opus"), seconds: 60, seed: 3)
        let (host, room) = try await broadcast(server.file("music.opus"))
        let truth = try reference(room, seconds: 60)
        try await Task.sleep(for: .seconds(3))
        var joins: [Double] = []
        var late: [Recording] = []
        for number in stride(from: 0, to: 20, by: 2) {
            var listener = try listen(
                room, "j\(number).wav", seconds: 0.7, offset: Int64(number - 10) * 3_600_000_000,
                ppm: Double(10 * number - 100))
            late.append(try await listener.recording())
            joins.append(try #require(listener.number("join_ms")))
        }
        truth.program.signal(SIGINT)
        let told = await truth.program.ending()
        host.signal(SIGINT)
        _ = await host.ending()
        let line = told.output.split(separator: "\n").last.map(String.init) ?? ""
        let figures = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let start = try #require(figures["first_sample_server_us"] as? NSNumber)
        let truthRecording = try Recording(opus: server.file("truth.opus"), start: start.doubleValue)

        print(
            "joins: p50 \(percentile(joins, 0.5)) ms, p95 \(percentile(joins, 0.95)) ms, max \(joins.max() ?? .nan) ms")
        #expect(percentile(joins, 0.95) < 250, "\(joins)")
        for recording in late {
            // Compared from the first two thousandths on, which are faded in.
            for (after, seconds) in [(2_000.0, 0.08), (2_000, 0.4)] {
                let comparison = try #require(
                    recording.compare(with: truthRecording, at: recording.start + after, seconds: seconds))
                #expect(abs(comparison.lag) < 1_000 && comparison.likeness > 0.95, "\(comparison)")
            }
        }
        #expect(await server.stop().status == 0)
    }

    /// Goal: a suspended machine and a clock that is set cause no wrong sound. Way: one listener is stopped for three
    /// seconds, two others have their clocks set by 0.7 s and −40 s.
    @Test func `a listener that was suspended, or whose clock was set, is in step again`() async throws {
        try Sources.noise(server.file("music.opus"), seconds: 30, seed: 4)
        let (host, room) = try await broadcast(server.file("music.opus"))
        var truth = try reference(room, seconds: 17)
        var stopped = try listen(room, "stopped.wav", seconds: 16, offset: 7_000_000, ppm: 80)
        var forward = try listen(room, "forward.wav", seconds: 16.7, offset: -9_000_000, ppm: -60, step: ",700000,6")
        var backward = try listen(room, "backward.wav", seconds: 12, ppm: 30, step: ",-40000000,6")
        try await Task.sleep(for: .seconds(6))
        stopped.program.signal(SIGSTOP)
        let stoppedAt = Self.now()
        try await Task.sleep(for: .seconds(3))
        stopped.program.signal(SIGCONT)
        let resumedAt = Self.now()
        let truthRecording = try await truth.recording()
        let recording = try await stopped.recording()

        func lags(_ recording: Recording, from: Double, to: Double) -> [Double] {
            stride(from: from, to: to - 250_000, by: 100_000).compactMap {
                recording.compare(with: truthRecording, at: $0, seconds: 0.2).map { abs($0.lag) }
            }
        }
        let before = lags(recording, from: recording.start + 5_000, to: stoppedAt - 10_000)
        #expect(before.count > 20 && (before.max() ?? .infinity) < 1_000, "\(before)")
        // First the device's remaining sound, then silence, then the present.
        #expect(recording.isSilent(from: stoppedAt + 120_000, seconds: 2.8))
        let after = lags(recording, from: resumedAt - 300_000, to: recording.end)
        #expect(after.count > 40 && (after.max() ?? .infinity) < 1_000, "\(after)")
        #expect(lags(recording, from: resumedAt + 300_000, to: resumedAt + 700_000).count >= 1, "soon")
        #expect(
            stopped.number("underruns").map { $0 >= 1 } == true && stopped.number("resyncs").map { $0 >= 1 } == true)
        #expect(stopped.number("missed_ms").map { 2_800...3_400 ~= $0 } == true, "\(stopped.figures)")

        for name in ["forward", "backward"] {
            var listener = name == "forward" ? forward : backward
            if name == "backward" { listener.program.signal(SIGINT) }
            let ending = await listener.program.ending(within: 60)
            let line = ending.output.split(separator: "\n").last.map(String.init) ?? ""
            listener.figures = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let set = try Recording(
                wav: listener.file, start: try #require(listener.number("simulated", "first_sample_true_us")),
                ppm: listener.ppm)
            let all = lags(set, from: set.start + 5_000, to: min(set.end, truthRecording.end))
            #expect(all.count > 80 && (all.max() ?? .infinity) < 1_000, "\(name): \(all)")
            #expect(listener.number("simulated", "clock_steps") == 1 && listener.number("clock", "restarts") == 1)
            #expect(listener.number("resyncs") == 0, "\(listener.figures)")
            if name == "forward" { forward = listener } else { backward = listener }
        }
        host.signal(SIGINT)
        _ = await host.ending()
        #expect(await server.stop().status == 0)
    }

    /// The machine's clock, which the server goes by, µs.
    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
