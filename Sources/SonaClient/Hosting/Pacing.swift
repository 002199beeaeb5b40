internal import SonaWire

/// When the packets of an epoch are to be sent, by the server's clock.
///
/// A packet leaves one lead before it sounds: at `start_us + (sample − pre_skip) / 48 kHz − lead_us`, where `sample` is
/// counted from the epoch's first decoded one.
///
/// Source: Protocol/spec/hosting.md, "Pacing".
package struct Pacing: Sendable, Equatable {
    package var startMicroseconds: Int64
    package var leadMicroseconds: Int64
    package var preSkip: Int

    /// How early a packet may leave. Timers are not that bad; this is for the last packets before a pause.
    package static let earlyMicroseconds: Int64 = 2_000
    /// A packet that arrives with less than this left before it sounds is dropped by the server.
    package static let marginMicroseconds = Limits.hostLateMicroseconds

    package init(startMicroseconds: Int64, leadMicroseconds: Int64, preSkip: Int) {
        self.startMicroseconds = startMicroseconds
        self.leadMicroseconds = leadMicroseconds
        self.preSkip = preSkip
    }

    init(_ started: HostStarted, preSkip: Int) {
        self.init(
            startMicroseconds: started.startMicroseconds, leadMicroseconds: started.leadMicroseconds, preSkip: preSkip)
    }

    /// Server time at which a packet that begins at `sample` is to be sent, µs.
    package func due(sample: Int) -> Int64 { sounds(sample: sample) - leadMicroseconds }

    /// Server time at which it sounds, µs.
    package func sounds(sample: Int) -> Int64 {
        // Division rounds towards zero; pre-skip lies before the start and has to round down too.
        let ahead = (Int64(sample) - Int64(preSkip)) * 125
        return startMicroseconds + (ahead >= 0 ? ahead / 6 : (ahead - 5) / 6)
    }

    /// Whether a packet that begins at `sample` may leave at the server time `now`.
    package func isDue(sample: Int, now: Int64) -> Bool { due(sample: sample) - Self.earlyMicroseconds <= now }

    /// Whether it is too late for it to be heard. Never so for what is decoded only.
    package func isLost(sample: Int, now: Int64) -> Bool {
        sample >= preSkip && sounds(sample: sample) - Self.marginMicroseconds <= now
    }
}
