internal import CTagLib
internal import Glibc
internal import SonaSandbox
public import SonaTranscode

/// What a music file says of itself.
public struct SoundTags: Sendable, Equatable {
    /// The kind, by its first bytes.
    public var kind: SoundKind
    /// Milliseconds; 0 if unknown.
    public var durationMilliseconds = 0
    /// kb/s; 0 if unknown.
    public var bitrate = 0
    /// Samples a second; 0 if unknown.
    public var sampleRate = 0
    /// 0 if unknown.
    public var channels = 0
    /// Whether a picture is embedded.
    public var hasPicture = false
    /// Values by TagLib's unified names in capitals ("ALBUMARTIST"), in their order in the file. A name may have
    /// several values. Untrusted text: line breaks and control characters are possible.
    public var values: [Value] = []

    /// A name and one of its values.
    public struct Value: Sendable, Equatable {
        public var name: String
        public var text: String

        public init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    /// The first value of a name.
    public subscript(name: String) -> String? { values.first { $0.name == name }?.text }

    public init(kind: SoundKind) { self.kind = kind }

    /// Takes the texts of the lyrics out, which are kept apart: the best first.
    public mutating func takeLyrics() -> [String] {
        let texts = Self.lyricsNames.flatMap { name in values.filter { $0.name == name }.map(\.text) }
        if !texts.isEmpty { values.removeAll { Self.lyricsNames.contains($0.name) } }
        return texts
    }
}

// MARK: - In the worker

extension SoundTags {
    /// The names that are kept. All others, among them what programs note for themselves, are dropped here.
    private static let names: Set<String> = [
        "TITLE", "TITLESORT", "ARTIST", "ARTISTS", "ARTISTSORT", "ALBUM", "ALBUMSORT", "ALBUMARTIST", "ALBUMARTISTS",
        "ALBUMARTISTSORT", "TRACKNUMBER", "TRACKTOTAL", "TOTALTRACKS", "DISCNUMBER", "DISCTOTAL", "TOTALDISCS",
        "DISCSUBTITLE", "DATE", "YEAR", "ORIGINALDATE", "GENRE", "COMPOSER", "COMMENT", "BPM", "COMPILATION", "ISRC",
        "LABEL", "COPYRIGHT", "CUESHEET", "MUSICBRAINZ_TRACKID", "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ_ARTISTID",
        "MUSICBRAINZ_ALBUMARTISTID", "MUSICBRAINZ_RELEASEGROUPID", "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK",
        "REPLAYGAIN_ALBUM_GAIN", "REPLAYGAIN_ALBUM_PEAK", "R128_TRACK_GAIN", "R128_ALBUM_GAIN",
        "LYRICS", "UNSYNCEDLYRICS", "SYNCEDLYRICS", "USLT",
    ]
    /// The words of the song, the best first. ffmpeg writes them into a text of the name USLT.
    private static let lyricsNames = ["SYNCEDLYRICS", "LYRICS", "UNSYNCEDLYRICS", "USLT"]
    /// Bytes of one value; and of a cue sheet, which names each track of an album, or of lyrics.
    static let (textBytesMax, cueSheetBytesMax) = (4096, 32_768)
    /// Bytes of all values of a file, with their names and lengths: an answer is one message.
    static let valuesBytesMax = 49_152
    /// The same of lyrics, which are counted apart.
    static let lyricsBytesMax = 65_536

    /// Reads a file that is open.
    ///
    /// - Returns: `nil` if it is no sound of a known kind, or TagLib finds it damaged.
    static func read(_ file: Int32) -> Self? {
        guard let kind = Transcoder.kind(of: file) else { return nil }
        var gathering = Gathering(tags: SoundTags(kind: kind))
        guard kind.hasTags else { return gathering.tags }
        var sound = sona_tags_sound()
        let result = withUnsafeMutablePointer(to: &gathering) { pointer in
            sona_tags_read(
                file, kind.rawValue, &sound,
                { context, name, text in
                    guard let context, let name, let text else { return }
                    context.assumingMemoryBound(to: Gathering.self).pointee.take(
                        String(cString: name), String(cString: text))
                }, pointer)
        }
        guard result == 0 else { return nil }
        gathering.tags.durationMilliseconds = max(0, Int(sound.duration_ms))
        gathering.tags.bitrate = max(0, Int(sound.bitrate_kbps))
        gathering.tags.sampleRate = max(0, Int(sound.sample_rate))
        gathering.tags.channels = max(0, Int(sound.channels))
        gathering.tags.hasPicture = sound.has_picture != 0
        return gathering.tags
    }

