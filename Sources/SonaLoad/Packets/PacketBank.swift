internal import Glibc
internal import SonaAudio
internal import SonaBase

/// Opus packets of a real signal, encoded once, each with room for a stamp. Hosts go round in them.
package struct PacketBank: Sendable {
    package let packets: [[UInt8]]
    /// Samples that each packet adds to the timeline, at 48 kHz.
    package let samples: Int
    /// Samples that a decoder emits before the first audible one.
    package let preSkip: Int

    package var bytesMean: Double { Double(packets.reduce(0) { $0 + $1.count }) / Double(packets.count) }
    package var bytesMax: Int { packets.map(\.count).max() ?? 0 }

    private static let seconds = 3

    /// Encodes; takes a tenth of a second of processor time.
    ///
    /// - Parameters:
    ///   - frameMilliseconds: 2.5, 5, 10, 20, 40, 60, 80, 100 or 120.
    ///   - kilobits: Per second, 6 to 510. The encoder's rate varies around it with the signal.
    /// - Throws: `load.usage` for other values.
    package init(frameMilliseconds: Double, kilobits: Int, seed: UInt64) throws(LoadError) {
        guard let samples = OpusEncoder.frameSamplesAllowed.first(where: { Double($0) == frameMilliseconds * 48 })
        else {
            throw LoadError(
                .usage, "An Opus packet lasts 2.5, 5, 10, 20, 40, 60, 80, 100 or 120 ms, not \(frameMilliseconds) ms.")
        }
        guard 6...510 ~= kilobits else {
            throw LoadError(.usage, "The bit rate lies between 6 and 510 kbit/s, not at \(kilobits).")
        }
        self.samples = samples
        do {
            // Low complexity: the cost of making packets is not part of the test, and their size is the same.
            let encoder = try OpusEncoder(channels: 2, bitrate: kilobits * 1000, frameSamples: samples, complexity: 2)
            preSkip = encoder.lookahead
            var signal = TestSignal(seed: seed)
            var packets: [[UInt8]] = []
            for _ in 0..<max(1, Self.seconds * 48_000 / samples) {
                let packet = try encoder.encode(signal.next(samples))
                guard let stamped = StampRoom.make(in: packet) else {
                    throw LoadError(.machine, "libopus made a padded packet, in which there is no place for a stamp.")
                }
                packets.append(stamped)
            }
            self.packets = packets
        } catch let error as LoadError {
            throw error
        } catch {
            throw LoadError(.machine, "The test signal could not be encoded: \(error)")
        }
    }
}

/// Something like music: a chord that changes, with a beat of noise, in stereo. Never silent, so that no encoder saves bytes.
struct TestSignal {
    private var generator: SeededGenerator
    private var sample = 0
    /// A, C#, E, A: a major chord, from which others are made by transposing.
    private static let chord = [220.0, 277.18, 329.63, 440.0]
    /// Semitones.
    private static let progression = [0.0, 5.0, 7.0, -3.0]

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// - Returns: Interleaved stereo at 48 kHz, below full scale.
    mutating func next(_ samples: Int) -> [Float] {
        var pcm: [Float] = []
        pcm.reserveCapacity(samples * 2)
        for _ in 0..<samples {
            let time = Double(sample) / 48_000
            let transposed = exp2(Self.progression[sample / 36_000 % 4] / 12)
            var (left, right) = (0.0, 0.0)
            for (number, pitch) in Self.chord.enumerated() {
                let tone = 0.12 * sin(2 * .pi * pitch * transposed * time)
                left += tone * (number.isMultiple(of: 2) ? 1 : 0.5)
                right += tone * (number.isMultiple(of: 2) ? 0.5 : 1)
            }
            let beat = exp(-Double(sample % 24_000) / 3000) * 0.3 * (generator.fraction() - 0.5)
            pcm.append(Float(left + beat))
            pcm.append(Float(right + beat))
            sample += 1
        }
        return pcm
    }
}
