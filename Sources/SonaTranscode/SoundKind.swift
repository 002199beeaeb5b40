/// The kind of a sound file, by its first bytes and never by its name. Each is read by one demuxer of ffmpeg, so that a
/// playlist or a list of parts, which names other files and addresses, is read as none.
public enum SoundKind: String, Sendable, CaseIterable {
    case mp3, flac, ogg, wav, aiff, wavPack, ape, asf, mp4, aac, matroska, caf, dsf, tta, musepack, au

    /// Bytes that are enough to tell, unless an ID3 tag stands before the sound.
    public static let headBytes = 4096

    /// - Parameters:
    ///   - head: The first bytes of the file, `headBytes` or all there are.
    ///   - afterTag: Reads bytes from another place of the file, for what stands after an ID3 tag: place and count.
    /// - Returns: `nil` if it is no kind that is known.
    public init?(_ head: [UInt8], afterTag: (Int, Int) -> [UInt8] = { _, _ in [] }) {
        guard let length = Self.tagLength(head) else {
            guard let kind = Self.kind(head) else { return nil }
            self = kind
            return
        }
        let rest = length < head.count ? Array(head[length...]) : afterTag(length, Self.headBytes)
        // What follows a tag and is nothing else is MP3: some padding, or a frame that is damaged.
        self = Self.kind(rest) ?? .mp3
    }

    /// The name of ffmpeg's demuxer.
    public var demuxer: String {
        switch self {
        case .mp3: "mp3"
        case .flac: "flac"
        case .ogg: "ogg"
        case .wav: "wav"
        case .aiff: "aiff"
        case .wavPack: "wv"
        case .ape: "ape"
        case .asf: "asf"
        case .mp4: "mov"
        case .aac: "aac"
        case .matroska: "matroska"
        case .caf: "caf"
        case .dsf: "dsf"
        case .tta: "tta"
        case .musepack: "mpc8"
        case .au: "au"
        }
    }

    /// Bytes of an ID3v2 tag with its head; `nil` if there is none (id3.org, "ID3v2.4.0 Main Structure", 3.1).
    private static func tagLength(_ head: [UInt8]) -> Int? {
        guard head.count >= 10, head.starts(with: Array("ID3".utf8)), head[6..<10].allSatisfy({ $0 < 0x80 })
        else { return nil }
        let footer = head[5] & 0x10 != 0 ? 10 : 0
        return 10 + footer + head[6..<10].reduce(0) { $0 << 7 | Int($1) }
    }

    private static func kind(_ head: [UInt8]) -> Self? {
        func has(_ text: String, at place: Int = 0) -> Bool { head.dropFirst(place).starts(with: Array(text.utf8)) }
        if has("fLaC") { return .flac }
        if has("OggS") { return .ogg }
        if (has("RIFF") || has("RF64")) && has("WAVE", at: 8) { return .wav }
        if has("FORM") && (has("AIFF", at: 8) || has("AIFC", at: 8)) { return .aiff }
        if has("wvpk") { return .wavPack }
        if has("MAC ") { return .ape }
        if head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return .asf }
        if has("ftyp", at: 4) { return .mp4 }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .matroska }
        if has("caff") { return .caf }
        if has("DSD ") { return .dsf }
        if has("TTA1") { return .tta }
        if has("MPCK") { return .musepack }
        if has(".snd") { return .au }
        guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
        // Layer 0 is ADTS (ISO/IEC 13818-7, 6.2); the others are MPEG audio, whose version 1 and bit rate 15 are
        // reserved (ISO/IEC 11172-3, 2.4.2.3).
        if head[1] & 0xF6 == 0xF0 { return .aac }
        guard head[1] & 0x06 != 0, head[1] & 0x18 != 0x08, head[2] & 0xF0 != 0xF0, head[2] & 0x0C != 0x0C
        else { return nil }
        return .mp3
    }
}
