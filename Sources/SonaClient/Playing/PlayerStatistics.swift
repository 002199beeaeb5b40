package import SonaBase

/// The measurements of a player. All of them are taken from its device; nothing is assumed.
package struct PlayerStatistics: Sendable {
    /// The first frame with sound: when it left the device.
    package struct First: Sendable, Equatable {
        /// Time by the client's clock, µs.
        package var local: Int64
        /// Time by the server's clock as it was estimated then, µs.
        package var server: Int64
        /// Time by the machine's own clock, which may differ from the client's, µs.
        package var monotonic: Int64
    }

    package var first: First?
    /// How far off the sound was when a block began, without sign, µs.
    package var errors = Histogram()
    /// The last such error, with its sign, µs: positive if the device was too late in the sound.
    package var lastError: Double?
    /// Sound that was there beyond the block, ms; only while sounding.
    package var buffer = Histogram()
    /// Number of silences because sound came later or never, or because the device was not served.
    package var underruns = 0
    /// Frames that the device missed.
    package var missedFrames = 0
    /// Times that playing went on elsewhere than where it was: after a jump, or after more than 30 ms were missed.
    package var resyncs = 0
    /// Times that the client's clock was found to have been set.
    package var clockSteps = 0
    /// Frames handed to the device.
    package var frames = 0

    package init() {}
}
