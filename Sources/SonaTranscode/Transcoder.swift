internal import Glibc
public import SonaSandbox

/// Sound of any kind made into Ogg Opus by ffmpeg, which runs limited (`LimitedProgram`).
///
///     let transcoder = try Transcoder()
///     let report = try transcoder.encode(song, into: file, bitrate: 128)
public struct Transcoder: Sendable {
    /// ffmpeg and its limits. Four minutes of stereo take 2.1 s of a core; the limit is enough for 19 hours.
    public var program: LimitedProgram

    /// - Throws: `noProgram` if ffmpeg isn't installed.
    public init() throws(TranscodeError) {
        guard let path = LimitedProgram.find("ffmpeg") else {
            throw TranscodeError(.noProgram, "ffmpeg isn't installed (Debian: ffmpeg)")
        }
        program = LimitedProgram(path: path)
    }

    /// The loudness of a whole track (EBU R 128, ITU-R BS.1770-4).
    public struct Loudness: Sendable, Equatable {
        /// Integrated, LUFS; −70 for silence.
        public var integrated: Double
        /// True peak, dBTP; `-.infinity` for silence.
        public var truePeak: Double

        public init(integrated: Double, truePeak: Double) {
            self.integrated = integrated
            self.truePeak = truePeak
        }
    }

    /// The kind of an open file. Reads its first bytes, and those after an ID3 tag.
    public static func kind(of file: Int32) -> SoundKind? {
        func bytes(_ place: Int, _ count: Int) -> [UInt8] { MemoryFile.read(file, from: place, bytesMax: count) }
        return SoundKind(bytes(0, SoundKind.headBytes), afterTag: bytes)
    }

    /// A part of a track that is made into a file of its own.
    public struct Excerpt: Sendable, Equatable {
        /// Both in seconds.
        public var start: Double
        public var length: Double
        /// How long the sound takes to come in and to go out, seconds.
        public var fade: Double

        public init(start: Double, length: Double, fade: Double = 0) {
            self.start = start
            self.length = length
            self.fade = fade
        }
    }

    /// Makes Ogg Opus of the first sound stream of a file: 48 kHz, packets of 20 ms, mono if it is, else stereo, with
    /// its tags unless it is an excerpt. Blocks: on a thread for that.
    ///
    /// - Parameters:
    ///   - input: A file open for reading. Stays the caller's.
    ///   - output: A file open for writing, empty. Holds an unusable part after an error.
    ///   - bitrate: kb/s, 6 to 256 a channel.
    ///   - excerpt: A part of the track; all of it if `nil`.
    ///   - measures: Whether the loudness is measured on the way, which takes a quarter of the time.
    ///   - isCancelled: Asked four times a second.
    /// - Returns: `nil` where the loudness is not measured, or ffmpeg did not tell it.
    @discardableResult
    public func encode(
        _ input: Int32, into output: Int32, bitrate: Int = 128, excerpt: Excerpt? = nil, measures: Bool = true,
        isCancelled: () -> Bool = { false }
    ) throws(TranscodeError) -> Loudness? {
        guard let kind = Self.kind(of: input) else { throw .unknownKind }
        let log = try Self.logFile()
        defer { close(log) }
        let ending: LimitedProgram.Ending
        do {
            ending = try program.run(
                Self.reading(kind, excerpt) + [
                    "-map", "0:a:0", "-map_metadata", excerpt == nil ? "0" : "-1", "-vn", "-sn", "-dn",
                    "-af", Self.filters(excerpt, measures: measures), "-c:a", "libopus", "-b:a", "\(bitrate)k", "-vbr",
                    "on", "-frame_duration",
                    "20",
                    "-f", "ogg", "pipe:1",
                ], input: input, output: output, log: log, isCancelled: isCancelled)
        } catch {
            throw TranscodeError(.notStarted, error.description)
        }
        let said = Self.said(log)
        if case .failed(let fault) = ending { throw Self.error(said, fault) }
        return measures ? Self.loudness(said) : nil
    }

