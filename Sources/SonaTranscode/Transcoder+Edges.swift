internal import Glibc
internal import SonaAudio
internal import SonaSandbox

/// Tracks that run into each other, as those of an album do: each is encoded with the end of the one before and the beginning
/// of the one after it. Without them a cut through a sine is heard at −33 dBFS.
extension Transcoder {
    /// How much of a neighbour is encoded with a track: what a decoder needs to settle (RFC 7845 §4.6), samples at 48 kHz.
    public static let edgeSamples = 3_840

    /// The sound beside a track, at the rate and with the channels of the track: 32-bit floats, interleaved.
    public struct Edges: Sendable {
        /// Samples a second; channels, 1 or 2.
        public let (rate, channels): (Int, Int)
        /// The end of the track before; empty if there is none.
        public var before: [UInt8] = []
        /// The beginning of the track after it; empty if there is none.
        public var after: [UInt8] = []

        /// - Returns: `nil` for rates of which the time of an edge is no whole number of samples, and for more channels.
        public init?(rate: Int, channels: Int) {
            guard rate >= 8_000, rate % 25 == 0, 1...2 ~= channels else { return nil }
            (self.rate, self.channels) = (rate, channels)
        }

        /// Bytes of a whole edge.
        var bytes: Int { frames * channels * 4 }
        /// Samples of a whole edge, in each channel.
        var frames: Int { rate * Transcoder.edgeSamples / 48_000 }
    }

    /// Which end of a track.
    public enum End: Sendable { case beginning, end }

    /// Decodes an edge of a track. Blocks.
    ///
    /// - Parameters:
    ///   - input: A file open for reading. Stays the caller's.
    ///   - edges: The rate and the channels that are wanted.
    ///   - seconds: The length of the track; 0 if unknown.
    /// - Returns: Nothing if the track is shorter than an edge.
    public func edge(
        _ end: End, of input: Int32, for edges: Edges, seconds: Double, isCancelled: () -> Bool = { false }
    ) throws(TranscodeError) -> [UInt8] {
        guard let kind = Self.kind(of: input) else { throw .unknownKind }
        let log = try Self.logFile()
        defer { close(log) }
        let part =
            end == .beginning
            ? Excerpt(start: 0, length: 1) : seconds > 3 ? Excerpt(start: seconds - 2, length: 60) : nil
        var sound: [UInt8] = []
        let (bytes, layout) = (edges.bytes, edges.channels == 1 ? "mono" : "stereo")
        let ending: LimitedProgram.Ending
        do {
            ending = try program.run(
                Self.reading(kind, part) + [
                    "-map", "0:a:0", "-vn", "-sn", "-dn", "-af",
                    "aformat=sample_fmts=flt:sample_rates=\(edges.rate):channel_layouts=\(layout)", "-f", "f32le",
                    "pipe:1",
                ], input: input, log: log, isCancelled: isCancelled
            ) { piece in
                sound.append(contentsOf: piece)
                if sound.count > 64 * bytes {
                    if end == .beginning {
                        sound.removeLast(sound.count - bytes)
                    } else {
                        sound.removeFirst(sound.count - bytes)
                    }
                }
            }
        } catch {
            throw TranscodeError(.notStarted, error.description)
        }
        if case .failed(let fault) = ending { throw Self.error(Self.said(log), fault) }
        guard sound.count >= bytes else { return [] }
        return Array(end == .beginning ? sound.prefix(bytes) : sound.suffix(bytes))
    }

    /// Makes Ogg Opus of a track as `encode` does, with what is beside it.
    ///
    /// - Parameter grew: Called when something was written.
    public func encode(
        _ input: Int32, between edges: Edges, into output: Int32, bitrate: Int = 128,
        isCancelled: () -> Bool = { false }
    ) throws(TranscodeError) {
        guard let kind = Self.kind(of: input) else { throw .unknownKind }
        let log = try Self.logFile()
        defer { close(log) }
        let beside: Int32
        do { beside = try MemoryFile.make("sona-edges", edges.before + edges.after) } catch {
            throw TranscodeError(.notStarted, error.description)
        }
        defer { close(beside) }
        var cut = OggOpusCut(
            before: edges.before.isEmpty ? 0 : Self.edgeSamples, after: edges.after.isEmpty ? 0 : Self.edgeSamples)
        var failure: TranscodeError?
        func write(_ bytes: [UInt8]) {
            guard failure == nil, !bytes.isEmpty else { return }
            if let error = Self.write(bytes, to: output) { failure = error }
        }
        let ending: LimitedProgram.Ending
        do {
            ending = try program.run(
                Self.reading(kind) + [
                    "-f", "f32le", "-ar", "\(edges.rate)", "-ac", "\(edges.channels)", "-i", "pipe:3",
                    "-filter_complex",
                    Self.joining(edges), "-map", "[out]", "-map_metadata", "0", "-c:a", "libopus", "-b:a",
                    "\(bitrate)k",
                    "-vbr", "on", "-frame_duration", "20", "-f", "ogg", "pipe:1",
                ], input: input, log: log, more: beside, isCancelled: { failure != nil || isCancelled() }
            ) { piece in
                guard failure == nil else { return }
                do throws(AudioError) { write(try cut.take(piece)) } catch {
                    failure = TranscodeError(.failed, error.detail)
                }
            }
        } catch {
            throw TranscodeError(.notStarted, error.description)
        }
        if let failure { throw failure }
        if case .failed(let fault) = ending { throw Self.error(Self.said(log), fault) }
        do throws(AudioError) { write(try cut.finish()) } catch { throw TranscodeError(.failed, error.detail) }
        if let failure { throw failure }
    }

    /// One sound of the edge before, the track, and the edge after it, at the rate of the track: resampled apart from each
    /// other, each would end in silence.
    private static func joining(_ edges: Edges) -> String {
        let layout = edges.channels == 1 ? "mono" : "stereo"
        let form = "aformat=sample_fmts=flt:sample_rates=\(edges.rate):channel_layouts=\(layout)"
        var (filters, parts) = (["[0:a:0]\(form)[track]"], ["[track]"])
        let hasBoth = !edges.before.isEmpty && !edges.after.isEmpty
        let sources = hasBoth ? ["[one]", "[two]"] : ["[1:a:0]", "[1:a:0]"]
        if hasBoth { filters.append("[1:a:0]asplit[one][two]") }
        if !edges.before.isEmpty {
            filters.append("\(sources[0])atrim=end_sample=\(edges.frames),\(form)[before]")
            parts.insert("[before]", at: 0)
        }
        if !edges.after.isEmpty {
            let start = edges.before.isEmpty ? 0 : edges.frames
            filters.append("\(sources[1])atrim=start_sample=\(start),asetpts=PTS-STARTPTS,\(form)[after]")
            parts.append("[after]")
        }
        filters.append(
            parts.joined() + "concat=n=\(parts.count):v=0:a=1,asetpts=N/SR/TB,aresample=48000,"
                + "aformat=sample_fmts=flt:channel_layouts=stereo|mono[out]")
        return filters.joined(separator: ";")
    }

    private static func write(_ bytes: [UInt8], to output: Int32) -> TranscodeError? {
        var place = 0
        while place < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { Glibc.write(output, $0 + place, buffer.count - place) } ?? 0
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                return TranscodeError(.failed, "could not be written (\(String(cString: strerror(errno))))")
            }
            place += count
        }
        return nil
    }
}
