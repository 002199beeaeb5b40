internal import SonaWire

/// Where one epoch's samples lie in server time.
///
/// Decoded sample `s` of the epoch (pre-skip included, at 48 kHz) sounds at `anchor + s / 48000`. Computed from the
/// sample count each time, never by adding durations, so nothing accumulates: every Opus duration is a whole multiple
/// of 2500 µs.
///
/// Source: Protocol/spec/audio.md, "Timeline"; RFC 7845 §4.
package struct Timeline: Sendable, Equatable {
    /// Server time of the first decoded sample, µs.
    package let anchor: Int64
    /// Server time of the first audible sample, µs.
    package let start: Int64
    /// Place of the first audible sample in its track, µs.
    package let startPosition: Int64
    /// Samples that have been sent, which is also where the next packet goes.
    package private(set) var samples: Int64 = 0

    /// - Parameter preSkip: Decoded samples that come before `start` and are not heard.
    package init(start: Int64, preSkip: Int, position: Int64) {
        self.start = start
        anchor = start - Self.microseconds(Int64(preSkip))
        startPosition = position
    }

    /// Duration of a number of samples, µs, rounded down.
    package static func microseconds(_ samples: Int64) -> Int64 {
        samples * 1_000_000 / Limits.sampleRate
    }

    package func time(ofSample sample: Int64) -> Int64 { anchor + Self.microseconds(sample) }

    /// By when a packet that begins at `sample` must have arrived: what precedes the start is decoded for it.
    package func due(ofSample sample: Int64) -> Int64 { max(start, time(ofSample: sample)) }

    /// Server time of the first sample that has not been sent: nothing is there to be heard from then on.
    package var edge: Int64 { max(start, time(ofSample: samples)) }

    /// Place in the track at the edge, µs.
    package var edgePosition: Int64 { startPosition + (edge - start) }

    /// Takes note of samples sent; a gap before them counts as sent too.
    package mutating func advance(to end: Int64) { samples = max(samples, end) }
}
