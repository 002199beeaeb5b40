import COpus

/// Decodes Opus packets into float PCM at 48 kHz.
///
/// Confined to its owner (not Sendable); one decoder is one stream. Packets may change duration, mode and
/// channels as they like: mono is spread over two channels and stereo mixed down to one. Nothing is trimmed: the first
/// `preSkip` samples of a stream are the caller's to drop.
///
/// Source: RFC 6716 §4, RFC 7845 §4.2 (pre-skip), opus.h.
public final class OpusDecoder {
    /// Channels of the decoded samples, 1 or 2, whatever the packets have.
    public let channels: Int

    private let decoder: OpaquePointer
    /// Duration of the last packet, in samples at 48 kHz, assumed for a lost one as well. 20 ms at the start.
    private var lastSamples = 960

    /// - Parameters:
    ///   - channels: 1 or 2, whatever the packets have.
    ///   - outputGain: The head's gain, Q7.8 decibels, −32768…32767. A player must apply it (RFC 7845 §5.1).
    /// - Throws: `.unsupported` if a value is outside its range; `.codec` if libopus refuses.
    public init(channels: Int, outputGain: Int = 0) throws(AudioError) {
        guard channels == 1 || channels == 2 else {
            throw .unsupported("An Opus decoder gives 1 or 2 channels, not \(channels).")
        }
        guard let gain = Int16(exactly: outputGain) else {
            throw .unsupported("An output gain lies between -32768 and 32767; \(outputGain) does not.")
        }
        var status: Int32 = 0
        let created = opus_decoder_create(48_000, Int32(channels), &status)
        guard let created, status == OPUS_OK else { throw .codec("start a decoder", status) }
        status = sona_opus_decoder_set(created, OPUS_SET_GAIN_REQUEST, Int32(gain))
        guard status == OPUS_OK else {
            opus_decoder_destroy(created)
            throw .codec("set up a decoder", status)
        }
        decoder = created
        self.channels = channels
    }

    deinit {
        opus_decoder_destroy(decoder)
    }

    /// Decodes one packet, or conceals a lost one.
    ///
    /// - Parameter packet: One packet; nil for one that did not arrive, which is made up to the last one's duration.
    /// - Returns: Interleaved floats, full scale ±1 (decoded peaks may pass it): the packet's samples × `channels`.
    /// - Throws: `.badPacket` if the packet is malformed, and the decoder is as before; `.codec` if libopus fails.
    public func decode(_ packet: [UInt8]?) throws(AudioError) -> [Float] {
        let samples = if let packet { try OpusPacket(inspecting: packet).samples } else { lastSamples }
        var status: Int32 = 0
        let pcm = [Float](unsafeUninitializedCapacity: samples * channels) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            status = opus_decode_float(decoder, packet, Int32(packet?.count ?? 0), base, Int32(samples), 0)
            count = max(0, Int(status)) * channels
        }
        guard status > 0 else { throw .codec("decode a packet", status) }
        lastSamples = samples
        return pcm
    }

    /// Resets the decoder, for a jump or the next track. Channels and gain stay.
    public func reset() {
        _ = sona_opus_decoder_reset(decoder)
        lastSamples = 960
    }
}
