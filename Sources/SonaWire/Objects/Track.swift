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

    public init(
        title: String? = nil, artist: String? = nil, album: String? = nil, durationMicroseconds: Int64? = nil
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.durationMicroseconds = durationMicroseconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        title = try fields.lineIfPresent("title", bytes: Limits.trackTextBytes)
        artist = try fields.lineIfPresent("artist", bytes: Limits.trackTextBytes)
        album = try fields.lineIfPresent("album", bytes: Limits.trackTextBytes)
        durationMicroseconds = try fields.integerIfPresent("duration_us", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("title", orNull: title)
            writer.member("artist", orNull: artist)
            writer.member("album", orNull: album)
            writer.member("duration_us", orNull: durationMicroseconds)
        }
    }
}
