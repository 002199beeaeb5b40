internal import CLAME

/// Encodes stereo float PCM at 48 kHz into MP3 of a constant bitrate.
///
/// Each frame stands for itself (no bit reservoir), so that a listener may begin with any. Confined to its owner (not
/// Sendable). A second of sound costs some 15 ms of CPU.
///
/// Source: lame.h; ISO/IEC 11172-3 §2.4.
public final class MP3Encoder {
    /// Samples of one frame.
    public static let frameSamples = 1152
    /// Bitrates that it takes, kb/s.
    public static let bitrates = [64, 96, 128, 160, 192, 256, 320]
    /// Samples by which decoded sound lags the samples that were encoded: LAME's 576, and a decoder's 529.
    public static let delay = 576 + 529

    /// Bytes of every frame: at 48 kHz none is padded.
    public let frameBytes: Int

    private let lame: OpaquePointer
    private var buffer: [UInt8]

    /// - Parameter bitrate: One of `bitrates`, kb/s.
    /// - Throws: `.unsupported` for another bitrate, or if LAME refuses.
    public init(bitrate: Int) throws(AudioError) {
        guard Self.bitrates.contains(bitrate) else {
            throw .unsupported("An MP3 bitrate is one of \(Self.bitrates); \(bitrate) is not.")
        }
        guard let lame = lame_init() else { throw .unsupported("LAME could not be started.") }
        lame_set_in_samplerate(lame, 48_000)
        lame_set_out_samplerate(lame, 48_000)
        lame_set_num_channels(lame, 2)
        lame_set_mode(lame, JOINT_STEREO)
        lame_set_brate(lame, Int32(bitrate))
        lame_set_VBR(lame, vbr_off)
        lame_set_disable_reservoir(lame, 1)
        lame_set_bWriteVbrTag(lame, 0)
        lame_set_quality(lame, 5)
        guard lame_init_params(lame) >= 0 else {
            lame_close(lame)
            throw .unsupported("LAME refuses \(bitrate) kb/s.")
        }
        self.lame = lame
        frameBytes = bitrate * 3
        // The worst case of lame.h: 1.25 × samples + 7200.
        buffer = [UInt8](repeating: 0, count: 5_760 * 5 / 4 + 7_200)
    }

    deinit { lame_close(lame) }

    /// Encodes some sound.
    ///
    /// - Parameter pcm: Left and right in turn, full scale ±1, at most 5760 samples of each. What is louder is clipped.
    /// - Returns: The frames that became complete; often none.
    /// - Throws: `.unsupported` if LAME fails.
    public func encode(_ pcm: [Float]) throws(AudioError) -> [UInt8] {
        precondition(pcm.count <= 2 * 5_760, "At most 120 ms are encoded at a time.")
        let count = lame_encode_buffer_interleaved_ieee_float(
            lame, pcm, Int32(pcm.count / 2), &buffer, Int32(buffer.count))
        guard count >= 0 else { throw .unsupported("LAME failed with \(count).") }
        return Array(buffer.prefix(Int(count)))
    }
}
