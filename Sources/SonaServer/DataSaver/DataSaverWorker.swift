internal import SonaBase
internal import SonaRooms
internal import Synchronization

/// A thread that encodes packets of rooms anew, in the order in which they come. Ends when nobody has it any more.
final class DataSaverWorker: Sendable {
    /// Names a lane for as long as the server runs.
    typealias Number = Int

    private enum Job {
        case chunk(Number, AudioChunk)
        /// No packet follows soon.
        case finish(Number)
        case end(Number)
    }

    private struct Waiting {
        var jobs: [Job] = []
        var isEnded = false
    }

    private let waiting = Monitor(Waiting())
    /// Most jobs that wait; more are left out, and heard as a gap.
    private static let jobsMax = 4_096

    /// - Parameters:
    ///   - bitrate: Bits per second.
    ///   - made: Is given the packets of a lane, on the worker's thread.
    /// - Returns: `nil` if the system has no thread to give.
    init?(bitrate: Int, made: @escaping @Sendable (Number, [AudioChunk]) -> Void) {
        let waiting = self.waiting
        let isStarted = WorkerThread.start("data-saver") {
            var reencoders: [Number: ChunkReencoder] = [:]
            while true {
                let jobs: [Job]? = waiting.wait { waiting in
                    if waiting.isEnded { return .some(nil) }
                    guard !waiting.jobs.isEmpty else { return nil }
                    defer { waiting.jobs = [] }
                    return waiting.jobs
                }
                guard let jobs else { return }
                for job in jobs {
                    switch job {
                    case .chunk(let number, let chunk):
                        let known = reencoders[number] ?? (try? ChunkReencoder(bitrate: bitrate))
                        reencoders[number] = known
                        if let chunks = known?.take(chunk), !chunks.isEmpty { made(number, chunks) }
                    case .finish(let number):
                        if let chunks = reencoders[number]?.finish(), !chunks.isEmpty { made(number, chunks) }
                    case .end(let number): reencoders[number] = nil
                    }
                }
            }
        }
        guard isStarted else { return nil }
    }

    deinit { waiting.notify { $0.isEnded = true } }

    func take(_ chunk: AudioChunk, of number: Number) { add(.chunk(number, chunk)) }
    func finish(_ number: Number) { add(.finish(number)) }
    func end(_ number: Number) { add(.end(number)) }

    private func add(_ job: Job) {
        waiting.notify { waiting in
            if case .chunk = job, waiting.jobs.count >= Self.jobsMax { return }
            waiting.jobs.append(job)
        }
    }
}
