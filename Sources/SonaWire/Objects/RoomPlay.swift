/// A track that could be heard in a room: an entry of its history.
///
/// Source: Protocol/spec/listening.md, "Play".
public struct RoomPlay: WireObject, Hashable {
    /// 1 to 2^53 − 1, greater for a later one of the same room.
    public var id: Int64
    /// The `id` of the first play of the same broadcast.
    public var session: Int64
    /// When it became audible: milliseconds since 1970, UTC.
    public var atMilliseconds: Int64
    public var track: Track
    /// Who played it; `nil` if nobody knows any more.
    public var host: User?

    public init(id: Int64, session: Int64, atMilliseconds: Int64, track: Track, host: User?) {
        self.id = id
        self.session = session
        self.atMilliseconds = atMilliseconds
        self.track = track
        self.host = host
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        id = try fields.integer("id", in: Limits.playID)
        session = try fields.integer("session", in: Limits.playID)
        atMilliseconds = try fields.integer("at_ms", in: 0...Limits.integerMax)
        track = try fields.object("track", as: Track.self)
        host = try fields.objectIfPresent("host", as: User.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("session", session)
            writer.member("at_ms", atMilliseconds)
            writer.member("track", track)
            writer.member("host", orNull: host)
        }
    }
}

/// How a recap is written.
public enum RecapFormat: String, CaseIterable, Sendable {
    case json
    /// Extended M3U.
    case m3u
    /// XSPF in JSON.
    case jspf

    public var mediaType: String {
        switch self {
        case .json: "application/json"
        case .m3u: "audio/x-mpegurl"
        case .jspf: "application/jspf+json"
        }
    }
}
