internal import SonaWire

/// Where one epoch's samples lie in server time.
///
/// Decoded sample `s` of the epoch (pre-skip included, at 48 kHz) sounds at `start + (s − preSkip) / 48000`, rounded
/// down. Computed from the sample count each time, never by adding durations, so nothing accumulates: every Opus
/// duration is a whole multiple of 2500 µs.
///
/// Source: Protocol/spec/audio.md, "The timeline"; Protocol/spec/hosting.md, "AUDIO_UP"; RFC 7845 §4.
package struct Timeline: Sendable, Equatable {
    /// Server time of the first audible sample, µs.
    package let start: Int64
    /// Place of the first audible sample in its track, µs.
    package let startPosition: Int64
    /// Decoded samples that come before `start` and are not heard.
    package let preSkip: Int64
    /// Samples that have been sent, which is also where the next packet goes.
    package private(set) var samples: Int64 = 0

    /// - Parameters:
    ///   - preSkip: 0 to 65 535 samples.
    ///   - position: Held between 0 and 2^53 − 1.
    package init(start: Int64, preSkip: Int, position: Int64) {
        self.start = start
        self.preSkip = Int64(preSkip)
        startPosition = min(max(0, position), Limits.integerMax)
    }

    /// Duration of a number of samples, µs, rounded down; that of a negative number, too.
    ///
    /// In lowest terms, so that no count up to 2^53 overflows.
    package static func microseconds(_ samples: Int64) -> Int64 {
        let (quotient, remainder) = (samples * 125).quotientAndRemainder(dividingBy: 6)
        return remainder < 0 ? quotient - 1 : quotient
    }

    package func time(ofSample sample: Int64) -> Int64 { start + Self.microseconds(sample - preSkip) }

    /// By when a packet that begins at `sample` must have arrived: what precedes the start is decoded for it.
    package func due(ofSample sample: Int64) -> Int64 { max(start, time(ofSample: sample)) }

    /// Server time of the first sample that has not been sent: nothing is there to be heard from then on.
    package var edge: Int64 { max(start, time(ofSample: samples)) }

    /// Place in the track at the edge, µs.
    package var edgePosition: Int64 { position(at: edge) }

    /// Place in the track of what sounds at a server time from `start` on, µs.
    package func position(at time: Int64) -> Int64 { startPosition + (time - start) }

    /// Takes note of samples sent; a gap before them counts as sent too.
    package mutating func advance(to end: Int64) { samples = max(samples, end) }
}
