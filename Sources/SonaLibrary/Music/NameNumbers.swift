internal import SonaBase

/// The numbers of artists and genres that a scan has met, so that it asks for each once.
///
/// Numbers noted in a transaction hold for that transaction, and from its commit on for others.
final class NameNumbers: Sendable {
    enum Kind: Hashable {
        case artist, genre
    }

    private struct Key: Hashable {
        let kind: Kind
        let key: String
    }

    private struct State {
        var known: [Key: Int64] = [:]
        var pending: [Key: Int64] = [:]
    }

    /// Beyond this all are forgotten: memory stays bounded.
    private static let countMax = 20_000

    private let state = Monitor(State())

    func number(_ kind: Kind, _ key: String) -> Int64? {
        state.withLock { state in
            let key = Key(kind: kind, key: key)
            return state.known[key] ?? state.pending[key]
        }
    }

    func note(_ number: Int64, _ kind: Kind, _ key: String) {
        state.withLock { $0.pending[Key(kind: kind, key: key)] = number }
    }

    func committed() {
        state.withLock { state in
            if state.known.count + state.pending.count > Self.countMax { state.known = [:] }
            state.known.merge(state.pending) { $1 }
            state.pending = [:]
        }
    }

    func rolledBack() { state.withLock { $0.pending = [:] } }
}
