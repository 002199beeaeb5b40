/// A track, and from when it is heard.
///
/// Source: Protocol/spec/listening.md, "Now playing".
public struct TimedTrack: WireObject, Hashable {
    /// `nil`: from then on nothing.
    public var track: Track?
    /// Server time.
    public var atMicroseconds: Int64

    public init(track: Track?, atMicroseconds: Int64) {
        self.track = track
        self.atMicroseconds = atMicroseconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        track = try fields.objectIfPresent("track", as: Track.self)
        atMicroseconds = try fields.integer("at_us", in: -Limits.integerMax...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("track", orNull: track)
            writer.member("at_us", atMicroseconds)
        }
    }
}
