internal import SonaAudio

/// A WAV file that grows as it is played, and can be played itself at any time: also if its program is killed.
package final class WAVRecording {
    private let file: RecordingFile
    private var header = WAVHeader(channels: 2)
    /// Bytes of samples written.
    package private(set) var dataBytes = 0
    private var toldBytes = 0

    /// The header is put right this often, bytes: half a second.
    private static let tellBytes = 96_000

    package init(_ file: RecordingFile) { self.file = file }

    package var isBegun: Bool { dataBytes > 0 }
    /// Whether it goes to somebody who is listening: missed sound is then not replaced by silence.
    package var isStream: Bool { !file.isSeekable }

    /// Appends interleaved stereo.
    ///
    /// - Parameters:
    ///   - firstSample: Server time of the file's first sample, µs; noted in the file when it begins.
    ///   - isEnding: Asked while a pipe takes no more: whether what is left of it is not to be waited for.
    package func append(
        _ samples: some Collection<Float>, firstSample: Int64, unless isEnding: () -> Bool = { false }
    ) throws(RecordingError) {
        guard !samples.isEmpty else { return }
        if dataBytes == 0 {
            header.comment = "first_sample_server_us=\(firstSample)"
            try file.append(header.bytes(dataBytes: file.isSeekable ? 0 : nil), unless: isEnding)
        }
        try file.append(PCM16.bytes(samples), unless: isEnding)
        dataBytes += samples.count * 2
        if dataBytes - toldBytes >= Self.tellBytes { try tell() }
    }

    /// Appends silence for frames that were not played.
    package func appendSilence(frames: Int, firstSample: Int64) throws(RecordingError) {
        var left = frames
        while left > 0 {
            let count = min(left, 48_000)
            try append([Float](repeating: 0, count: 2 * count), firstSample: firstSample)
            left -= count
        }
    }

    private func tell() throws(RecordingError) {
        guard file.isSeekable else { return }
        try file.replaceBeginning(with: header.bytes(dataBytes: dataBytes))
        toldBytes = dataBytes
    }

    package func finish() throws(RecordingError) {
        if dataBytes > 0 { try tell() }
        file.finish()
    }
}
