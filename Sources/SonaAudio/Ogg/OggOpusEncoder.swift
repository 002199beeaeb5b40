/// Encodes sound into an Ogg Opus file: PCM in, bytes to append out, as long as the sound is and not a sample longer.
///
/// The encoder's delay is skipped at the beginning (pre-skip) and the last packet is trimmed at the end (the granule
/// position of the last page), so that a player hears exactly the samples that came in.
///
/// Confined to its owner (not Sendable). Encoding takes most of the time: see `OpusEncoder`.
///
///     let encoder = try OggOpusEncoder(channels: 2, bitrate: 96_000, tags: tags, serial: 1)
///     var bytes = encoder.headerPages()
///     for piece in pieces { bytes += try encoder.encode(piece) }
///     bytes += try encoder.finish()
///
/// Source: RFC 7845 §4.2 (pre-skip), §4.4 (end trimming).
public final class OggOpusEncoder {
    private let encoder: OpusEncoder
    private var writer: OggOpusWriter
    /// Interleaved samples that do not fill a packet yet.
    private var waiting: [Float] = []
    /// The last packet. It is held back, since it is shortened if nothing follows it.
    private var last: [UInt8]?
    /// Samples per channel that came in.
    private var samplesIn = 0
    /// Samples per channel of the packets that went to the writer.
    private var samplesOut = 0
    private var isFinished = false

    /// - Parameters:
    ///   - channels: 1 or 2.
    ///   - bitrate: Bits per second, 500…512000, on average.
    ///   - complexity: 0 (least CPU) … 10 (best).
    ///   - serial: Identifies the stream in its file.
    /// - Throws: `.unsupported` if a value is outside its range; `.codec` if libopus refuses.
    public init(
        channels: Int, bitrate: Int, complexity: Int = 10, tags: OpusTags, serial: UInt32
    ) throws(AudioError) {
        encoder = try OpusEncoder(
            channels: channels, application: .audio, bitrate: bitrate, frameSamples: 960, complexity: complexity)
        let head = OpusHead(channels: channels, preSkip: encoder.lookahead)
        writer = OggOpusWriter(head: head, tags: tags, serial: serial)
    }

    /// The pages of OpusHead and OpusTags. They come first in the file.
    public func headerPages() -> [UInt8] { writer.headerPages() }

    /// Takes the next samples, as many as you like.
    ///
    /// - Parameter pcm: Interleaved floats at 48 kHz, full scale ±1, whole frames.
    /// - Returns: The pages that became complete; often none.
    /// - Throws: `.unsupported` if `pcm` ends within a frame; `.codec` if libopus fails.
    public func encode(_ pcm: [Float]) throws(AudioError) -> [UInt8] {
        precondition(!isFinished, "Sound came after the stream was finished.")
        guard pcm.count.isMultiple(of: encoder.channels) else {
            throw .unsupported("\(pcm.count) floats are no whole number of frames of \(encoder.channels) channels.")
        }
        samplesIn += pcm.count / encoder.channels
        waiting += pcm
        return try encodeWaiting()
    }

    /// Ends the stream. Without any sound it has no packet. A second call returns nothing.
    ///
    /// - Throws: `.codec` if libopus fails.
    public func finish() throws(AudioError) -> [UInt8] {
        guard !isFinished else { return [] }
        isFinished = true
        guard samplesIn > 0 else { return writer.finish() }
        // The decoder gives the delay first, so the end of the sound comes as much later.
        let samples = samplesIn + encoder.lookahead
        let packets = (samples + encoder.frameSamples - 1) / encoder.frameSamples
        let missing = packets * encoder.frameSamples - samplesIn
        waiting += [Float](repeating: 0, count: missing * encoder.channels)
        var pages = try encodeWaiting()
        if let last { pages += try writer.write(packet: last, samples: samples - samplesOut, flush: false) }
        return pages + writer.finish()
    }

    private func encodeWaiting() throws(AudioError) -> [UInt8] {
        let size = encoder.frameSamples * encoder.channels
        var pages: [UInt8] = []
        var start = 0
        while waiting.count - start >= size {
            let packet = try encoder.encode(Array(waiting[start..<start + size]))
            start += size
            if let last {
                pages += try writer.write(packet: last, samples: encoder.frameSamples, flush: false)
                samplesOut += encoder.frameSamples
            }
            last = packet
        }
        waiting.removeFirst(start)
        return pages
    }
}
