/// Takes a WAV file apart as it comes, byte by byte if need be: the format first, then the sound in it.
///
/// Sizes in the header are heeded where they can be meant. Programs that write to a pipe cannot know them: 0,
/// 0xFFFFFFFF, and what leaves no room for the rest of the header below 2³¹ or 2³² (ffmpeg, sox, arecord) mean that the
/// sound goes on to the end of the input.
///
///     var reader = WAVReader()
///     for piece in input { play(try reader.take(piece)) }      // reader.format is there before the first sound
///
/// Source: Multimedia Programming Interface and Data Specifications 1.0, "RIFF" and "WAVE"; Microsoft,
/// "Multiple channel audio data and WAVE files" (WAVE_FORMAT_EXTENSIBLE).
public struct WAVReader: Sendable {
    /// Nil until the header has come.
    public private(set) var format: PCMFormat?
    /// Bytes of sound that the header promises and that have not come; nil where it does not say.
    public private(set) var bytesToCome: Int?
    /// All of the sound has come. What follows it in the file is passed over.
    public var isOver: Bool { bytesToCome == 0 }

    private enum Awaited { case riff, chunk, format(Int), sound }
    private var awaited = Awaited.riff
    private var waiting: [UInt8] = []
    private var bytesToSkip = 0
    private var headerBytes = 0

    /// More than this before the sound is no header, bytes.
    private static let headerBytesMax = 1 << 20
    private static let formatBytesMax = 128
    /// Programs that cannot know the size write this or more: 2³¹ less the space that they reserve for headers.
    private static let endless: UInt32 = 0x7FFF_0000

    /// A reader that waits for the first byte of a file.
    public init() {}

    /// Takes the next bytes of the file.
    ///
    /// - Returns: The bytes among them that are sound.
    /// - Throws: `.notWAV` if it is something else; `.badHeader` if the header is broken; `.unsupported` if the sound is
    ///   coded in a way that is not taken.
    public mutating func take(_ bytes: [UInt8]) throws(AudioError) -> [UInt8] {
        var rest = bytes[...]
        while !rest.isEmpty {
            if case .sound = awaited { return sound(rest) }
            if bytesToSkip > 0 {
                let count = min(bytesToSkip, rest.count)
                rest = rest.dropFirst(count)
                bytesToSkip -= count
                try countHeader(count)
                continue
            }
            let missing = wanted - waiting.count
            waiting += rest.prefix(missing)
            try countHeader(min(missing, rest.count))
            rest = rest.dropFirst(missing)
            guard waiting.count == wanted else { return [] }
            let head = waiting
            waiting = []
            try read(head)
        }
        return []
    }

    /// Says that the input is over.
    ///
    /// - Throws: `.empty` if nothing came; `.notWAV` or `.badHeader` if it ended within its header.
    public func finish() throws(AudioError) {
        if case .sound = awaited { return }
        if headerBytes == 0 { throw AudioError(.empty, "There is nothing in it.") }
        if case .riff = awaited { throw Self.notWAV }
        throw .badHeader("The WAV ends within its header.")
    }

    private static let notWAV = AudioError(.notWAV, "It is no WAV: it does not begin with RIFF … WAVE.")

    private mutating func countHeader(_ count: Int) throws(AudioError) {
        headerBytes += count
        guard headerBytes <= Self.headerBytesMax else {
            throw .badHeader("The WAV has no sound within its first \(Self.headerBytesMax) bytes.")
        }
    }

    private var wanted: Int {
        switch awaited {
        case .riff: 12
        case .chunk: 8
        case .format(let bytes): bytes
        case .sound: 0
        }
    }

    private mutating func read(_ head: [UInt8]) throws(AudioError) {
        switch awaited {
        case .riff:
            // RF64 and BW64 are the same with sizes elsewhere, which need not be known.
            guard [Array("RIFF".utf8), Array("RF64".utf8), Array("BW64".utf8)].contains(Array(head[..<4])),
                Array(head[8...]) == Array("WAVE".utf8)
            else { throw Self.notWAV }
            awaited = .chunk
        case .chunk: try beginChunk(Array(head[..<4]), size: Self.word(head, 4))
        case .format(let bytes):
            format = try Self.format(head)
            awaited = .chunk
            bytesToSkip = bytes & 1
        case .sound: break
        }
    }

    private mutating func beginChunk(_ name: [UInt8], size: UInt32) throws(AudioError) {
        switch name {
        case Array("fmt ".utf8):
            guard 16...UInt32(Self.formatBytesMax) ~= size else {
                throw .badHeader("The format in a WAV has 16 bytes or some more, not \(size).")
            }
            awaited = .format(Int(size))
        case Array("data".utf8):
            guard format != nil else { throw .badHeader("The WAV says nothing of its format before the sound.") }
            awaited = .sound
            bytesToCome = size == 0 || size >= Self.endless ? nil : Int(size)
        default: bytesToSkip = Int(size) + Int(size & 1)
        }
    }

    private mutating func sound(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard let bytesToCome else { return Array(bytes) }
        let taken = bytes.prefix(bytesToCome)
        self.bytesToCome = bytesToCome - taken.count
        return Array(taken)
    }

    private static func format(_ head: [UInt8]) throws(AudioError) -> PCMFormat {
        var code = half(head, 0)
        let (channels, rate, bits) = (Int(half(head, 2)), Int(word(head, 4)), Int(half(head, 14)))
        // The true code is at the front of an identifier that otherwise is always the same.
        if code == 0xFFFE, head.count >= 26 { code = half(head, 24) }
        let sample: PCMFormat.Sample
        switch (code, bits) {
        case (1, 16): sample = .s16le
        case (1, 24): sample = .s24le
        case (1, 32): sample = .s32le
        case (3, 32): sample = .f32le
        case (1, _), (3, _):
            throw .unsupported(
                "The WAV has \(code == 3 ? "floating-point samples" : "samples") of \(bits) bits; integers of 16, 24 "
                    + "or 32 and floats of 32 are taken.")
        default: throw .unsupported("The WAV is coded in a way that is not taken (code \(code)); uncompressed is.")
        }
        let format = try PCMFormat(sample: sample, rate: rate, channels: channels)
        guard Int(half(head, 12)) == format.frameBytes else {
            throw .badHeader("The WAV says that \(channels) samples of \(bits) bits have \(half(head, 12)) bytes.")
        }
        return format
    }

    private static func half(_ bytes: [UInt8], _ place: Int) -> UInt16 {
        UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
    }

    private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        UInt32(half(bytes, place)) | UInt32(half(bytes, place + 2)) << 16
    }
}
