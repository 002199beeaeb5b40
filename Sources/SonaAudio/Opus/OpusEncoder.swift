import COpus

/// Encodes float PCM at 48 kHz into Opus packets of one size.
///
/// Confined to its owner (not Sendable); one encoder is one stream. A stereo packet of 20 ms costs a few
/// tenths of a millisecond of CPU at complexity 10.
///
///     let encoder = try OpusEncoder(channels: 2, bitrate: 128_000)
///     let head = OpusHead(channels: 2, preSkip: encoder.lookahead)
///     let packet = try encoder.encode(pcm)            // 960 × 2 floats in −1…1
///
/// Source: RFC 6716 §2.1 (the control parameters), opus.h.
public final class OpusEncoder {
    /// The use that the encoder is tuned for.
    public enum Application: Sendable {
        /// Music and mixed sound: fidelity to the input. Lookahead 312 samples.
        case audio
        /// Speech: intelligibility at low bitrates. Lookahead 312 samples.
        case voip
        /// CELT only, for the shortest delay. Lookahead 120 samples.
        case lowDelay
    }

    /// Channels of the samples that `encode` takes, 1 or 2.
    public let channels: Int
    /// Samples per channel that `encode` takes, at 48 kHz.
    public let frameSamples: Int
    /// Samples at 48 kHz by which the output lags the input. This is the `preSkip` of the stream's head.
    public let lookahead: Int

    /// Frame sizes Opus packets can have, in samples at 48 kHz: 2.5, 5, 10, 20, 40, 60, 80, 100 and 120 ms.
    public static let frameSamplesAllowed = [120, 240, 480, 960, 1920, 2880, 3840, 4800, 5760]

    private let encoder: OpaquePointer
    /// Reused for every packet. Six frames of 20 ms are the most libopus makes: 6 × 1275 bytes and their lengths.
    private let packet: UnsafeMutablePointer<UInt8>
    private static let packetBytesMax = 7_662
    /// Twenty-four decibels over full scale. libopus promises to handle "beyond ±1.0", but not infinity or NaN.
    private static let amplitudeMax: Float = 16

    /// Starts an encoder with variable bitrate.
    ///
    /// - Parameters:
    ///   - channels: 1 or 2.
    ///   - application: The use to tune for.
    ///   - bitrate: Bits per second, 500…512000. Good values for stereo music: 96000…160000.
    ///   - frameSamples: Samples per packet and channel at 48 kHz, one of `frameSamplesAllowed`.
    ///   - complexity: 0 (least CPU) … 10 (best).
    /// - Throws: `.unsupported` if a value is outside its range; `.codec` if libopus refuses.
    public init(
        channels: Int, application: Application = .audio, bitrate: Int, frameSamples: Int = 960, complexity: Int = 10
    ) throws(AudioError) {
        guard channels == 1 || channels == 2 else {
            throw .unsupported("An Opus encoder takes 1 or 2 channels, not \(channels).")
        }
        guard (500...512_000).contains(bitrate) else {
            throw .unsupported("An Opus bitrate lies between 500 and 512000 bits per second; \(bitrate) does not.")
        }
        guard Self.frameSamplesAllowed.contains(frameSamples) else {
            throw .unsupported("An Opus packet cannot hold \(frameSamples) samples; 960 (20 ms) is usual.")
        }
        guard (0...10).contains(complexity) else {
            throw .unsupported("An Opus complexity lies between 0 and 10; \(complexity) does not.")
        }
        var status: Int32 = 0
        let created = opus_encoder_create(48_000, Int32(channels), application.request, &status)
        guard let created, status == OPUS_OK else { throw .codec("start an encoder", status) }
        let settings: [(Int32, Int32)] = [
            (OPUS_SET_BITRATE_REQUEST, Int32(bitrate)),
            (OPUS_SET_COMPLEXITY_REQUEST, Int32(complexity)),
            (OPUS_SET_SIGNAL_REQUEST, application.signal),
        ]
        for (request, value) in settings where status == OPUS_OK {
            status = sona_opus_encoder_set(created, request, value)
        }
        var lookahead: Int32 = 0
        if status == OPUS_OK { status = sona_opus_encoder_get(created, OPUS_GET_LOOKAHEAD_REQUEST, &lookahead) }
        guard status == OPUS_OK else {
            opus_encoder_destroy(created)
            throw .codec("set up an encoder", status)
        }
        encoder = created
        packet = .allocate(capacity: Self.packetBytesMax)
        self.channels = channels
        self.frameSamples = frameSamples
        self.lookahead = Int(lookahead)
    }

    deinit {
        opus_encoder_destroy(encoder)
        packet.deallocate()
    }

    /// Encodes one packet.
    ///
    /// - Parameter pcm: `frameSamples × channels` floats, interleaved, full scale ±1. Louder samples are clipped;
    ///   NaN becomes silence.
    /// - Returns: One Opus packet of `frameSamples` samples, 1…7662 bytes.
    /// - Throws: `.unsupported` if `pcm` has another length; `.codec` if libopus fails.
    public func encode(_ pcm: [Float]) throws(AudioError) -> [UInt8] {
        try encode(pcm, frameSamples: frameSamples)
    }

    /// Encodes one packet of another duration than the usual one.
    ///
    /// - Parameters:
    ///   - pcm: `frameSamples × channels` floats, as above.
    ///   - frameSamples: Samples per channel at 48 kHz, one of `frameSamplesAllowed`.
    /// - Throws: As above.
    public func encode(_ pcm: [Float], frameSamples: Int) throws(AudioError) -> [UInt8] {
        guard pcm.count == frameSamples * channels, Self.frameSamplesAllowed.contains(frameSamples) else {
            throw .unsupported("This encoder takes \(frameSamples * channels) floats at a time, not \(pcm.count).")
        }
        let limit = Self.amplitudeMax
        // Written so that NaN fails the comparison too.
        let clean = pcm.allSatisfy { abs($0) <= limit } ? pcm : pcm.map { $0.isNaN ? 0 : min(max($0, -limit), limit) }
        let length = opus_encode_float(encoder, clean, Int32(frameSamples), packet, Int32(Self.packetBytesMax))
        guard length > 0 else { throw .codec("encode a packet", length) }
        return [UInt8](UnsafeBufferPointer(start: packet, count: Int(length)))
    }

    /// Resets the encoder, as if it were new. Settings stay.
    public func reset() {
        _ = sona_opus_encoder_reset(encoder)
    }
}

extension OpusEncoder.Application {
    fileprivate var request: Int32 {
        switch self {
        case .audio: OPUS_APPLICATION_AUDIO
        case .voip: OPUS_APPLICATION_VOIP
        case .lowDelay: OPUS_APPLICATION_RESTRICTED_LOWDELAY
        }
    }

    fileprivate var signal: Int32 {
        switch self {
        case .audio: OPUS_SIGNAL_MUSIC
        case .voip: OPUS_SIGNAL_VOICE
        case .lowDelay: OPUS_AUTO
        }
    }
}

extension AudioError {
    /// A refusal of libopus, in its own words.
    static func codec(_ attempted: String, _ status: Int32) -> AudioError {
        AudioError(.codec(status), "libopus could not \(attempted): \(String(cString: opus_strerror(status))).")
    }
}
