internal import Glibc

/// Reads sound between its samples, for a device whose clock runs a little faster or slower than the sound's.
///
/// Band-limited interpolation: a sinc under a Kaiser window, 32 samples wide. With a step near 1 (within 0.1 %) tones up to 18 kHz
/// come out with an error below −75 dB of their level, up to 20 kHz below −55 dB; where position and step are whole numbers the
/// samples themselves come out. Steps far from 1 would need a filter that moves with them, which this has not.
///
/// Source: J. O. Smith, "Digital Audio Resampling", https://ccrma.stanford.edu/~jos/resample/; Kaiser's window for
/// 80 dB: β = 0.1102 · (80 − 8.7).
public enum SincInterpolator {
    /// Input frames needed before the one at or before a position, 15.
    public static let framesBefore = 15
    /// Input frames needed after it, 16.
    public static let framesAfter = 16

    private static let taps = framesBefore + 1 + framesAfter
    /// Rows of the table per sample; between two rows coefficients are interpolated, which costs less than −100 dB.
    private static let phases = 512
    private static let beta = 7.857

    /// Row `p`: the weights of the 32 samples around a position that lies `p / 512` after the sixteenth of them.
    private static let kernel: [Float] = {
        var kernel: [Float] = []
        kernel.reserveCapacity((phases + 1) * taps)
        for phase in 0...phases {
            let fraction = Double(phase) / Double(phases)
            let row = (0..<taps).map { tap in weight(Double(tap - framesBefore) - fraction) }
            // The weights of a constant sound add up to one.
            let sum = row.reduce(0, +)
            kernel += row.map { Float($0 / sum) }
        }
        return kernel
    }()

    private static func weight(_ distance: Double) -> Double {
        let half = Double(taps) / 2
        guard abs(distance) < half else { return 0 }
        let place = distance / half
        let window = bessel(beta * (1 - place * place).squareRoot()) / bessel(beta)
        // Exactly one and zero at whole samples, so that they pass unchanged.
        guard distance != distance.rounded() else { return distance == 0 ? 1 : 0 }
        return sin(.pi * distance) / (.pi * distance) * window
    }

    /// The modified Bessel function I₀, by its series.
    private static func bessel(_ x: Double) -> Double {
        var sum = 1.0
        var term = 1.0
        var k = 1.0
        while term > sum * 1e-12 {
            term *= (x / 2 / k) * (x / 2 / k)
            sum += term
            k += 1
        }
        return sum
    }

    /// Reads interleaved frames at `position`, `position + step`, … until `output` is full.
    ///
    /// - Parameters:
    ///   - input: Interleaved frames.
    ///   - channels: 1 or more.
    ///   - position: Position of the first output frame, in frames of `input`. At least `framesBefore`.
    ///   - step: Input frames per output frame, above 0. At least `framesAfter` frames must follow the frame that the
    ///     last position lies on.
    ///   - output: Whole frames.
    public static func read(
        _ input: UnsafeBufferPointer<Float>, channels: Int, from position: Double, step: Double,
        into output: UnsafeMutableBufferPointer<Float>
    ) {
        let frames = output.count / channels
        guard frames > 0, let input = input.baseAddress.map({ (base: $0, frames: input.count / channels) }) else {
            return
        }
        let last = position + Double(frames - 1) * step
        precondition(
            position >= Double(framesBefore) && Int(last) + framesAfter < input.frames,
            "The positions reach beyond the frames that are there.")
        kernel.withUnsafeBufferPointer { kernel in
            guard let kernel = kernel.baseAddress, let output = output.baseAddress else { return }
            for frame in 0..<frames {
                let place = position + Double(frame) * step
                let whole = Int(place)
                let phase = (place - Double(whole)) * Double(phases)
                let row = Int(phase)
                let weight = Float(phase - Double(row))
                sum(
                    input.base + (whole - framesBefore) * channels, channels, kernel + row * taps, weight,
                    into: output + frame * channels)
            }
        }
    }

    /// One output frame: the taps of two neighbouring rows, weighed against each other.
    @inline(__always)
    private static func sum(
        _ input: UnsafePointer<Float>, _ channels: Int, _ row: UnsafePointer<Float>, _ weight: Float,
        into output: UnsafeMutablePointer<Float>
    ) {
        if channels == 2 {
            var left: Float = 0
            var right: Float = 0
            var tap = 0
            while tap < taps {
                let coefficient = row[tap] + weight * (row[tap &+ taps] - row[tap])
                left += coefficient * input[2 &* tap]
                right += coefficient * input[2 &* tap &+ 1]
                tap &+= 1
            }
            output[0] = left
            output[1] = right
            return
        }
        for channel in 0..<channels {
            var total: Float = 0
            for tap in 0..<taps {
                total += (row[tap] + weight * (row[tap + taps] - row[tap])) * input[tap * channels + channel]
            }
            output[channel] = total
        }
    }
}
