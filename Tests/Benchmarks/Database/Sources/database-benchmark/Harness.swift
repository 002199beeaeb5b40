import Foundation

/// Runs every entrant of every line, round by round.
///
/// Rounds are outermost, so that somebody else's burst of work on the machine falls on one round of many lines and not on
/// all rounds of one; the median then leaves it out. Within a round the entrants of a line follow each other directly,
/// since they are compared with each other, and the one that begins changes from round to round.
struct Harness {
    let contenders: [any Contender]
    let lines: [Line]
    /// Names of those to run; all, if empty.
    let entrants: Set<String>
    let rounds: Int
    let data: Dataset
    let folder: URL

    /// - Throws: `Mismatch` if an entrant reads or writes something else than the others.
    func run(progress: (String) -> Void) throws -> [LineResult] {
        var results = lines.map { line in
            let chosen = contenders.flatMap { $0.entrants(line) }
                .filter { entrants.isEmpty || entrants.contains($0.name) }
            return (line: line, entrants: chosen, rounds: [String: [Measurement]]())
        }
        for round in 0..<rounds {
            for index in results.indices {
                let line = results[index].line
                let entrants = results[index].entrants
                var checksums: [(String, UInt64)] = []
                for offset in entrants.indices {
                    let entrant = entrants[(offset + round) % entrants.count]
                    progress("round \(round + 1) of \(rounds): \(line.rawValue), \(entrant.name)")
                    let measurement = try measure(line, entrant, &checksums)
                    results[index].rounds[entrant.name, default: []].append(measurement)
                }
                try compare(checksums, line)
            }
        }
        return results.flatMap { result in
            LineResult.of(
                result.line, data.sizes,
                result.entrants.map { EntrantResult(name: $0.name, rounds: result.rounds[$0.name] ?? []) })
        }
    }

    private func measure(
        _ line: Line, _ entrant: Entrant, _ checksums: inout [(String, UInt64)]
    ) throws -> Measurement {
        let place = folder.appendingPathComponent("\(line.rawValue)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let stage = Stage(path: place.appendingPathComponent("notes.sqlite").path, data: data)
        let trial = try Running.wait { try await entrant.prepare(stage) }
        let begin = Usage.now()
        let sample =
            switch trial.body {
            case .blocking(let body): try body()
            case .awaiting(let body): try Running.wait(body)
            }
        let used = Usage.now() - begin
        try Running.wait { try await trial.close() }
        if line != .searchPattern { try Fixture.check(stage, entrant: entrant.name, written: sample.written) }
        if let checksum = sample.checksum { checksums.append((entrant.name, checksum)) }
        return Measurement(sample, used)
    }

    private func compare(_ checksums: [(String, UInt64)], _ line: Line) throws {
        guard let first = checksums.first else { return }
        for other in checksums where other.1 != first.1 {
            throw Mismatch("\(line.rawValue): \(first.0) read \(first.1), \(other.0) read \(other.1)")
        }
    }
}

/// One trial.
struct Measurement: Codable, Sendable {
    var operations: Int
    var wallNanosecondsPerOperation: Double
    var cpuNanosecondsPerOperation: Double
    var commitsPerSecond: Double?
    var p50Nanoseconds: Double?
    var p99Nanoseconds: Double?

    init(_ sample: Sample, _ used: Usage) {
        let count = Double(max(1, sample.operations))
        operations = sample.operations
        wallNanosecondsPerOperation = Double(used.wall) / count
        cpuNanosecondsPerOperation = Double(used.cpu) / count
        commitsPerSecond = sample.commits.map { Double($0) * 1e9 / Double(used.wall) }
        let sorted = sample.latencies.values.sorted()
        if !sorted.isEmpty {
            p50Nanoseconds = Statistics.percentile(0.5, ofSorted: sorted)
            p99Nanoseconds = Statistics.percentile(0.99, ofSorted: sorted)
        }
    }

    var rate: Double { 1e9 / wallNanosecondsPerOperation }
}
