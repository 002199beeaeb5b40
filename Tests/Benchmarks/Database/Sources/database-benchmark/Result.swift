/// One table: all entrants of one line, the floor first.
struct LineResult: Codable, Sendable {
    var name: String
    var title: String
    var entrants: [EntrantResult]

    /// The mixed line makes two tables, which are to be read together.
    static func of(_ line: Line, _ sizes: Sizes, _ entrants: [EntrantResult]) -> [LineResult] {
        var result = LineResult(name: line.rawValue, title: line.title(sizes), entrants: entrants)
        guard line == .mixed else {
            result.compare(cpu: true)
            return [result]
        }
        // The threads run for a fixed time and take all the processor they get: CPU time says nothing here.
        var commits = result
        for index in commits.entrants.indices { commits.entrants[index].countCommits() }
        result.name += "-reads"
        result.title += ": reads"
        result.compare(cpu: false)
        commits.name += "-commits"
        commits.title += ": commits"
        commits.compare(cpu: false)
        return [result, commits]
    }

    private mutating func compare(cpu: Bool) {
        let all = entrants
        func rounds(of name: String) -> [Measurement]? { all.first { $0.name == name }?.rounds }
        for index in entrants.indices {
            entrants[index].compare(
                floor: rounds(of: Entrant.floor), grdb: rounds(of: Entrant.grdb), best: rounds(of: Entrant.grdbBest),
                cpu: cpu)
        }
    }
}

/// One entrant's rounds, and what follows from them.
///
/// Ratios are medians of the ratios within each round and not ratios of medians: both sides of a round met the same
/// machine.
struct EntrantResult: Codable, Sendable {
    var name: String
    var rounds: [Measurement]
    var rate = 0.0
    /// Greatest minus least rate, over the median.
    var spread = 0.0
    /// CPU time per operation over the floor's.
    var cpuOverFloor: Double?
    /// Wall time per operation over the floor's.
    var wallOverFloor: Double?
    /// GRDB's wall time per operation over this one's: how many times faster this is.
    var timesGRDB: Double?
    var timesGRDBBest: Double?
    var p50Nanoseconds: Double?
    var p99Nanoseconds: Double?

    init(name: String, rounds: [Measurement]) {
        self.name = name
        self.rounds = rounds
    }

    mutating func countCommits() {
        for index in rounds.indices {
            guard let rate = rounds[index].commitsPerSecond else { continue }
            rounds[index].wallNanosecondsPerOperation = 1e9 / max(rate, .leastNormalMagnitude)
        }
    }

    mutating func compare(floor: [Measurement]?, grdb: [Measurement]?, best: [Measurement]?, cpu: Bool) {
        rate = Statistics.median(rounds.map(\.rate))
        spread = Statistics.spread(rounds.map(\.rate))
        if cpu { cpuOverFloor = ratio(rounds, floor, \.cpuNanosecondsPerOperation) }
        wallOverFloor = ratio(rounds, floor, \.wallNanosecondsPerOperation)
        timesGRDB = grdb.flatMap { ratio($0, rounds, \.wallNanosecondsPerOperation) }
        timesGRDBBest = best.flatMap { ratio($0, rounds, \.wallNanosecondsPerOperation) }
        let p50 = rounds.compactMap(\.p50Nanoseconds)
        let p99 = rounds.compactMap(\.p99Nanoseconds)
        p50Nanoseconds = p50.isEmpty ? nil : Statistics.median(p50)
        p99Nanoseconds = p99.isEmpty ? nil : Statistics.median(p99)
    }

    private func ratio(
        _ above: [Measurement], _ below: [Measurement]?, _ value: (Measurement) -> Double
    ) -> Double? {
        guard let below, !below.isEmpty else { return nil }
        return Statistics.median(zip(above, below).map { value($0) / value($1) })
    }
}
