import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

@Suite struct TrackGainTests {
    @Test(arguments: [
        // Loudness, true peak, gain: hundredths.
        (-900, -100, -900), (-1800, -600, 0), (-2300, -1000, 500), (-2300, -300, 200), (-2000, 150, -250),
        (-6900, -6500, 2400), (-1800, 0, -100),
    ])
    func `a track is brought to −18 LUFS, as far as its peak allows`(_ loudness: Int, _ peak: Int, _ gain: Int) {
        #expect(TrackGain.of(loudness: loudness, peak: peak) == gain)
    }

    @Test func `silence and what was not measured have no gain`() {
        #expect(TrackGain.of(loudness: -7000, peak: -10_000) == nil)
        #expect(TrackGain.of(loudness: nil, peak: nil) == nil)
    }

    @Test func `an album has one gain, by the powers of its tracks and the highest of their peaks`() async throws {
        let shelf = try await MediaShelf()
        try shelf.make("soft.flac", "-metadata album=One -metadata track=1 -af volume=0.1")
        try shelf.make("loud.flac", "-metadata album=One -metadata track=2")
        try shelf.make("other.flac", "-metadata album=Two")
        try await shelf.scan()
        for name in ["soft.flac", "loud.flac", "other.flac"] {
            try await shelf.until { try await shelf.track(name).loudness != nil }
        }
        let (soft, loud, other) = (
            try await shelf.track("soft.flac"), try await shelf.track("loud.flac"), try await shelf.track("other.flac")
        )
        // The sine is one of −20 LUFS and −20 dBTP.
        #expect(abs((loud.gain ?? 0) - 200) <= 20 && abs((other.gain ?? 0) - 200) <= 20)
        #expect(abs((soft.gain ?? 0) - 2200) <= 20)
        // Two tracks of one length, the other one of no power to speak of: 3 dB less than the loud one.
        #expect(abs((loud.albumGain ?? 0) - 496) <= 20 && loud.albumGain == soft.albumGain)
        #expect(other.albumGain == other.gain)
        #expect(other.albumGain != loud.albumGain)
        await shelf.close()
    }
}
