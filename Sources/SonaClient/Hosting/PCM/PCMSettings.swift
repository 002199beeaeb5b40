package import SonaWire

/// How uncompressed sound is hosted.
package struct PCMSettings: Sendable {
    /// Bits a second, 6000 to 510 000.
    package var bitrate: Int
    /// Samples of a packet, at 48 kHz; one of `OpusEncoder.frameSamplesAllowed`.
    package var packetSamples: Int
    /// nil: found out by how fast the sound comes.
    package var pacing: SonaWire.Pacing?
    package var track: Track?

    package init(bitrate: Int = 128_000, packetSamples: Int = 960, pacing: SonaWire.Pacing? = nil, track: Track? = nil)
    {
        self.bitrate = bitrate
        self.packetSamples = packetSamples
        self.pacing = pacing
        self.track = track
    }
}
