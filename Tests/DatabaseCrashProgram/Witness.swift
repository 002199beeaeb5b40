import CFaultyDisk
import Glibc
import SonaBase
import SonaDatabase
import SonaTestSupport

/// Stands by while a database is written to: remembers what was acknowledged, and cuts the power now and then.
///
/// A cut ends nothing: the state that it would leave is written to a separate folder, with a note of the writes
/// acknowledged by then.
final class Witness: Sendable {
    /// The state that a power cut leaves.
    struct Cut: Sendable {
        let folder: String
        let loss: FaultyDiskLoss
        let seed: UInt64
        /// Before which call.
        let call: FaultyDiskCall
        /// How much had been acknowledged: the first so many.
        let acknowledged: Int
        /// Writes since the last sync.
        let atStake: Int
    }

    private struct State {
        var acknowledged: [(id: Int64, seq: Int64)] = []
        var failed: Set<Int64> = []
        var cuts: [Cut] = []
        var dice: SeededGenerator
        var isWatching = false
    }

    private static let losses: [FaultyDiskLoss] = [.everything, .everything, .tail, .writes, .sectors, .nothing]

    private let state: Monitor<State>
    private let folder: TemporaryFolder
    /// Of 1 000 writes of pages, how many have the power cut before them.
    private let writesCut: Int
    private let cutsMax = 50

    /// - Parameter acknowledged: The writes that were acknowledged before.
    init(seed: UInt64, writesCut: Int, folder: TemporaryFolder, acknowledged: [(id: Int64, seq: Int64)]) {
        self.folder = folder
        self.writesCut = writesCut
        state = Monitor(State(acknowledged: acknowledged, dice: SeededGenerator(seed: seed)))
    }

    /// To be ended with `leave`.
    func watch() {
        faulty_disk_before_changes(
            { context, call in
                guard let context else { return }
                Unmanaged<Witness>.fromOpaque(context).takeUnretainedValue().observe(call)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func leave() { faulty_disk_before_changes(nil, nil) }

    func acknowledge(_ id: Int64, seq: Int64) { state.withLock { $0.acknowledged.append((id, seq)) } }
    func fail(_ id: Int64) { state.withLock { _ = $0.failed.insert(id) } }

    var acknowledged: [(id: Int64, seq: Int64)] { state.withLock { $0.acknowledged } }
    var failed: Set<Int64> { state.withLock { $0.failed } }
    var cuts: [Cut] { state.withLock { $0.cuts } }

    /// On the thread that is about to change a file; it is held meanwhile.
    private func observe(_ call: FaultyDiskCall) {
        state.withLock { state in
            let likelihood =
                switch call {
                case .sync: 200
                // After a call that failed, moments are rare and matter more.
                case .write: FaultyDisk.fired > 0 ? writesCut * 8 : writesCut
                default: 500
                }
            guard state.cuts.count < cutsMax, Int.random(in: 0..<1_000, using: &state.dice) < likelihood else { return }
            let path = folder.file("cut-\(state.cuts.count)")
            mkdir(path, 0o700)
            let loss = Self.losses.randomElement(using: &state.dice) ?? .everything
            let seed = state.dice.next()
            let atStake = faulty_disk_cut(path, loss, seed)
            precondition(atStake >= 0, "The test can't write its files.")
            state.cuts.append(
                Cut(
                    folder: path, loss: loss, seed: seed, call: call, acknowledged: state.acknowledged.count,
                    atStake: atStake))
        }
    }
}