    /// The error of a run that failed: words of ffmpeg, if it ended by itself.
    static func error(_ said: String, _ fault: String) -> TranscodeError {
        if fault == LimitedProgram.cancelledFault { return TranscodeError(.cancelled, fault) }
        return TranscodeError(.failed, reason(said) ?? fault)
    }

    /// Measures at the rate of the original, then brings it to that of Opus. The layouts stand at both ends, since ffmpeg
    /// 5.1 finds none for six channels otherwise.
    private static func filters(_ excerpt: Excerpt?, measures: Bool) -> String {
        var filters = ["aformat=channel_layouts=stereo|mono"]
        if measures { filters.append("ebur128=peak=true:framelog=verbose") }
        if let excerpt, excerpt.fade > 0 {
            let end = max(0, excerpt.length - excerpt.fade)
            filters += ["afade=t=in:st=0:d=\(excerpt.fade)", "afade=t=out:st=\(end):d=\(excerpt.fade)"]
        }
        return (filters + ["aresample=48000", "aformat=sample_fmts=flt:channel_layouts=stereo|mono"])
            .joined(separator: ",")
    }

    /// How ffmpeg reads descriptor 0, and nothing but it: one demuxer, one protocol, no question to the terminal.
    static func reading(_ kind: SoundKind, _ excerpt: Excerpt? = nil) -> [String] {
        let part = excerpt.map { ["-ss", "\($0.start)", "-t", "\($0.length)"] } ?? []
        return [
            "-nostdin", "-hide_banner", "-nostats", "-v", "info", "-threads", "1", "-protocol_whitelist", "file,pipe",
            "-f", kind.demuxer,
        ] + part + ["-i", "file:/proc/self/fd/0"]
    }

    static func logFile() throws(TranscodeError) -> Int32 {
        do { return try MemoryFile.make("sona-ffmpeg-log") } catch {
            throw TranscodeError(.notStarted, error.description)
        }
    }

    /// The end of what ffmpeg said, where its summary and its last words are.
    static func said(_ log: Int32) -> String {
        let size = Int(lseek(log, 0, SEEK_END))
        let bytes = MemoryFile.read(log, from: max(0, size - 16_384), bytesMax: 16_384)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The last line that says something, without the name of the input.
    static func reason(_ said: String) -> String? {
        let lines = said.split(whereSeparator: \.isNewline).map { line in
            line.replacing("file:/proc/self/fd/0: ", with: "").filter { !$0.isASCII || $0 >= " " }
        }
        guard let line = lines.last(where: { !$0.isEmpty && !$0.hasPrefix("Conversion failed") }) else { return nil }
        return "could not be read (\(line.prefix(200)))"
    }

    /// The summary of the filter `ebur128`, which stands last.
    static func loudness(_ said: String) -> Loudness? {
        guard let summary = said.ranges(of: "Summary:").last.map({ said[$0.upperBound...] }) else { return nil }
        func number(_ name: String) -> Double? {
            guard let start = summary.firstRange(of: name)?.upperBound else { return nil }
            let word = summary[start...].split(whereSeparator: \.isWhitespace).first
            return word == "-inf" ? -.infinity : word.flatMap { Double($0) }
        }
        guard let integrated = number("I:"), let peak = number("Peak:") else { return nil }
        return Loudness(integrated: max(-70, integrated), truePeak: peak)
    }
}

/// Why a file could not be made into another.
public struct TranscodeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure, which a caller treats differently.
    public enum Code: Sendable, Equatable {
        /// ffmpeg isn't installed.
        case noProgram
        /// It could not be started just now. The file may be fine.
        case notStarted
        /// The file is of no kind that is known here.
        case unsupported
        /// ffmpeg refused the file, broke over it, or reached a limit.
        case failed
        /// The caller did not want it any more.
        case cancelled
    }

    public let code: Code
    /// The failure, as the rest of a sentence whose subject is the file, or ffmpeg for the first two codes.
    public let description: String

    static let unknownKind = TranscodeError(.unsupported, "is no sound file of a known kind")

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
