internal import SonaBase
internal import SonaSubsonic

/// Requests of music apps, for metrics. Any thread.
final class SubsonicFigures: Sendable {
    struct Counts: Sendable {
        /// By endpoint. Names that there are none of are counted together.
        var requests: [String: UInt64] = [:]
        /// By the number of the error.
        var errors: [Int: UInt64] = [:]
    }

    static let unknown = "unknown"
    private let state = Monitor(Counts())

    var counts: Counts { state.withLock { $0 } }

    func count(_ endpoint: String) {
        let name = OpenSubsonic.names.contains(endpoint) ? endpoint : Self.unknown
        state.withLock { $0.requests[name, default: 0] &+= 1 }
    }

    func count(error code: Int) { state.withLock { $0.errors[code, default: 0] &+= 1 } }
}
