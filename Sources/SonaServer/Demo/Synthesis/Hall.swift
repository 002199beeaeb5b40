internal import Glibc

/// A room around the sound: eight delay lines that feed each other, behind four all-passes that blur what comes in.
///
/// Source: Jot and Chaigne, "Digital delay networks for designing artificial reverberators", 90th AES Convention, 1991.
struct Hall {
    /// Seconds until the sound has faded by 60 dB.
    var seconds: Double
    /// Level of what comes back.
    var level: Float = 1
    /// How soon highs are lost, 0…1.
    var damping: Float = 0.35
    /// Size of the room; 1 is a small hall.
    var size = 1.0

    /// Milliseconds that have no common measure.
    private static let delays = [29.7, 37.1, 41.9, 47.3, 53.9, 61.3, 68.7, 76.1]
    private static let blurs = [4.77, 3.59, 12.73, 9.31]

    /// - Parameters:
    ///   - send: Interleaved stereo.
    ///   - bus: As long as `send`.
    func add(_ send: [Float], to bus: inout [Float]) {
        let lengths = Self.delays.map { Int($0 * size * 48) }
        // Lines lie one behind the other in one array.
        let starts = lengths.indices.map { lengths[..<$0].reduce(0, +) }
        var lines = [Float](repeating: 0, count: lengths.reduce(0, +))
        let losses = lengths.map { Float(pow(10, -3 * Double($0) / Sampling.rate / seconds) / 8.0.squareRoot()) }
        var places = starts
        let ends = zip(starts, lengths).map { $0 + $1 }
        var damped = [Float](repeating: 0, count: 8)
        var values = [Float](repeating: 0, count: 8)
        var blur = [Blur(0), Blur(1)]
        let keep = 1 - damping
        lines.withUnsafeMutableBufferPointer { lines in
            damped.withUnsafeMutableBufferPointer { damped in
                values.withUnsafeMutableBufferPointer { values in
                    for frame in 0..<send.count / 2 {
                        let left = blur[0].take(send[2 &* frame])
                        let right = blur[1].take(send[2 &* frame &+ 1])
                        for line in 0..<8 {
                            damped[line] += keep * (lines[places[line]] - damped[line])
                            values[line] = damped[line]
                        }
                        bus[2 &* frame] += level * (values[0] - values[2] + values[4] - values[6])
                        bus[2 &* frame &+ 1] += level * (values[1] - values[3] + values[5] - values[7])
                        Self.spread(values)
                        for line in 0..<8 {
                            let input = line & 1 == 0 ? left : right
                            lines[places[line]] = values[line] * losses[line] + 0.35 * input
                            let next = places[line] &+ 1
                            places[line] = next == ends[line] ? starts[line] : next
                        }
                    }
                }
            }
        }
    }

    /// Each becomes a sum of all with signs of its own (Hadamard), which keeps the power but for the factor √8.
    @inline(__always) private static func spread(_ values: UnsafeMutableBufferPointer<Float>) {
        var half = 1
        while half < 8 {
            var first = 0
            while first < 8 {
                for index in first..<first &+ half {
                    let (one, other) = (values[index], values[index &+ half])
                    values[index] = one + other
                    values[index &+ half] = one - other
                }
                first = first &+ 2 &* half
            }
            half = half &* 2
        }
    }

    /// All-passes in a row: an impulse becomes a short noise.
    private struct Blur {
        private var lines: [[Float]]
        private var places: [Int]

        /// - Parameter channel: The two sides differ a little.
        init(_ channel: Int) {
            lines = Hall.blurs.map { [Float](repeating: 0, count: Int($0 * 48) + 23 * channel) }
            places = Hall.blurs.map { _ in 0 }
        }

        mutating func take(_ input: Float) -> Float {
            var value = input
            for index in 0..<4 {
                let place = places[index]
                let delayed = lines[index][place]
                let inner = value - 0.6 * delayed
                lines[index][place] = inner
                value = delayed + 0.6 * inner
                places[index] = place + 1 == lines[index].count ? 0 : place + 1
            }
            return value
        }
    }
}
