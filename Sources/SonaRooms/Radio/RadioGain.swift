internal import Glibc

/// The gain of an epoch as a factor.
package enum RadioGain {
    /// - Parameter gain: Hundredths of dB.
    package static func factor(_ gain: Int) -> Float { Float(pow(10, Double(gain) / 2_000)) }
}
