/// The header before the samples of a WAV file: s16le at 48 kHz.
///
/// The header has the same length for every number of samples, so it can be written again as the file grows. A file
/// beyond 4 GiB becomes RF64: the space that its sizes need is reserved from the start.
///
/// ```
/// offset size  field
///      0   12  "RIFF", size of what follows, "WAVE"            RF64: "RF64", 0xFFFFFFFF, "WAVE"
///     12   36  "JUNK", 28, zeros                               RF64: "ds64", 28, sizes as u64
///     48   24  "fmt ", 16, PCM, channels, 48 000 Hz, 16 bit
///     72    …  "LIST" with the comment as INFO/ICMT, if there is one
///      …    8  "data", size                                    RF64: "data", 0xFFFFFFFF
/// ```
///
/// Source: Microsoft and IBM, "Multimedia Programming Interface and Data Specifications 1.0"; EBU Tech 3306 (RF64).
public struct WAVHeader: Sendable, Equatable {
    /// 1 or 2.
    public var channels: Int
    /// Kept in the file as INFO/ICMT; ASCII.
    public var comment: String?

    /// Frames a second in every file that has this header.
    public static let sampleRate = 48_000

    /// - Parameters:
    ///   - channels: 1 or 2.
    ///   - comment: ASCII, kept as INFO/ICMT; `nil` leaves the chunk out.
    public init(channels: Int, comment: String? = nil) {
        self.channels = channels
        self.comment = comment
    }

    /// The header of a file that holds so many bytes of samples.
    ///
    /// - Parameter dataBytes: nil for a stream whose end nobody knows: the sizes say 0xFFFFFFFF, which players take for
    ///   "until it ends".
    public func bytes(dataBytes: Int?) -> [UInt8] {
        let comment = commentChunk
        let lengthBefore = 4 + 36 + 24 + comment.count + 8
        let total = dataBytes.map { lengthBefore + $0 + $0 % 2 }
        let isLarge = total.map { $0 >= Int(UInt32.max) } ?? false
        let small = isLarge ? UInt32.max : nil

        var bytes: [UInt8] = []
        bytes += Array((isLarge ? "RF64" : "RIFF").utf8)
        bytes.append(littleEndian: small ?? total.map { UInt32($0) } ?? .max)
        bytes.append("WAVE")
        bytes += Array((isLarge ? "ds64" : "JUNK").utf8)
        bytes.append(littleEndian: UInt32(28))
        let frameBytes = channels * 2
        let sizes: [UInt64] =
            isLarge ? [UInt64(total ?? 0), UInt64(dataBytes ?? 0), UInt64((dataBytes ?? 0) / frameBytes)] : [0, 0, 0]
        for size in sizes { bytes.append(littleEndian: size) }
        bytes.append(littleEndian: UInt32(0))
        bytes.append("fmt ")
        bytes.append(littleEndian: UInt32(16))
        bytes.append(littleEndian: UInt16(1))
        bytes.append(littleEndian: UInt16(channels))
        bytes.append(littleEndian: UInt32(Self.sampleRate))
        bytes.append(littleEndian: UInt32(Self.sampleRate * frameBytes))
        bytes.append(littleEndian: UInt16(frameBytes))
        bytes.append(littleEndian: UInt16(16))
        bytes += comment
        bytes.append("data")
        bytes.append(littleEndian: small ?? dataBytes.map { UInt32($0) } ?? .max)
        return bytes
    }

    private var commentChunk: [UInt8] {
        guard let comment else { return [] }
        // Texts end with a zero, and chunks at even places.
        var text = Array(comment.utf8) + [0]
        if text.count % 2 == 1 { text.append(0) }
        var bytes = Array("LIST".utf8)
        bytes.append(littleEndian: UInt32(4 + 8 + text.count))
        bytes.append("INFOICMT")
        bytes.append(littleEndian: UInt32(text.count))
        return bytes + text
    }
}

/// Sixteen-bit samples out of floats.
public enum PCM16 {
    /// Rounded to the nearest step and held at full scale; NaN becomes silence. Without dither, so that silence is
    /// silence and equal sound is equal bytes.
    public static func bytes(_ samples: some Collection<Float>) -> [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(samples.count * 2)
        for sample in samples {
            let scaled = (sample * 32_768).rounded()
            let value = scaled.isNaN ? 0 : Int16(max(-32_768, min(32_767, scaled)))
            bytes.append(UInt8(truncatingIfNeeded: value))
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        }
        return bytes
    }
}
