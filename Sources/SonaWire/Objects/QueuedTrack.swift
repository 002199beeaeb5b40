/// A track in a room's queue.
///
/// Source: Protocol/spec/queue.md, "Entry".
public struct QueuedTrack: WireObject, Hashable {
    /// 1 to 2^53 − 1. Names the entry in its room for ever: ids rise and are never given twice.
    public var id: Int64
    public var track: Track
    /// Where it can be had: an address of the web, or an identifier that a library understands.
    public var source: String?
    /// Who suggested or added it.
    public var user: User
    /// Milliseconds since 1970, UTC.
    public var addedMilliseconds: Int64
    /// Whether it waits to be played; else for somebody to approve it.
    public var isApproved: Bool
    public var upvotes: Int
    public var downvotes: Int

    public init(
        id: Int64, track: Track, source: String?, user: User, addedMilliseconds: Int64, isApproved: Bool, upvotes: Int,
        downvotes: Int
    ) {
        self.id = id
        self.track = track
        self.source = source
        self.user = user
        self.addedMilliseconds = addedMilliseconds
        self.isApproved = isApproved
        self.upvotes = upvotes
        self.downvotes = downvotes
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        id = try fields.integer("id", in: Limits.queueEntryID)
        track = try fields.object("track", as: Track.self)
        source = try fields.stringIfPresent("source", bytes: Limits.trackSourceBytes)
        user = try fields.object("user", as: User.self)
        addedMilliseconds = try fields.integer("added_ms", in: 0...Limits.integerMax)
        isApproved = try fields.bool("approved")
        upvotes = Int(try fields.integer("upvotes", in: 0...Limits.integerMax))
        downvotes = Int(try fields.integer("downvotes", in: 0...Limits.integerMax))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("track", track)
            writer.member("source", orNull: source)
            writer.member("user", user)
            writer.member("added_ms", addedMilliseconds)
            writer.member("approved", isApproved)
            writer.member("upvotes", upvotes)
            writer.member("downvotes", downvotes)
        }
    }
}

/// The entry of a queue that plays, or is about to.
///
/// Source: Protocol/spec/queue.md, "What plays".
public struct QueueNow: WireObject, Hashable {
    public var entry: QueuedTrack
    /// How many entries have been played in the room, this one counted: tells one play from the next.
    public var play: Int64
    /// When the host said that it sounds, milliseconds since 1970, UTC; `nil` until then.
    public var startedMilliseconds: Int64?

    public init(entry: QueuedTrack, play: Int64, startedMilliseconds: Int64?) {
        self.entry = entry
        self.play = play
        self.startedMilliseconds = startedMilliseconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        entry = try fields.object("entry", as: QueuedTrack.self)
        play = try fields.integer("play", in: 1...Limits.integerMax)
        startedMilliseconds = try fields.integerIfPresent("started_ms", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("entry", entry)
            writer.member("play", play)
            writer.member("started_ms", orNull: startedMilliseconds)
        }
    }
}

/// A track as somebody asks for it.
///
/// Source: Protocol/spec/queue.md, "Track reference".
public struct QueueReference: WireObject, Hashable {
    public var track: Track
    /// An address of the web, or an identifier that a library understands; 1 to 512 bytes.
    public var source: String?

    public init(track: Track, source: String? = nil) {
        self.track = track
        self.source = source
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        track = try fields.object("track", as: Track.self)
        source = try fields.stringIfPresent("source", bytes: Limits.trackSourceBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("track", track)
            writer.member("source", ifPresent: source)
        }
    }
}