    private struct Gathering {
        var tags: SoundTags
        var bytes = 0
        var lyricsBytes = 0

        mutating func take(_ name: String, _ text: String) {
            var name = name.uppercased()
            // ID3v2 has lyrics by language and description.
            if name.hasPrefix("LYRICS:") { name = "LYRICS" }
            guard SoundTags.names.contains(name), !text.isEmpty else { return }
            let isLyrics = SoundTags.lyricsNames.contains(name)
            let most = name == "CUESHEET" || isLyrics ? SoundTags.cueSheetBytesMax : SoundTags.textBytesMax
            // A value that is too long is no title; half of it would be a wrong one.
            let size = name.utf8.count + text.utf8.count + 5
            guard text.utf8.count <= most else { return }
            if isLyrics {
                guard lyricsBytes + size <= SoundTags.lyricsBytesMax else { return }
                lyricsBytes += size
            } else {
                guard bytes + size <= SoundTags.valuesBytesMax else { return }
                bytes += size
            }
            tags.values.append(Value(name, text))
        }
    }
}

extension SoundKind {
    /// Whether TagLib 1.13 reads tags of it.
    public var hasTags: Bool {
        switch self {
        case .mp3, .flac, .ogg, .wav, .aiff, .wavPack, .ape, .asf, .mp4, .tta, .musepack: true
        case .aac, .matroska, .caf, .dsf, .au: false
        }
    }
}

// MARK: - Between worker and server

extension SoundTags {
    /// Layout, numbers big-endian: 1 byte index of the kind in `SoundKind.allCases`; 4 bytes each duration, bit rate,
    /// sample rate, channels; 1 byte whether there is a picture; then for each value 1 byte length of the name, the
    /// name, 4 bytes length of the text, the text.
    public var encoded: [UInt8] {
        var bytes = [UInt8(SoundKind.allCases.firstIndex(of: kind) ?? 0)]
        for number in [durationMilliseconds, bitrate, sampleRate, channels] {
            bytes += BigEndian.bytes(UInt32(clamping: number))
        }
        bytes.append(hasPicture ? 1 : 0)
        for value in values {
            bytes.append(UInt8(clamping: value.name.utf8.count))
            bytes += value.name.utf8
            bytes += BigEndian.bytes(UInt32(value.text.utf8.count))
            bytes += value.text.utf8
        }
        return bytes
    }

    /// - Returns: `nil` for what no worker of ours says. An attacker may control the worker, so names are looked up and
    ///   lengths are bounded.
    public init?(encoded bytes: [UInt8]) {
        var rest = bytes[...]
        guard let index = rest.popFirst(), SoundKind.allCases.indices.contains(Int(index)), rest.count >= 17
        else { return nil }
        self.init(kind: SoundKind.allCases[Int(index)])
        let numbers = (0..<4).map { BigEndian.number(rest.dropFirst(4 * $0).prefix(4)) }
        (durationMilliseconds, bitrate, sampleRate, channels) = (numbers[0], numbers[1], numbers[2], numbers[3])
        rest = rest.dropFirst(16)
        hasPicture = rest.popFirst() == 1
        while let nameBytes = rest.popFirst().map(Int.init) {
            guard rest.count >= nameBytes + 4,
                let name = String(validating: rest.prefix(nameBytes), as: UTF8.self), Self.names.contains(name)
            else { return nil }
            rest = rest.dropFirst(nameBytes)
            let textBytes = BigEndian.number(rest.prefix(4))
            rest = rest.dropFirst(4)
            guard textBytes <= Self.cueSheetBytesMax, rest.count >= textBytes,
                let text = String(validating: rest.prefix(textBytes), as: UTF8.self)
            else { return nil }
            rest = rest.dropFirst(textBytes)
            values.append(Value(name, text))
        }
    }
}
