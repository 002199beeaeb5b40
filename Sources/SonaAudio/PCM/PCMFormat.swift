/// How uncompressed sound lies in bytes: interleaved samples, little-endian, frame after frame.
public struct PCMFormat: Sendable, Hashable {
    /// The form of one sample.
    public enum Sample: String, Sendable, CaseIterable {
        /// Signed integers of 2, 3 and 4 bytes.
        case s16le, s24le, s32le
        /// IEEE 754 single precision, full scale ±1.
        case f32le

        /// Bytes of one sample of one channel: 2, 3 or 4.
        public var bytes: Int {
            switch self {
            case .s16le: 2
            case .s24le: 3
            case .s32le, .f32le: 4
            }
        }
    }

    /// How one sample is stored.
    public let sample: Sample
    /// Frames a second.
    public let rate: Int
    /// Interleaved channels in a frame, 1 to 8.
    public let channels: Int

    /// Rates that `init` takes, frames a second.
    public static let ratesAllowed = 8_000...192_000
    /// Numbers of channels that `init` takes.
    public static let channelsAllowed = 1...8

    /// - Throws: `.unsupported` if `rate` or `channels` is outside the allowed range.
    public init(sample: Sample, rate: Int, channels: Int) throws(AudioError) {
        guard Self.ratesAllowed.contains(rate) else {
            throw .unsupported("Sound is taken at 8000 to 192000 samples a second, not at \(rate).")
        }
        guard Self.channelsAllowed.contains(channels) else {
            throw .unsupported("Sound is taken with 1 to 8 channels, not with \(channels).")
        }
        self.sample = sample
        self.rate = rate
        self.channels = channels
    }

    /// Bytes of one frame: one sample of each channel.
    public var frameBytes: Int { sample.bytes * channels }
    /// Bytes of one second of sound.
    public var bytesPerSecond: Int { frameBytes * rate }

    /// Samples as floats, full scale ±1.
    ///
    /// - Parameter bytes: Whole samples; bytes left over at the end are passed over.
    public func floats(_ bytes: some RandomAccessCollection<UInt8>) -> [Float] {
        var floats: [Float] = []
        floats.reserveCapacity(bytes.count / sample.bytes)
        var place = bytes.startIndex
        while bytes.distance(from: place, to: bytes.endIndex) >= sample.bytes {
            var word: UInt32 = 0
            for shift in 0..<sample.bytes {
                word |= UInt32(bytes[place]) << (8 * shift)
                place = bytes.index(after: place)
            }
            floats.append(float(word))
        }
        return floats
    }

    private func float(_ word: UInt32) -> Float {
        switch sample {
        case .s16le: Float(Int16(bitPattern: UInt16(word))) / 32_768
        case .s24le: Float(Int32(bitPattern: word << 8)) / 2_147_483_648
        case .s32le: Float(Int32(bitPattern: word)) / 2_147_483_648
        case .f32le: Float(bitPattern: word)
        }
    }
}
