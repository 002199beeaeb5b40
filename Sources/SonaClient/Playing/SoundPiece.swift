/// Decoded sound with its place on the room's timeline.
package struct SoundPiece: Sendable, Equatable {
    /// Server time at which the first frame sounds, µs.
    package var time: Int64
    /// Interleaved stereo at 48 kHz.
    package var samples: [Float]
    /// Whether this is where something begins by itself, rather than in the middle of it: it is not faded in.
    package var isBeginning: Bool
    /// Whether it ends by itself: it is not faded out.
    package var isEnd: Bool

    package init(time: Int64, samples: [Float], isBeginning: Bool = false, isEnd: Bool = false) {
        self.time = time
        self.samples = samples
        self.isBeginning = isBeginning
        self.isEnd = isEnd
    }

    package var frames: Int { samples.count / 2 }
}
