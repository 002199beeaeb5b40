/// The times at which a sound device asks for frames, by its own clock. It models a sound card's buffer, without the
/// card. Pure.
///
/// Frame *n* leaves the device at `start + n / 48000 s`. It must be there a little earlier. A frame that is not is an
/// underrun, and the device goes on without it, because its clock does not wait.
package struct DevicePacing: Sendable, Equatable {
    package static let sampleRate = 48_000
    /// Frames asked for at a time, 10 ms.
    package static let blockFrames = 480
    /// Frames that are kept ahead, 50 ms: what an ordinary sound server asks for, and little enough that who joins need
    /// not wait for it.
    package static let bufferFrames = 2_400

    /// When frame 0 leaves it, by the device's clock, µs.
    package let start: Int64
    /// Frames handed over or missed.
    package private(set) var written = 0

    package init(start: Int64) { self.start = start }

    /// When a frame leaves the device, by its clock, µs.
    package func time(ofFrame frame: Int) -> Int64 { start + Int64(frame) * 125 / 6 }

    /// Frames that came too late at the time `now` of the device's clock; they count as played, silently.
    package mutating func missed(at now: Int64) -> Int {
        let played = Int(clamping: (max(0, now - start) * 6) / 125)
        guard played > written else { return 0 }
        let missed = played - written
        written = played
        return missed
    }

    /// Whether another block is wanted at the time `now`.
    package func wantsBlock(at now: Int64) -> Bool { now >= nextBlock }

    /// When the next block is wanted, by the device's clock, µs.
    package var nextBlock: Int64 { time(ofFrame: written + Self.blockFrames - Self.bufferFrames) }

    package mutating func wrote(_ frames: Int) { written += frames }
}
