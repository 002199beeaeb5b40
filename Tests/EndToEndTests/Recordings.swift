import Foundation
import SonaAudio
import SonaBase
import SonaTestSupport

/// The output of a listener's device by true time: the machine's clock, which is the server's.
struct Recording: Sendable, CustomStringConvertible {
    /// The left channel, full scale ±1.
    var samples: [Float]
    /// True time of the first sample, µs.
    var start: Double
    /// How much too fast the device runs, millionths.
    var ppm = 0.0

    /// True time of the sample after the last, µs.
    var end: Double { start + Double(samples.count) / 0.048 / (1 + ppm / 1e6) }

    /// Without it a failed expectation prints every sample.
    var description: String { "\(samples.count) samples from \(start) µs" }

    /// A WAV file of `sonactl listen`: s16le, stereo.
    init(wav path: String, start: Double, ppm: Double) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let chunk = data.range(of: Data("data".utf8), in: 0..<min(400, data.count)) else {
            throw ProgramFault(description: "\(path) is no WAV file.")
        }
        let begin = chunk.upperBound + 4
        let told = data[chunk.upperBound..<begin].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard told == data.count - begin else {
            throw ProgramFault(description: "\(path) holds \(data.count - begin) bytes of samples and says \(told).")
        }
        samples = data.withUnsafeBytes { bytes in
            (0..<told / 4).map {
                Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: begin + 4 * $0, as: Int16.self))) / 32_768
            }
        }
        self.start = start
        self.ppm = ppm
    }

    /// The sound played into a room, from a listener's Ogg Opus file: the reference for all recordings.
    init(opus path: String, start: Double) throws {
        let file = try OggOpusFile(path: path)
        let decoder = try OpusDecoder(channels: 1)
        var samples: [Float] = []
        for index in 0..<file.streams[0].packetCount {
            samples += try decoder.decode(file.packet(stream: 0, at: index).bytes)
        }
        self.samples = Array(samples.dropFirst(file.streams[0].head.preSkip))
        self.start = start
    }

    /// The sound from a true time on, every 1/12000 s. The sounds compared here end at 4 kHz, so nothing is lost.
    private func window(at time: Double, count: Int) -> [Float]? {
        let pace = 1 + ppm / 1e6
        let place = (time - start) * 0.048 * pace
        let first = Int(place) - 32
        let last = Int(place + Double(4 * count) * pace) + 32
        guard first >= 0, last < samples.count else { return nil }
        var window = [Float](repeating: 0, count: count)
        samples.withUnsafeBufferPointer { samples in
            window.withUnsafeMutableBufferPointer { window in
                SincInterpolator.read(
                    UnsafeBufferPointer(rebasing: samples[first...last]), channels: 1, from: place - Double(first),
                    step: 4 * pace, into: window)
            }
        }
        return window
    }

    /// Whether there is complete silence for a while.
    func isSilent(from time: Double, seconds: Double) -> Bool {
        let first = Int((time - start) * 0.048 * (1 + ppm / 1e6))
        let last = first + Int(seconds * 48_000)
        guard first >= 0, last < samples.count else { return false }
        return samples[first...last].allSatisfy { $0 == 0 }
    }

    /// The offset between two recordings.
    struct Comparison: Sendable {
        /// Delay of the other recording against this one, µs.
        var lag: Double
        /// 1 if the sounds are the same apart from their level.
        var likeness: Double
    }

    /// Cross-correlation around a true time, with a parabola through the peak.
    ///
    /// - Parameter reach: Search range to both sides, in steps of 83 µs.
    /// - Returns: nil if one of the two is missing or silent in a part of the range.
    func compare(with other: Recording, at time: Double, seconds: Double = 0.5, reach: Int = 24) -> Comparison? {
        let count = Int(seconds * 12_000)
        let earliest = time - Double(reach) / 0.012
        guard let mine = window(at: time, count: count),
            let theirs = other.window(at: earliest, count: count + 2 * reach), Self.sounds(mine), Self.sounds(theirs)
        else { return nil }
        let power = Self.product(mine, 0, mine, 0, count)
        let values = (0...2 * reach).map { shift -> Double in
            let otherPower = Self.product(theirs, shift, theirs, shift, count)
            return Self.product(mine, 0, theirs, shift, count) / max(1e-12, (power * otherPower).squareRoot())
        }
        guard let peak = values.indices.max(by: { values[$0] < values[$1] }) else { return nil }
        guard peak > 0, peak < 2 * reach else { return Comparison(lag: .infinity, likeness: values[peak]) }
        let (before, at, after) = (values[peak - 1], values[peak], values[peak + 1])
        let bend = before - 2 * at + after
        let shift = bend == 0 ? 0 : 0.5 * (before - after) / bend
        return Comparison(
            lag: (Double(peak - reach) + shift) / 0.012, likeness: at - 0.25 * (before - after) * shift)
    }

    /// Whether there is sound in each fiftieth of a second.
    private static func sounds(_ window: [Float]) -> Bool {
        stride(from: 0, to: window.count - 239, by: 240).allSatisfy { start in
            window[start..<start + 240].contains { abs($0) > 0.005 }
        }
    }

    /// The sum of the products of `count` samples of each, from an index on.
    private static func product(
        _ mine: [Float], _ place: Int, _ other: [Float], _ otherPlace: Int, _ count: Int
    ) -> Double {
        mine.withUnsafeBufferPointer { mine in
            other.withUnsafeBufferPointer { other in
                var sum: Float = 0
                for index in 0..<count { sum += mine[place + index] * other[otherPlace + index] }
                return Double(sum)
            }
        }
    }
}

extension Sources {
    /// Writes an Ogg Opus file of noise up to 4 kHz that never repeats, encoded by the project's own encoder.
    static func noise(_ path: String, seconds: Double, seed: UInt64) throws {
        let encoder = try OpusEncoder(channels: 2, bitrate: 128_000, complexity: 2)
        var writer = OggOpusWriter(
            head: OpusHead(channels: 2, preSkip: encoder.lookahead),
            tags: OpusTags(vendor: "test", comments: ["TITLE=Noise \(seed)"]), serial: UInt32(truncatingIfNeeded: seed))
        var bytes = writer.headerPages()
        var generator = SeededGenerator(seed: seed)
        // Four poles at 3 kHz.
        var poles: (Float, Float, Float, Float) = (0, 0, 0, 0)
        for _ in 0..<Int(seconds * 50) {
            var pcm = [Float](repeating: 0, count: 1_920)
            for frame in 0..<960 {
                let white = Float(Int64(bitPattern: generator.next()) >> 32) / 2_147_483_648
                poles.0 += 0.32 * (white - poles.0)
                poles.1 += 0.32 * (poles.0 - poles.1)
                poles.2 += 0.32 * (poles.1 - poles.2)
                poles.3 += 0.32 * (poles.2 - poles.3)
                pcm[2 * frame] = poles.3
                pcm[2 * frame + 1] = poles.3
            }
            bytes += try writer.write(packet: encoder.encode(pcm), samples: 960, flush: false)
        }
        bytes += writer.finish()
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
