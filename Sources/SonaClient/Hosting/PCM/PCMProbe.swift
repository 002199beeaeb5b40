package import SonaAudio
internal import SonaEventLoop

/// Finds out, before a room is opened, whether a source is live.
package enum PCMProbe {
    /// How long the first sound is watched, µs. The same amount of sound beyond that shows that the source is not live.
    static let watch: Int64 = 1_000_000
    static let surplus: Int64 = 1_000_000

    /// Waits for the first sound, and watches how fast it comes.
    ///
    /// Sound that arrives within one second and plays for two was not made in that second. A pipe holds a third of a
    /// second of usual sound, and programs hold some more, so one second in reserve proves nothing.
    /// - Parameter waiting: Called if nothing has come for two seconds.
    /// - Returns: Whether the sound comes when it is made.
    /// - Throws: The errors of `PCMSource.pull`: the input is not sound.
    package static func isLive(_ source: PCMSource, waiting: () -> Void) async throws(AudioError) -> Bool {
        try await begin(source, waiting)
        let began = MonotonicClock.nowMicroseconds()
        while true {
            try source.pull()
            let played = microseconds(samples: source.frames)
            if source.isOver || played > Self.watch + Self.surplus { return false }
            guard MonotonicClock.nowMicroseconds() - began < Self.watch else { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits for the first sound.
    package static func begin(_ source: PCMSource, _ waiting: () -> Void) async throws(AudioError) {
        let began = MonotonicClock.nowMicroseconds()
        var hasTold = false
        while true {
            try source.pull()
            if source.isKnown, source.frames > 0 || source.isOver { return }
            if !hasTold, MonotonicClock.nowMicroseconds() - began > 2_000_000 {
                hasTold = true
                waiting()
            }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }
}
