internal import SonaAudio
internal import SonaCrypto

/// An album that the server plays itself.
struct DemoAlbum: Sendable {
    var title: String
    var artist: String
    var genre: String
    var cover: any CoverArt
    var tracks: [DemoTrack]

    /// The folder's name.
    var folder: String { title }

    /// The file's name in the folder.
    func fileName(of index: Int) -> String { "0\(index + 1) \(tracks[index].title).opus" }

    /// What a file says of itself.
    ///
    /// Several artists are several comments, as https://xiph.org/vorbis/doc/v-comment.html wants them.
    ///
    /// - Parameter cover: The album's picture, to be embedded.
    func tags(of index: Int, cover: OpusPicture?) -> OpusTags {
        let track = tracks[index]
        var comments = ["TITLE=\(track.title)"]
        comments += track.artists(on: self).map { "ARTIST=\($0)" }
        comments += [
            "ALBUM=\(title)", "ALBUMARTIST=\(artist)", "TRACKNUMBER=\(index + 1)", "TRACKTOTAL=\(tracks.count)",
            "DATE=2026", "GENRE=\(genre)",
        ]
        if let cover {
            let text = Base64.encode(cover.block, .standard)
            let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
            comments.append("METADATA_BLOCK_PICTURE=\(text)\(padding)")
        }
        return OpusTags(vendor: "Sona", comments: comments)
    }
}

/// A track of such an album.
struct DemoTrack: Sendable {
    var title: String
    /// Artists beside that of the album.
    var guests: [String] = []
    /// How long it is.
    var seconds: Double
    var fadeIn = 0.02
    var fadeOut = 2.0
    /// Plays the beginning of the piece, as many frames as it is told, at no certain level.
    var score: @Sendable (_ frames: Int) -> [Float]

    func artists(on album: DemoAlbum) -> [String] { [album.artist] + guests }

    private static let bitrate = 64_000
    /// Half of the time of 10, and no difference that is heard in these sounds.
    private static let complexity = 5

    /// The finished sound: stereo at 48 kHz, interleaved.
    ///
    /// - Parameter secondsMax: A longer track ends there, with its fade.
    func sound(secondsMax: Double = .infinity) -> [Float] {
        var sound = score(Int(min(seconds, secondsMax) * Sampling.rate))
        Mastering.finish(&sound, fadeIn: fadeIn, fadeOut: fadeOut)
        return sound
    }

    /// The whole Ogg Opus file.
    func file(tags: OpusTags, serial: UInt32, secondsMax: Double = .infinity) throws(AudioError) -> [UInt8] {
        let encoder = try OggOpusEncoder(
            channels: 2, bitrate: Self.bitrate, complexity: Self.complexity, tags: tags, serial: serial)
        var bytes = encoder.headerPages()
        bytes += try encoder.encode(sound(secondsMax: secondsMax))
        return bytes + (try encoder.finish())
    }
}
