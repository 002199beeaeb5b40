import CSoxr

/// Brings sound of any rate to 48 kHz, without its delay: the first sample out is the first sample in.
///
/// Confined to its owner (not Sendable); one resampler is one stream. Passband to 0.91 of the lower rate's half,
/// 120 dB down beyond it (libsoxr, "high quality"). At 48 kHz samples pass through as they are.
///
/// Source: soxr.h.
public final class Resampler {
    /// Rate of the samples that go in, frames a second.
    public let rate: Int
    /// Interleaved channels of the samples, the same before and after.
    public let channels: Int

    private let resampler: soxr_t?

    /// - Throws: `.codec` if libsoxr refuses.
    public init(rate: Int, channels: Int) throws(AudioError) {
        self.rate = rate
        self.channels = channels
        guard rate != 48_000 else {
            resampler = nil
            return
        }
        var failure: soxr_error_t?
        var quality = soxr_quality_spec(UInt(SOXR_20_BITQ), 0)
        resampler = soxr_create(Double(rate), 48_000, UInt32(channels), &failure, nil, &quality, nil)
        guard resampler != nil, failure == nil else {
            throw AudioError(
                .codec(-1), "libsoxr could not start: \(failure.map { String(cString: $0) } ?? "no reason").")
        }
    }

    deinit {
        if let resampler { soxr_delete(resampler) }
    }

    /// Takes some sound and returns the samples that are ready; a few milliseconds stay inside.
    ///
    /// - Parameter frames: Whole frames, interleaved.
    /// - Throws: `.codec` if libsoxr fails.
    public func resample(_ frames: [Float]) throws(AudioError) -> [Float] {
        guard resampler != nil else { return frames }
        var output: [Float] = []
        var done = 0
        while done < frames.count {
            let (taken, more) = try process(frames[done...])
            done += taken * channels
            output += more
            if taken == 0, more.isEmpty { break }
        }
        return output
    }

    /// Returns the samples left inside. Nothing can be resampled afterwards.
    ///
    /// - Throws: `.codec` if libsoxr fails.
    public func finish() throws(AudioError) -> [Float] {
        guard resampler != nil else { return [] }
        var output: [Float] = []
        while true {
            let more = try process(nil).output
            if more.isEmpty { return output }
            output += more
        }
    }

    private static let blockFrames = 4_096

    /// - Parameter input: nil at the end.
    private func process(_ input: ArraySlice<Float>?) throws(AudioError) -> (taken: Int, output: [Float]) {
        var (taken, made) = (0, 0)
        var failure: soxr_error_t?
        let channels = channels
        let output = [Float](unsafeUninitializedCapacity: Self.blockFrames * channels) { buffer, count in
            if let input {
                input.withUnsafeBufferPointer { input in
                    failure = soxr_process(
                        resampler, input.baseAddress, input.count / channels, &taken, buffer.baseAddress,
                        Self.blockFrames, &made)
                }
            } else {
                failure = soxr_process(resampler, nil, 0, nil, buffer.baseAddress, Self.blockFrames, &made)
            }
            count = made * channels
        }
        if let failure { throw AudioError(.codec(-1), "libsoxr failed: \(String(cString: failure)).") }
        return (taken, output)
    }
}
