internal import SonaAudio
internal import SonaBase

/// Threads that read the files of rooms that play by themselves, so that the loop never waits for a disk.
///
/// Two for all rooms: a block of a second is read every second, which takes some microseconds where the file is cached.
final class TrackReader: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isClosing = false
    }

    private let state = Monitor(State())
    private static let threads = 2

    init() {
        let state = state
        for _ in 0..<Self.threads {
            let isStarted = WorkerThread.start("reader") {
                while let work = state.wait({ state -> (@Sendable () -> Void)?? in
                    if let work = state.waiting.popLast() { return .some(work) }
                    return state.isClosing ? .some(nil) : nil
                }) { work() }
            }
            precondition(isStarted, "The system has no thread to give.")
        }
    }

    deinit { state.notify { $0.isClosing = true } }

    /// Runs `body` on one of the threads. From any thread.
    func run(_ body: @escaping @Sendable () -> Void) {
        state.notify { $0.waiting.insert(body, at: 0) }
    }
}

/// A track that is open, with its first packets.
struct LoadedTrack: Sendable {
    let file: OpusTrackFile
    let first: OpusTrackFile.Block
    /// By how much players make it louder or softer, hundredths of dB; `nil`: not at all.
    let gain: Int?
}
