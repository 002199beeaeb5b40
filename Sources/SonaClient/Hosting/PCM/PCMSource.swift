package import SonaAudio
internal import SonaEventLoop

/// Uncompressed sound that comes from somewhere, as 48 kHz of one or two channels.
///
/// Sound is pulled, not pushed: frames that nobody asks for stay at their origin. Confined to its owner.
package final class PCMSource {
    /// The latest moment at which a sample can have been captured: the moment at which it was read.
    struct Stamp: Equatable {
        /// Frames at 48 kHz from the source's first up to the end of what was read.
        var frames: Int64
        /// Time of reading by this machine's clock, µs.
        var readAt: Int64
    }

    private let input: PCMInput
    private var reader: WAVReader?
    private var format: PCMFormat?
    private var mix = ChannelMix(channels: 2)
    private var resampler: Resampler?
    /// Bytes of a frame that has not come whole.
    private var remainder: [UInt8] = []
    private var framesRead: Int64 = 0
    private var isFinished = false
    /// Interleaved; those before `head` have been taken.
    private var samples: [Float] = []
    private var head = 0

    /// Frames that have been taken or dropped.
    private(set) var framesTaken: Int64 = 0
    /// A WAV that said it was longer.
    package private(set) var isCutOff = false

    /// - Parameters:
    ///   - descriptor: The file descriptor to read from; stays open.
    ///   - format: The format of raw samples; nil for a WAV.
    package init(descriptor: Int32, format: PCMFormat?) throws(AudioError) {
        input = PCMInput(descriptor: descriptor)
        if let format { try begin(format) } else { reader = WAVReader() }
        input.start()
    }

    private func begin(_ format: PCMFormat) throws(AudioError) {
        self.format = format
        mix = ChannelMix(channels: format.channels)
        resampler = try Resampler(rate: format.rate, channels: mix.mixedChannels)
        // A quarter of a second is what a pipe holds of the usual.
        input.hold(bytes: max(32 * 1024, format.bytesPerSecond / 4))
    }

    /// 1 or 2; meaningful once `isKnown`.
    var channels: Int { mix.mixedChannels }
    /// The format is known.
    var isKnown: Bool { format != nil }
    /// Frames that can be taken.
    var frames: Int { (samples.count - head) / channels }
    /// All there is can be taken now.
    var isOver: Bool { isFinished }

    /// Takes in what has come.
    ///
    /// - Returns: When each piece of it was read.
    /// - Throws: The errors of `WAVReader`; `.io` if it cannot be read; `.empty` if nothing ever came.
    @discardableResult
    func pull() throws(AudioError) -> [Stamp] {
        guard !isFinished else { return [] }
        let (pieces, end) = input.take()
        var stamps: [Stamp] = []
        for piece in pieces {
            try take(piece.bytes)
            guard let format else { continue }
            stamps.append(Stamp(frames: framesRead * 48_000 / Int64(format.rate), readAt: piece.readAt))
        }
        if case .failed(let number) = end {
            throw AudioError(.io(errno: number), "Standard input cannot be read (error \(number)).")
        }
        if end == .over || reader?.isOver == true { try finish() }
        return stamps
    }

    private func take(_ bytes: [UInt8]) throws(AudioError) {
        var sound = bytes
        if reader != nil {
            sound = try reader?.take(bytes) ?? []
            if format == nil, let format = reader?.format { try begin(format) }
        }
        guard let format, !sound.isEmpty else { return }
        if !remainder.isEmpty { sound = remainder + sound }
        let whole = sound.count - sound.count % format.frameBytes
        remainder = Array(sound[whole...])
        framesRead += Int64(whole / format.frameBytes)
        let mixed = mix.mix(format.floats(sound[..<whole]))
        samples += try resampler?.resample(mixed) ?? []
    }

    private func finish() throws(AudioError) {
        isFinished = true
        try reader?.finish()
        samples += try resampler?.finish() ?? []
        isCutOff = reader?.bytesToCome.map { $0 > 0 } ?? false
        guard framesRead > 0 else { throw AudioError(.empty, "There is no sound in it.") }
    }

    /// Takes frames away; silence makes up for what is not there.
    func take(frames count: Int) -> [Float] {
        let end = min(head + count * channels, samples.count)
        var taken = Array(samples[head..<end])
        framesTaken += Int64((end - head) / channels)
        head = end
        if head >= 65_536 || head == samples.count {
            samples.removeFirst(head)
            head = 0
        }
        taken += repeatElement(0, count: count * channels - taken.count)
        return taken
    }

    func drop(frames count: Int) { _ = take(frames: min(count, frames)) }

    func dropAll() { drop(frames: frames) }
}
