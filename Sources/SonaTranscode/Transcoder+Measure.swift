internal import Glibc
internal import SonaSandbox

/// The outline of a sound, for the bar by which people find a place in it.
extension Transcoder {
    /// Peaks of every track.
    public static let peakCount = 1000

    /// Everything that one pass of decoding finds out about a track.
    public struct Measures: Sendable, Equatable {
        public var loudness: Loudness
        /// The loudest sample of each thousandth of the track, in any channel: 0 to 255, which is full scale.
        public var peaks: [UInt8]

        public init(loudness: Loudness, peaks: [UInt8]) {
            self.loudness = loudness
            self.peaks = peaks
        }
    }

    /// Decodes the first sound stream of a file and measures it. Nothing is encoded or written. Blocks.
    ///
    /// - Parameters:
    ///   - input: A file open for reading. Stays the caller's.
    ///   - isCancelled: Asked four times a second.
    public func measure(
        _ input: Int32, isCancelled: () -> Bool = { false }
    ) throws(TranscodeError) -> Measures {
        guard let kind = Self.kind(of: input) else { throw .unknownKind }
        let log = try Self.logFile()
        defer { close(log) }
        var gathering = PeakGathering()
        let ending: LimitedProgram.Ending
        do {
            ending = try program.run(
                Self.reading(kind) + [
                    "-map", "0:a:0", "-vn", "-sn", "-dn",
                    "-af",
                    "aformat=channel_layouts=stereo|mono,ebur128=peak=true:framelog=verbose,"
                        + "aformat=sample_fmts=s16:channel_layouts=stereo|mono",
                    "-f", "s16le", "pipe:1",
                ], input: input, log: log, isCancelled: isCancelled
            ) { gathering.take($0) }
        } catch {
            throw TranscodeError(.notStarted, error.description)
        }
        let said = Self.said(log)
        if case .failed(let fault) = ending { throw Self.error(said, fault) }
        guard gathering.valueCount > 0, let loudness = Self.loudness(said) else {
            throw TranscodeError(.failed, "has no sound in it")
        }
        return Measures(loudness: loudness, peaks: gathering.peaks(Self.peakCount))
    }
}
