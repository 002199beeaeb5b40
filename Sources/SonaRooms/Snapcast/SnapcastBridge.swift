internal import SonaAudio
internal import SonaWire

/// Opus packets that lead from one track's packets to the next one's.
///
/// What is heard between two moments is decoded from the packets of both sides, put together where one track ends, and
/// encoded. All Opus packets are multiples of 2.5 ms long and the span is not, so the sound is stretched to the nearest
/// multiple: by 1.25 ms at most, which is one percent. The encoder hears some 60 ms before, so that it is as far as the
/// decoders are.
struct SnapcastBridge {
    /// The last packets before, the last of them perhaps not sent.
    let before: [AudioChunk]
    /// The first packets of what follows, up to the one that comes after the bridge.
    let after: [AudioChunk]
    /// When one ends and the other begins, µs.
    let cut: Int64
    /// Where the bridge begins and ends, µs.
    let from, to: Int64

    /// Packets that `before` needs: those of 20 ms make 120 ms.
    static let tailMax = 6
    /// Samples of 2.5 ms.
    static let unit = 120
    private static let warmSamples = 2_880
    private static let bitrate = 160_000

    /// The packets that make up a span, in units of 2.5 ms: 8, 4, 2 or 1 each.
    static func packets(of microseconds: Int64) -> [Int] {
        var left = Int((microseconds + 1_250) / 2_500)
        var sizes: [Int] = []
        for size in [8, 4, 2, 1] {
            while left >= size {
                sizes.append(size)
                left -= size
            }
        }
        return sizes
    }

    /// A packet of stereo silence, CELT over the full band (RFC 6716 §3.1: configurations 28 to 31).
    static func silence(_ units: Int) -> [UInt8] {
        let configuration = [1: 28, 2: 29, 4: 30][units] ?? 31
        return [UInt8(configuration << 3 | 4), 0xFF, 0xFE]
    }

    /// The packets with their samples; silence if something can't be decoded or encoded.
    func encoded() -> [(packet: [UInt8], samples: Int)] {
        let sizes = Self.packets(of: to - from)
        do {
            return try encoded(sizes)
        } catch {
            return sizes.map { (Self.silence($0), $0 * Self.unit) }
        }
    }

    private func encoded(_ sizes: [Int]) throws -> [(packet: [UInt8], samples: Int)] {
        let (old, new) = (try Sound(before), try Sound(after))
        let encoder = try OpusEncoder(channels: 2, bitrate: Self.bitrate, complexity: 5)
        let count = sizes.reduce(0, +) * Self.unit
        let stretch = Double(to - from) / Double(count)
        // Time of a sample of the bridge; before and after it the sound is as long as it is.
        func time(_ sample: Int) -> Double {
            if sample < 0 { return Double(from) + Double(sample) * 1_000 / 48 }
            if sample > count { return Double(to) + Double(sample - count) * 1_000 / 48 }
            return Double(from) + Double(sample) * stretch
        }
        func encode(_ samples: Int, from first: Int) throws -> [UInt8] {
            var pcm = [Float](repeating: 0, count: samples * 2)
            for index in 0..<samples {
                let time = time(first + index)
                (time < Double(cut) ? old : new).read(at: time, into: &pcm, index * 2)
            }
            return try encoder.encode(pcm, frameSamples: samples)
        }
        var place = encoder.lookahead - Self.warmSamples
        for _ in 0..<Self.warmSamples / 960 {
            _ = try encode(960, from: place)
            place += 960
        }
        var packets: [(packet: [UInt8], samples: Int)] = []
        for size in sizes {
            packets.append((try encode(size * Self.unit, from: place), size * Self.unit))
            place += size * Self.unit
        }
        return packets
    }

    /// Decoded packets on the server's clock.
    private struct Sound {
        private var pcm: [Float] = []
        private var start: Double = 0

        init(_ chunks: [AudioChunk]) throws(AudioError) {
            guard let first = chunks.first else { return }
            let decoder = try OpusDecoder(channels: 2)
            start = Double(first.header.playAtMicroseconds)
            for chunk in chunks { pcm += try decoder.decode(chunk.packet) }
        }

        /// Writes the two samples at a time, between those that there are; silence where there are none.
        func read(at time: Double, into target: inout [Float], _ index: Int) {
            let place = (time - start) * 48 / 1_000
            guard place >= 0, case let sample = Int(place), sample * 2 + 1 < pcm.count else { return }
            // After the last one it stays where it is: silence would be a click.
            let following = min(sample + 1, pcm.count / 2 - 1)
            let share = Float(place - Double(sample))
            for channel in 0..<2 {
                let (here, next) = (pcm[sample * 2 + channel], pcm[following * 2 + channel])
                target[index + channel] = here + (next - here) * share
            }
        }
    }
}
