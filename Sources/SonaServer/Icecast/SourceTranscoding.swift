internal import Glibc
internal import SonaAudio
internal import SonaBase
internal import SonaSandbox

/// Makes Ogg Opus of what a source sends, by an ffmpeg that has limited itself (`LimitedProgram`).
///
/// What is written goes into a pipe; what comes out is taken on a thread of its own, until the pipe is closed.
final class SourceTranscoding: Sendable {
    /// What a source sends, by its first bytes.
    enum Kind: Equatable, Sendable {
        /// Played as it is.
        case opus
        /// The demuxer of ffmpeg that reads it.
        case other(String)

        static let headBytes = 64

        /// - Parameter contentType: What the source says it is, for what its bytes do not say.
        /// - Returns: `nil` for what cannot be played.
        init?(_ head: [UInt8], contentType: String?) {
            let type = contentType?.lowercased() ?? ""
            if head.starts(with: "OggS".utf8) {
                let isOpus = head.count >= 47 && head[28..<36].elementsEqual("OpusHead".utf8)
                // Mapping family 0 with one or two channels.
                self = isOpus && head[46] == 0 && 1...2 ~= head[37] ? .opus : .other("ogg")
            } else if head.starts(with: "fLaC".utf8) {
                self = .other("flac")
            } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
                self = .other("matroska")
            } else if head.starts(with: "ID3".utf8) {
                self = .other(type.contains("aac") ? "aac" : "mp3")
            } else if head.count > 1, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 {
                self = .other("aac")
            } else if head.count > 1, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 {
                self = .other("mp3")
            } else if type.hasPrefix("audio/mpeg") || type.hasPrefix("audio/mp3") {
                self = .other("mp3")
            } else if type.hasPrefix("audio/aac") {
                self = .other("aac")
            } else {
                return nil
            }
        }
    }

    private let input: Int32
    private let stop = StopFlag()
    private let ended = Monitor(false)

    /// - Parameters:
    ///   - bitrate: kb/s.
    ///   - output: Called with what ffmpeg makes, on its own thread; throws to end it.
    /// - Returns: `nil` if ffmpeg is not installed, or could not be started.
    init?(_ demuxer: String, bitrate: Int, output: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void) {
        guard let path = LimitedProgram.find("ffmpeg") else { return nil }
        var program = LimitedProgram(path: path)
        // A broadcast may go on for days.
        program.timeMax = .seconds(30 * 86_400)
        program.limits.processorSeconds = 7 * 86_400
        let arguments = [
            "-nostdin", "-hide_banner", "-nostats", "-v", "error", "-threads", "1", "-protocol_whitelist", "pipe",
            "-fflags", "+nobuffer", "-probesize", "32768", "-analyzeduration", "500000", "-f", demuxer, "-i", "pipe:3",
            "-map", "0:a:0", "-vn", "-sn", "-dn", "-af",
            "aresample=48000,aformat=sample_fmts=flt:channel_layouts=stereo|mono",
            "-c:a", "libopus", "-b:a", "\(bitrate)k", "-vbr", "on", "-frame_duration", "20", "-page_duration", "20000",
            "-flush_packets", "1", "-f", "ogg", "pipe:1",
        ]
        guard let (reading, writing) = Pipe.make() else { return nil }
        input = writing
        let (stop, ended) = (self.stop, self.ended)
        let hasStarted = WorkerThread.start("sona-source-out") { [program] in
            var isOver = false
            _ = try? program.run(
                arguments, input: nil, log: nil, more: reading, isCancelled: { stop.isSet },
                output: { bytes in
                    guard !isOver else { return }
                    do { try output(bytes) } catch {
                        isOver = true
                        stop.set()
                    }
                })
            close(reading)
            stop.set()
            ended.notify { $0 = true }
        }
        guard hasStarted else {
            close(reading)
            close(writing)
            return nil
        }
    }

    /// Whether nothing more is taken.
    var hasEnded: Bool { stop.isSet }

    /// - Returns: False if nothing more is taken.
    func write(_ bytes: [UInt8]) -> Bool {
        var offset = 0
        while offset < bytes.count {
            guard !stop.isSet else { return false }
            let count = bytes.withUnsafeBytes {
                Glibc.write(input, $0.baseAddress.map { $0 + offset }, min(4_096, $0.count - offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            offset += count
        }
        return true
    }

    /// Nothing more comes. Waits until all of it is made.
    func finish() {
        close(input)
        ended.wait { $0 ? () : nil }
    }
}
