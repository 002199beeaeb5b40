internal import SonaWire

/// Maps one epoch's samples to server time.
///
/// Decoded sample `s` of the epoch (pre-skip included, at 48 kHz) sounds at `start + (s − preSkip) / 48000`, rounded
/// down. The time is computed from the sample count each time, never by adding durations, so no error accumulates.
/// Every Opus duration is a whole multiple of 2500 µs.
///
/// The timeline of a live host bends (`bend`): from some sample on, each sample lasts a little longer or shorter. These
/// times too are computed from sample counts alone, in fractions of a microsecond. They rise steadily and are exact to
/// the microsecond.
///
/// Source: Protocol/spec/audio.md, "The timeline"; Protocol/spec/hosting.md, "AUDIO_UP" and "Live hosts"; RFC 7845 §4.
package struct Timeline: Sendable, Equatable, Codable {
    /// Server time of the first audible sample, µs.
    package let start: Int64
    /// Position of the first audible sample in its track, µs.
    package let startPosition: Int64
    /// Decoded samples that come before `start` and are not heard.
    package let preSkip: Int64
    /// Number of samples sent, and so the place of the next packet.
    package private(set) var samples: Int64 = 0
    /// Nil while every sample lasts 1/48 000 s.
    private var course: Course?

    /// The course from a sample on: the sample's time, and how much longer each sample lasts, in thousandths of a
    /// millionth.
    private struct Course: Sendable, Equatable, Codable {
        var sample: Int64
        /// In units of 1/6 000 000 000 µs.
        var time: Int128
        /// Thousandths of a millionth.
        var stretchPPB: Int64

        private enum CodingKeys: CodingKey { case sample, time, stretchPPB }

        init(sample: Int64, time: Int128, stretchPPB: Int64) {
            (self.sample, self.time, self.stretchPPB) = (sample, time, stretchPPB)
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            sample = try values.decode(Int64.self, forKey: .sample)
            stretchPPB = try values.decode(Int64.self, forKey: .stretchPPB)
            guard let time = Int128(try values.decode(String.self, forKey: .time)) else {
                throw DecodingError.dataCorruptedError(forKey: .time, in: values, debugDescription: "not a number")
            }
            self.time = time
        }

        // As text: 128 bits are more than JSON's readers take.
        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(sample, forKey: .sample)
            try values.encode(String(time), forKey: .time)
            try values.encode(stretchPPB, forKey: .stretchPPB)
        }

        func time(ofSample other: Int64) -> Int128 {
            time + Int128(other - sample) * 125 * Int128(1_000_000_000 + stretchPPB)
        }
    }

    private static let fractions: Int128 = 6_000_000_000

    /// - Parameters:
    ///   - preSkip: 0 to 65 535 samples.
    ///   - position: Held between 0 and 2^53 − 1.
    package init(start: Int64, preSkip: Int, position: Int64) {
        self.start = start
        self.preSkip = Int64(preSkip)
        startPosition = min(max(0, position), Limits.integerMax)
    }

    /// Duration of a number of samples, µs, rounded down, also for a negative number.
    ///
    /// The fraction is in lowest terms, so that no count up to 2^53 overflows.
    package static func microseconds(_ samples: Int64) -> Int64 {
        let (quotient, remainder) = (samples * 125).quotientAndRemainder(dividingBy: 6)
        return remainder < 0 ? quotient - 1 : quotient
    }

    package func time(ofSample sample: Int64) -> Int64 {
        guard let course else { return start + Self.microseconds(sample - preSkip) }
        let (quotient, remainder) = course.time(ofSample: sample).quotientAndRemainder(dividingBy: Self.fractions)
        return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }

    /// How much longer than 1/48 000 s the next samples last, millionths.
    package var stretchPPM: Double { Double(course?.stretchPPB ?? 0) / 1000 }

    /// Makes samples sent from now on last longer or, if negative, shorter. Samples already sent do not move, nor do
    /// those before the first audible one.
    ///
    /// - Parameter ppm: Millionths; limited to `Limits.liveStretchPPMMax` either way.
    package mutating func bend(ppm: Double) {
        guard samples >= preSkip, ppm.isFinite else { return }
        let most = Double(Limits.liveStretchPPMMax)
        let stretch = Int64((min(max(ppm, -most), most) * 1000).rounded())
        guard stretch != course?.stretchPPB ?? 0 else { return }
        let before =
            course ?? Course(sample: preSkip, time: Int128(start) * Self.fractions, stretchPPB: 0)
        course = Course(sample: samples, time: before.time(ofSample: samples), stretchPPB: stretch)
    }

    /// Time by which a packet that begins at `sample` must have arrived. Packets before the start are decoded for it.
    package func due(ofSample sample: Int64) -> Int64 { max(start, time(ofSample: sample)) }

    /// Server time of the first sample that has not been sent. There is no sound from then on.
    package var edge: Int64 { max(start, time(ofSample: samples)) }

    /// Position in the track at the edge, µs.
    package var edgePosition: Int64 { position(at: edge) }

    /// Position in the track of the sound at a server time from `start` on, µs.
    package func position(at time: Int64) -> Int64 { startPosition + (time - start) }

    /// Records samples sent; a gap before them counts as sent too.
    package mutating func advance(to end: Int64) { samples = max(samples, end) }
}
