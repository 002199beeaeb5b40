internal import SonaAudio
internal import SonaBase
internal import SonaLibrary
internal import SonaWire

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

extension LoadedTrack {
    /// Opens a file and reads its first packets. It waits for the disk.
    ///
    /// - Returns: `nil` if it cannot be read.
    init?(_ sound: RoomMusic.Sound, of music: MusicID) {
        guard let file = try? OpusTrackFile(descriptor: sound.descriptor, name: "track \(music.rawValue)"),
            let first = try? file.read(from: 0, samples: PlayingTrack.blockSamples)
        else { return nil }
        // What the head asks for was heard when the loudness was measured; the packets are without it.
        let gain = Limits.gain((sound.gain ?? 0) + file.head.outputGain * 100 / 256)
        self.init(file: file, first: first, gain: gain == 0 ? nil : gain)
    }
}
