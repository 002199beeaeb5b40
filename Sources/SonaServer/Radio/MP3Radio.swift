internal import SonaAudio
internal import SonaRooms

/// What a room's sound is encoded to, once for all who hear it so.
struct MP3Kind: Hashable, Sendable {
    /// kb/s.
    var bitrate: Int
    /// Whether tracks are made as loud as each other.
    var levels: Bool
}

/// Makes MP3 of a room's packets, off the loop.
///
/// What comes out is in the order of what went in. If the machine does not keep up, steps are left out and counted.
final class MP3Radio: Sendable {
    /// What was made of the steps of one call.
    enum Output: Sendable {
        /// Whole frames.
        case frames([UInt8])
        /// From the next frame on.
        case title(OggRadio.Title)
    }

    private let steps: AsyncStream<[RadioTimeline.Step]>.Continuation
    private static let stepsMax = 1_000

    /// - Parameter output: Called with what was made, one call after the other, on no particular thread.
    init(_ kind: MP3Kind, output: @escaping @Sendable ([Output]) -> Void) throws(AudioError) {
        // The encoder is made here, so that a fault is an answer's.
        let work = Work(try MP3Encoder(bitrate: kind.bitrate), try OpusDecoder(channels: 2), levels: kind.levels)
        let (stream, continuation) = AsyncStream.makeStream(
            of: [RadioTimeline.Step].self, bufferingPolicy: .bufferingOldest(Self.stepsMax))
        steps = continuation
        let box = WorkBox(work)
        Task.detached(priority: .utility) {
            for await steps in stream {
                let made = box.work.take(steps)
                if !made.isEmpty { output(made) }
            }
        }
    }

    deinit { steps.finish() }

    /// - Returns: False if the steps are left out.
    func take(_ steps: [RadioTimeline.Step]) -> Bool {
        if case .dropped = self.steps.yield(steps) { return false }
        return true
    }

    /// Safe: handed to one task, and used by nobody else.
    private struct WorkBox: @unchecked Sendable {
        let work: Work
        init(_ work: Work) { self.work = work }
    }

    private final class Work {
        private let encoder: MP3Encoder
        private let decoder: OpusDecoder
        private let levels: Bool
        /// Samples encoded, and frames that came out.
        private var samples: Int64 = 0
        private var frames: Int64 = 0
        /// Titles that wait for the frame in which their first sample sounds.
        private var titles: [(frame: Int64, title: OggRadio.Title)] = []

        init(_ encoder: MP3Encoder, _ decoder: OpusDecoder, levels: Bool) {
            self.encoder = encoder
            self.decoder = decoder
            self.levels = levels
        }

        func take(_ steps: [RadioTimeline.Step]) -> [Output] {
            var made: [Output] = []
            for step in steps {
                switch step {
                case .title(let title):
                    let frame = (samples + Int64(MP3Encoder.delay)) / Int64(MP3Encoder.frameSamples)
                    titles.append((frame, title))
                case .silence(var count):
                    while count > 0 {
                        let part = min(count, 5_760)
                        encode([Float](repeating: 0, count: part * 2), &made)
                        count -= part
                    }
                case .packet(let packet, let skip, let count, let resets, let gain):
                    if resets { decoder.reset() }
                    guard var pcm = try? decoder.decode(packet) else { continue }
                    pcm = Array(pcm[min(pcm.count, skip * 2)..<min(pcm.count, (skip + count) * 2)])
                    if levels, gain != 0 {
                        let factor = RadioGain.factor(gain)
                        for index in pcm.indices { pcm[index] *= factor }
                    }
                    if !pcm.isEmpty { encode(pcm, &made) }
                }
            }
            return made
        }

        private func encode(_ pcm: [Float], _ made: inout [Output]) {
            samples += Int64(pcm.count / 2)
            guard var bytes = try? encoder.encode(pcm), !bytes.isEmpty else { return }
            while let next = titles.first {
                let before = Int(max(0, next.frame - frames)) * encoder.frameBytes
                guard before < bytes.count else { break }
                if before > 0 { made.append(.frames(Array(bytes.prefix(before)))) }
                frames += Int64(before / encoder.frameBytes)
                bytes.removeFirst(before)
                made.append(.title(next.title))
                titles.removeFirst()
            }
            frames += Int64(bytes.count / encoder.frameBytes)
            made.append(.frames(bytes))
        }
    }
}
