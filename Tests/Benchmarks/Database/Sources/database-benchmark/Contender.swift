/// A library, or none: one of the sides that are compared.
protocol Contender: Sendable {
    /// The ways this contender has of doing `line`, the one its documentation teaches first. Empty if it has none.
    func entrants(_ line: Line) -> [Entrant]
}

/// One contender's way of doing one line.
struct Entrant: Sendable {
    /// `Entrant.floor` is what all others are divided by.
    let name: String
    /// Makes the file and opens it. Not measured.
    let prepare: @Sendable (Stage) async throws -> Trial

    static let floor = "raw C"
    static let sona = "Sona"
    static let grdb = "GRDB"
    static let grdbBest = "GRDB best"
}

/// Where a trial takes place.
struct Stage: Sendable {
    /// A file that does not exist yet, in a folder of its own.
    let path: String
    let data: Dataset
    var sizes: Sizes { data.sizes }
}

/// A prepared entrant.
struct Trial: Sendable {
    enum Body: Sendable {
        /// Runs on the main thread, as blocking code does.
        case blocking(@Sendable () throws -> Sample)
        /// Runs in a task.
        case awaiting(@Sendable () async throws -> Sample)
    }

    /// The measured part.
    let body: Body
    /// Closes every connection. Not measured.
    let close: @Sendable () async throws -> Void

    static func blocking(
        closing close: @escaping @Sendable () async throws -> Void, _ body: @escaping @Sendable () throws -> Sample
    ) -> Trial {
        Trial(body: .blocking(body), close: close)
    }

    static func awaiting(
        closing close: @escaping @Sendable () async throws -> Void,
        _ body: @escaping @Sendable () async throws -> Sample
    ) -> Trial {
        Trial(body: .awaiting(body), close: close)
    }
}

/// The result of a trial.
struct Sample: Sendable {
    var operations: Int
    /// Of what was read. All entrants of a line have to agree, where there is one.
    var checksum: UInt64?
    /// Rows that were acknowledged and therefore have to be in the file, with ids 1, 2, …
    var written: Int?
    /// Commits beside the operations, for the mixed line.
    var commits: Int?
    var latencies = Latencies()
}
