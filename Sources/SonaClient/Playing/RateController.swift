/// Decides how fast to read the room's sound, so that a device with a clock of its own stays in step.
///
/// The device's clock as it is known to differ from the server's is made up for all the time. What error remains is left
/// alone within a dead band, beyond it removed at a pace nobody hears, and beyond what that would take minutes for by
/// a jump.
///
/// Source: Protocol/spec/audio.md, "Rendering".
package struct RateController: Sendable, Equatable {
    package enum Decision: Sendable, Equatable {
        /// Read this many frames of sound per frame of the device.
        case read(Double)
        case jump
    }

    /// Errors up to this are left alone, µs: a tenth of what ears tell apart between two loudspeakers.
    static let deadBandMicroseconds = 100.0
    /// A correction goes on until less than this is left, µs.
    static let releaseMicroseconds = 20.0
    /// How long a correction would take at its first pace, µs.
    static let timeConstant = 500_000.0
    /// Furthest from 1 that the device's clock and the correction bring the pace together.
    static let deviationMax = 500e-6
    /// Errors beyond this are removed by a jump, µs.
    static let jumpMicroseconds = 30_000.0
    /// The same while the clock is being learnt: stretching would take so long that a jump at the start is better.
    static let settlingJumpMicroseconds = 2_000.0

    private var isCorrecting = false

    package init() {}

    /// - Parameters:
    ///   - error: How much too late in the sound the device is, µs; negative if it lags behind.
    ///   - drift: How much faster the server's clock runs than the device's, as a fraction.
    ///   - isSettling: Whether the first estimates of the clock are still coming in.
    package mutating func decide(error: Double, drift: Double, isSettling: Bool) -> Decision {
        let magnitude = abs(error)
        if magnitude > (isSettling ? Self.settlingJumpMicroseconds : Self.jumpMicroseconds) {
            isCorrecting = false
            return .jump
        }
        if magnitude > Self.deadBandMicroseconds { isCorrecting = true }
        if magnitude < Self.releaseMicroseconds { isCorrecting = false }
        let correction = isCorrecting ? -error / Self.timeConstant : 0
        return .read(1 + max(-Self.deviationMax, min(Self.deviationMax, drift + correction)))
    }
}
