/// What is playing, as the host says. Every field may be unknown.
///
/// Source: Protocol/spec/rooms.md, "Track".
public struct Track: WireObject, Hashable {
    /// One line of at most 512 bytes, like artist and album.
    public var title: String?
    public var artist: String?
    public var album: String?
    /// Microseconds, 0 to 2^53 − 1.
    public var durationMicroseconds: Int64?
    /// A picture: an `http` or `https` address, or a path of the server, of at most 1024 bytes.
    public var artwork: String?

    public init(
        title: String? = nil, artist: String? = nil, album: String? = nil, durationMicroseconds: Int64? = nil,
        artwork: String? = nil
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.durationMicroseconds = durationMicroseconds
        self.artwork = artwork
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        title = try fields.lineIfPresent("title", bytes: Limits.trackTextBytes)
        artist = try fields.lineIfPresent("artist", bytes: Limits.trackTextBytes)
        album = try fields.lineIfPresent("album", bytes: Limits.trackTextBytes)
        durationMicroseconds = try fields.integerIfPresent("duration_us", in: 0...Limits.integerMax)
        artwork = try fields.parsedIfPresent("artwork", "an http or https address, or a path of this server") {
            Self.isArtwork($0) ? $0 : nil
        }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("title", orNull: title)
            writer.member("artist", orNull: artist)
            writer.member("album", orNull: album)
            writer.member("duration_us", orNull: durationMicroseconds)
            writer.member("artwork", ifPresent: artwork)
        }
    }

    /// Whether a text can be the reference to a picture: visible ASCII that begins with `http://`, `https://` or one `/`.
    ///
    /// Other schemes are refused, because whoever shows the track loads the picture; and so is what a browser takes for
    /// an address without a scheme: `//` and `/\`.
    public static func isArtwork(_ text: String) -> Bool {
        guard Limits.artworkBytes.contains(text.utf8.count), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return false
        }
        if text.hasPrefix("/") { return !text.hasPrefix("//") && !text.hasPrefix("/\\") }
        return ["http://", "https://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }
}
