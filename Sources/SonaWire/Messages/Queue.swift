extension Catalogue {
    /// The queue of a room, and votes.
    ///
    /// Source: Protocol/spec/queue.md.
    static let queue = Area(
        "queue",
        requests: [
            QueueGet.self, QueueAdd.self, QueueSuggest.self, QueueApprove.self, QueueReject.self, QueueRemove.self,
            QueueMove.self, QueueClear.self, QueueShuffle.self, QueueSetRepeat.self, QueueSetRules.self, QueueNext.self,
            QueuePrevious.self, QueueStarted.self, QueueFinished.self, QueueVote.self, QueueVoteSkip.self,
        ],
        events: [QueueChanged.self])
}

extension Limits {
    /// The feature that announces the queue and votes.
    public static let queueFeature = "queue"
    /// Identifiers of entries of a room's queue.
    public static let queueEntryID: ClosedRange<Int64> = 1...integerMax
    /// Tracks in one request.
    public static let queueAddCount = 1...20
    /// Bytes of where a track can be had.
    public static let trackSourceBytes = 1...512
    /// Entries of a page.
    public static let queuePageCount: ClosedRange<Int64> = 1...100
    /// Entries of a page if the request says nothing.
    public static let queuePageCountDefault = 50
    /// More than any queue has entries.
    public static let queueOffsetMax: Int64 = 1_000
    /// Bytes of the entries of one page together.
    public static let queueBytesMax = 65_536
}

// MARK: - Objects

/// A track in a room's queue.
///
/// Source: Protocol/spec/queue.md, "Entry".
public struct QueuedTrack: DeclaredObject, Hashable {
    /// 1 to 2^53 − 1. Names the entry in its room for ever: ids rise and are never given twice.
    public var id: Int64
    /// Title, artist and the like, as the person who added it says.
    public var track: Track
    /// Where it can be had: an address of the web, or an identifier that a library understands.
    public var source: String?
    /// Who suggested or added it.
    public var user: User
    /// Milliseconds since 1970, UTC.
    public var addedMilliseconds: Int64
    /// `true`: the entry waits to be played. `false`: it waits to be approved.
    public var isApproved: Bool
    /// How many people like the entry.
    public var upvotes: Int
    /// How many people dislike the entry.
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

    public static let declaration = Declaration(
        Member("id", \Self.id, .queueEntryID),
        Member("track", \Self.track, .object),
        Member(nullable: "source", \Self.source, .text(bytes: Limits.trackSourceBytes)),
        Member("user", \Self.user, .object),
        Member("added_ms", \Self.addedMilliseconds, .wallTime),
        Member("approved", \Self.isApproved, .flag),
        Member("upvotes", \Self.upvotes, .count),
        Member("downvotes", \Self.downvotes, .count),
        make: Self.init)
}

/// The entry of a queue that plays, or is about to.
///
/// Source: Protocol/spec/queue.md, "What plays".
public struct QueueNow: DeclaredObject, Hashable {
    /// The entry that plays.
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

    public static let declaration = Declaration(
        Member("entry", \Self.entry, .object),
        Member("play", \Self.play, .number),
        Member(nullable: "started_ms", \Self.startedMilliseconds, .wallTime),
        make: Self.init)
}

/// A track as named in a request.
///
/// Source: Protocol/spec/queue.md, "Track reference".
public struct QueueReference: DeclaredObject, Hashable {
    /// What the track is called. Every field may be unknown.
    public var track: Track
    /// An address of the web, or an identifier that a library understands; 1 to 512 bytes.
    public var source: String?

    public init(track: Track, source: String? = nil) {
        self.track = track
        self.source = source
    }

    public static let declaration = Declaration(
        Member("track", \Self.track, .object),
        Member(optional: "source", \Self.source, .text(bytes: Limits.trackSourceBytes)),
        make: Self.init)
}

// MARK: - Requests

/// `queue.get`: what plays, what waits, and by which rules; a page at a time.
///
/// Source: Protocol/spec/queue.md, "queue.get".
public struct QueueGet: DeclaredRequest {
    public typealias Response = QueuePage
    public static let type = "queue.get"
    public static let permission: Permission? = .roomsListen

    /// How many entries to leave out.
    public var offset: Int
    /// 1 to 100.
    public var limit: Int
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(offset: Int = 0, limit: Int = Limits.queuePageCountDefault, room: RoomReference? = nil) {
        self.offset = offset
        self.limit = limit
        self.room = room
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("offset", \Self.offset, .integer(0...Limits.queueOffsetMax), default: 0),
        Member("limit", \Self.limit, .integer(Limits.queuePageCount), default: Limits.queuePageCountDefault)
    ) { Self(offset: $1, limit: $2, room: $0) }
}

/// The answer to `queue.get`.
public struct QueuePage: DeclaredObject, Equatable {
    /// The votes of the caller.
    public struct OwnVotes: DeclaredObject, Equatable {
        /// Entries the caller likes.
        public var up: [Int64]
        /// Entries the caller dislikes.
        public var down: [Int64]
        /// Whether the caller votes to skip what plays.
        public var skip: Bool

        public init(up: [Int64] = [], down: [Int64] = [], skip: Bool = false) {
            self.up = up
            self.down = down
            self.skip = skip
        }

        public static let declaration = Declaration(
            Member("up", \Self.up, .queueEntryIDs),
            Member("down", \Self.down, .queueEntryIDs),
            Member("skip", \Self.skip, .flag),
            make: Self.init)
    }

    /// Number of the last change this page includes.
    public var revision: Int64
    /// Who may suggest and vote, how much, and in which order entries play.
    public var rules: QueueRules
    /// Whether what was played comes again.
    public var repeatMode: RepeatMode
    /// What plays, or `nil` if nothing of the queue does.
    public var now: QueueNow?
    /// How many people have voted to skip what plays.
    public var skipVotes: Int
    /// Votes it takes to skip what plays.
    public var skipVotesNeeded: Int
    /// Entries that wait, on all pages.
    public var waitingCount: Int
    /// Entries to be approved, on all pages.
    public var pendingCount: Int
    /// Entries that wait, in their order, then entries to be approved, the oldest first. Together at most
    /// `Limits.queueBytesMax` bytes.
    public var entries: [QueuedTrack]
    /// The `offset` that asks for the next page. `nil` on the last page.
    public var nextOffset: Int?
    /// All that wait in the order in which they will play, where that is by votes.
    public var order: [Int64]?
    /// The caller's own votes.
    public var ownVotes: OwnVotes

    public init(
        revision: Int64, rules: QueueRules, repeatMode: RepeatMode, now: QueueNow?, skipVotes: Int,
        skipVotesNeeded: Int, waitingCount: Int, pendingCount: Int, entries: [QueuedTrack], nextOffset: Int?,
        order: [Int64]?, ownVotes: OwnVotes
    ) {
        self.revision = revision
        self.rules = rules
        self.repeatMode = repeatMode
        self.now = now
        self.skipVotes = skipVotes
        self.skipVotesNeeded = skipVotesNeeded
        self.waitingCount = waitingCount
        self.pendingCount = pendingCount
        self.entries = entries
        self.nextOffset = nextOffset
        self.order = order
        self.ownVotes = ownVotes
    }

    public static let declaration = Declaration(
        Member("revision", \Self.revision, .revision),
        Member("rules", \Self.rules, .object),
        Member("repeat", \Self.repeatMode, .word),
        Member(nullable: "now", \Self.now, .object),
        Member("skip_votes", \Self.skipVotes, .count),
        Member("skip_votes_needed", \Self.skipVotesNeeded, .count),
        Member("waiting", \Self.waitingCount, .count),
        Member("pending", \Self.pendingCount, .count),
        Member("entries", \Self.entries, .objects(count: 0...Int(Limits.queuePageCount.upperBound))),
        Member(nullable: "next_offset", \Self.nextOffset, .integer(1...Limits.queueOffsetMax)),
        Member(optional: "order", \Self.order, .queueEntryIDs),
        Member("your_votes", \Self.ownVotes, .object),
        make: Self.init)
}

/// The answer to whatever changes a queue, given when it is stored.
public struct QueueResult: DeclaredObject, Equatable {
    /// Number of the change, or of the last one if nothing changed.
    public var revision: Int64
    /// The entries that were added or suggested.
    public var entries: [QueuedTrack]?
    /// The seed that decided the order after `queue.shuffle`.
    public var seed: Int64?

    public init(revision: Int64, entries: [QueuedTrack]? = nil, seed: Int64? = nil) {
        self.revision = revision
        self.entries = entries
        self.seed = seed
    }

    public static let declaration = Declaration(
        Member("revision", \Self.revision, .count),
        Member(optional: "entries", \Self.entries, .objects()),
        Member(optional: "seed", \Self.seed, .count),
        make: Self.init)
}

/// Where in the queue something goes: at most one of `first`, `before` and `after`, else the end.
///
/// Source: Protocol/spec/queue.md, "Place".
public enum QueuePosition: Sendable, Hashable {
    /// At the head of the queue.
    case first
    /// At the end of the queue.
    case last
    /// Before the entry with this identifier.
    case before(Int64)
    /// After the entry with this identifier.
    case after(Int64)
}

/// `queue.add`: adds tracks one after the other, all or none.
///
/// Source: Protocol/spec/queue.md, "queue.add".
public struct QueueAdd: DeclaredRequest {
    public typealias Response = QueueResult
    public static let type = "queue.add"
    /// The answer names the entries that were made.
    public static let promises = ["entries"]
    public static let permission: Permission? = .roomsListen

    /// 1 to 20.
    public var tracks: [QueueReference]
    /// Where in the queue the tracks go.
    public var position: QueuePosition
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(tracks: [QueueReference], position: QueuePosition = .last, room: RoomReference? = nil) {
        self.tracks = tracks
        self.position = position
        self.room = room
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("tracks", \Self.tracks, .objects(count: Limits.queueAddCount)),
        Member(\Self.position, spread: .queuePosition)
    ) { Self(tracks: $1, position: $2, room: $0) }
}

/// A request about one entry of a queue.
public protocol QueueEntryRequest: WireRequest where Response == QueueResult {
    /// The entry the request is about.
    var id: Int64 { get }
    /// `nil`: the room the connection is in.
    var room: RoomReference? { get }
    /// A request about the entry `id`. `room` is `nil` for the room the connection is in.
    init(id: Int64, room: RoomReference?)
}

extension QueueEntryRequest {
    /// Everybody who may listen may send it; the room's rules decide the rest.
    public static var permission: Permission? { .roomsListen }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        self.init(
            id: try fields.integer("id", in: Limits.queueEntryID), room: try Form.roomReference.read(fields, "room"))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("id", id)
        }
    }

    public static var schema: Schema {
        .object([
            .init("room", Schema.roomReference.orNull, isRequired: false),
            .init("id", Form<Int64>.queueEntryID.schema, isRequired: true),
        ])
    }
}

/// A request about a queue as a whole.
public protocol QueueRequest: WireRequest where Response == QueueResult {
    /// `nil`: the room the connection is in.
    var room: RoomReference? { get }
    /// A request about the queue of `room`. `nil`: the room the connection is in.
    init(room: RoomReference?)
}

extension QueueRequest {
    /// Everybody who may listen may send it; the room's rules decide the rest.
    public static var permission: Permission? { .roomsListen }

    public init(_ data: JSON) throws(WireError) {
        self.init(room: try Form.roomReference.read(Fields(request: data), "room"))
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("room", ifPresent: room?.text) } }

    public static var schema: Schema {
        .object([.init("room", Schema.roomReference.orNull, isRequired: false)])
    }
}

/// `queue.approve`: a suggestion is to be played.
///
/// Source: Protocol/spec/queue.md, "queue.approve".
public struct QueueApprove: QueueEntryRequest {
    public static let type = "queue.approve"
    /// The suggestion to approve.
    public var id: Int64
    /// `nil`: the room the connection is in.
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }
}

/// `queue.reject`: a suggestion is not to be played.
///
/// Source: Protocol/spec/queue.md, "queue.reject".
public struct QueueReject: QueueEntryRequest {
    public static let type = "queue.reject"
    /// The suggestion to reject.
    public var id: Int64
    /// `nil`: the room the connection is in.
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }
}

/// `queue.remove`: takes out an entry. Other people's entries need the capability `control`.
///
/// Source: Protocol/spec/queue.md, "queue.remove".
public struct QueueRemove: QueueEntryRequest {
    public static let type = "queue.remove"
    /// The entry to take out.
    public var id: Int64
    /// `nil`: the room the connection is in.
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }
}

/// `queue.move`: an entry stands somewhere else.
///
/// Source: Protocol/spec/queue.md, "queue.move".
public struct QueueMove: DeclaredRequest {
    public typealias Response = QueueResult
    public static let type = "queue.move"
    public static let permission: Permission? = .roomsListen

    /// The entry to move.
    public var id: Int64
    /// Where in the queue it goes.
    public var position: QueuePosition
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(id: Int64, to position: QueuePosition, room: RoomReference? = nil) {
        self.id = id
        self.position = position
        self.room = room
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("id", \Self.id, .queueEntryID),
        Member(\Self.position, spread: .queuePosition)
    ) { Self(id: $1, to: $2, room: $0) }
}

/// `queue.clear`: nothing waits any more.
///
/// Source: Protocol/spec/queue.md, "queue.clear".
public struct QueueClear: QueueRequest {
    public static let type = "queue.clear"
    /// `nil`: the room the connection is in.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }
}

/// `queue.shuffle`: what waits stands in another order, which a seed decides.
///
/// Source: Protocol/spec/queue.md, "queue.shuffle".
public struct QueueShuffle: DeclaredRequest {
    public typealias Response = QueueResult
    public static let type = "queue.shuffle"
    /// The answer names the seed, by which a client can compute the order itself.
    public static let promises = ["seed"]
    public static let permission: Permission? = .roomsListen

    /// 0 to 2^53 − 1; the server draws one if absent.
    public var seed: Int64?
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(seed: Int64? = nil, room: RoomReference? = nil) {
        self.seed = seed
        self.room = room
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member(optional: "seed", \Self.seed, .count)
    ) { Self(seed: $1, room: $0) }
}

/// `queue.set_repeat`: whether what was played comes again.
///
/// Source: Protocol/spec/queue.md, "queue.set_repeat".
public struct QueueSetRepeat: DeclaredRequest {
    public typealias Response = QueueResult
    public static let type = "queue.set_repeat"
    public static let permission: Permission? = .roomsListen

    /// Whether what was played comes again.
    public var mode: RepeatMode
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(_ mode: RepeatMode, room: RoomReference? = nil) {
        self.mode = mode
        self.room = room
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("repeat", \Self.mode, .word)
    ) { Self($1, room: $0) }
}

/// `queue.set_rules`: changes some of the rules.
///
/// Source: Protocol/spec/queue.md, "queue.set_rules".
public struct QueueSetRules: DeclaredRequest {
    public typealias Response = QueueResult
    public static let type = "queue.set_rules"
    public static let permission: Permission? = .roomsListen

    /// The rules to change. Those left out stay as they are.
    public var rules: QueueRules.Change
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(_ rules: QueueRules.Change, room: RoomReference? = nil) {
        self.rules = rules
        self.room = room
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("rules", \Self.rules, .object)
    ) { Self($1, room: $0) }
}

/// `queue.next`: goes on to what comes next.
///
/// Source: Protocol/spec/queue.md, "queue.next".
public struct QueueNext: DeclaredRequest {
    public typealias Response = QueueResult
    public static let type = "queue.next"
    public static let permission: Permission? = .roomsListen

    /// The entry that must be playing. Two people who press at once then skip one track.
    public var id: Int64?
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(from id: Int64? = nil, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member(optional: "id", \Self.id, .queueEntryID)
    ) { Self(from: $1, room: $0) }
}

/// `queue.previous`: goes back to what ended last.
///
/// Source: Protocol/spec/queue.md, "queue.previous".
public struct QueuePrevious: QueueRequest {
    public static let type = "queue.previous"
    /// `nil`: the room the connection is in.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }
}

/// `queue.started`: the host says that an entry begins to sound.
///
/// Source: Protocol/spec/queue.md, "queue.started".
public struct QueueStarted: QueueEntryRequest {
    public static let type = "queue.started"
    /// The entry that begins to sound.
    public var id: Int64
    /// `nil`: the room the connection is in.
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }
}

/// `queue.finished`: the host says that what plays has come to its end.
///
/// Source: Protocol/spec/queue.md, "queue.finished".
public struct QueueFinished: QueueEntryRequest {
    public static let type = "queue.finished"
    /// The entry that has come to its end.
    public var id: Int64
    /// `nil`: the room the connection is in.
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }
}

/// `queue.suggest`: proposes a track.
///
/// Source: Protocol/spec/queue.md, "queue.suggest".
public struct QueueSuggest: DeclaredRequest {
    public typealias Response = QueueResult
    public static let type = "queue.suggest"
    /// The answer names the entry that was made.
    public static let promises = ["entries"]
    public static let permission: Permission? = .roomsListen

    /// The track. Its members stand in the request's `data` itself.
    public var reference: QueueReference
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(_ reference: QueueReference, room: RoomReference? = nil) {
        self.reference = reference
        self.room = room
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member(\Self.reference, spread: .members)
    ) { Self($1, room: $0) }
}

/// `queue.vote`: likes or dislikes an entry that waits, or takes that back.
///
/// Source: Protocol/spec/queue.md, "queue.vote".
public struct QueueVote: DeclaredRequest {
    public typealias Response = QueueResult
    public static let type = "queue.vote"
    public static let permission: Permission? = .roomsListen

    /// The entry voted on.
    public var id: Int64
    /// `nil` takes the vote back.
    public var vote: Vote?
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(_ vote: Vote?, for id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.vote = vote
        self.room = room
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("id", \Self.id, .queueEntryID),
        Member(optional: "vote", \Self.vote, .word)
    ) { Self($2, for: $1, room: $0) }
}

/// `queue.vote_skip`: wants skipped what plays, or no longer.
///
/// Source: Protocol/spec/queue.md, "queue.vote_skip".
public struct QueueVoteSkip: DeclaredRequest {
    public typealias Response = QueueResult
    public static let type = "queue.vote_skip"
    public static let permission: Permission? = .roomsListen

    /// The entry that must be playing.
    public var id: Int64
    /// `true`: the caller votes to skip. `false`: the caller takes that vote back.
    public var isWanted: Bool
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(id: Int64, isWanted: Bool = true, room: RoomReference? = nil) {
        self.id = id
        self.isWanted = isWanted
        self.room = room
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("id", \Self.id, .queueEntryID),
        Member("skip", \Self.isWanted, .flag, default: true)
    ) { Self(id: $1, isWanted: $2, room: $0) }
}

// MARK: - Events

/// `queue.changed`: what one request, or the passing of time, has changed about a room's queue.
///
/// Source: Protocol/spec/queue.md, "queue.changed".
public struct QueueChanged: DeclaredEvent {
    public static let type = "queue.changed"

    /// Greater than the revision of the change before. Clients apply changes newer than their `QueuePage`.
    public var revision: Int64
    /// Who did it. `nil` if the server did it by itself.
    public var user: User?
    /// One or more, to be applied in this order.
    public var changes: [QueueChange]

    public init(revision: Int64, user: User?, changes: [QueueChange]) {
        self.revision = revision
        self.user = user
        self.changes = changes
    }

    public static let declaration = Declaration(
        Member("revision", \Self.revision, .count),
        Member(nullable: "user", \Self.user, .object),
        Member("changes", \Self.changes, .objects(count: 1...Int.max)),
        make: Self.init)
}

/// One step of `queue.changed`. A client that applies them in order to the answer of `queue.get` has the same queue.
///
/// Source: Protocol/spec/queue.md, "queue.changed".
public enum QueueChange: WireObject, Hashable {
    /// Why entries were taken out.
    public enum Removal: String, Sendable, CaseIterable {
        /// The person who asked for it took it back.
        case withdrawn
        /// Somebody who controls the queue removed it.
        case removed
        /// A suggestion was not approved.
        case rejected
        /// The whole queue was cleared.
        case cleared
        /// The track was gone back to, so it does not come a second time.
        case recalled

        /// A word of a newer server is a removal like any.
        init(_ word: String) { self = Removal(rawValue: word) ?? .removed }
    }

    /// New entries in a row after the one given, or at the head. Entries to be approved go to the end of theirs.
    case added([QueuedTrack], after: Int64?)
    /// The entries with these identifiers are no longer in the queue.
    case removed([Int64], Removal)
    /// An entry was approved. It is now the last of the entries that wait.
    case approved(Int64)
    /// An entry now stands after another one, or at the head.
    case moved(Int64, after: Int64?)
    /// All waiting entries, in the order in which they stand now.
    case reordered([Int64])
    /// How many people like and dislike an entry now.
    case votes(Int64, upvotes: Int, downvotes: Int)
    /// All rules as they are now.
    case rules(QueueRules)
    /// Whether entries that have played come again from now on.
    case repeatMode(RepeatMode)
    /// This plays now, and waits no longer. `nil`: nothing of the queue plays. Votes to skip begin anew.
    case now(QueueNow?)
    /// How many people have voted to skip what plays, and how many votes skip it.
    case skip(votes: Int, needed: Int)
    /// The order in which the waiting entries will play, if the room orders them by votes.
    case order([Int64])
    /// A change this revision does not know, from a newer server. The client asks for the queue again.
    case unknown

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        let id = { () throws(WireError) in try fields.integer("id", in: Limits.queueEntryID) }
        let ids = { () throws(WireError) in try fields.required("ids", .queueEntryIDs) }
        let after = { () throws(WireError) in try fields.integerIfPresent("after", in: Limits.queueEntryID) }
        let count = { (key: String) throws(WireError) in Int(try fields.integer(key, in: 0...Limits.integerMax)) }
        switch try fields.string("change", bytes: Limits.reasonBytes) {
        case "added":
            self = .added(try fields.array("entries", of: QueuedTrack.self, count: 1...Int.max), after: try after())
        case "removed":
            self = .removed(try ids(), Removal(try fields.string("reason", bytes: Limits.reasonBytes)))
        case "approved": self = .approved(try id())
        case "moved": self = .moved(try id(), after: try after())
        case "reordered": self = .reordered(try ids())
        case "votes": self = .votes(try id(), upvotes: try count("upvotes"), downvotes: try count("downvotes"))
        case "rules": self = .rules(try fields.object("rules", as: QueueRules.self))
        case "repeat": self = .repeatMode(try fields.word("repeat", as: RepeatMode.self))
        case "now": self = .now(try fields.objectIfPresent("now", as: QueueNow.self))
        case "skip": self = .skip(votes: try count("votes"), needed: try count("needed"))
        case "order": self = .order(try ids())
        default: self = .unknown
        }
    }

    public static var schema: Schema {
        let id = Schema.Property("id", Form<Int64>.queueEntryID.schema, isRequired: true)
        let ids = Schema.Property("ids", Form<[Int64]>.queueEntryIDs.schema, isRequired: true)
        let after = Schema.Property("after", Form<Int64>.queueEntryID.schema.orNull, isRequired: true)
        let count = { (key: String) in Schema.Property(key, Form<Int>.count.schema, isRequired: true) }
        let kinds: [(String, [Schema.Property])] = [
            (
                "added",
                [.init("entries", Form<[QueuedTrack]>.objects(count: 1...Int.max).schema, isRequired: true), after]
            ),
            ("removed", [ids, .init("reason", Form.reason.schema, isRequired: true)]),
            ("approved", [id]), ("moved", [id, after]), ("reordered", [ids]),
            ("votes", [id, count("upvotes"), count("downvotes")]),
            ("rules", [.init("rules", Form<QueueRules>.object.schema, isRequired: true)]),
            ("repeat", [.init("repeat", Form<RepeatMode>.word.schema, isRequired: true)]),
            ("now", [.init("now", Form<QueueNow>.object.schema.orNull, isRequired: true)]),
            ("skip", [count("votes"), count("needed")]), ("order", [ids]),
        ]
        let known = kinds.map { kind, properties in
            Schema.object([.init("change", Schema(["const": .string(kind)]), isRequired: true)] + properties)
        }
        let unknown = Schema.object([
            .init("change", Schema(["not": ["enum": .array(kinds.map { .string($0.0) })]]), isRequired: false)
        ])
        return Schema.object([.init("change", Form.reason.schema, isRequired: true)]).adding(.anyOf(known + [unknown]))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .added(let entries, let after):
                writer.member("change", "added")
                writer.member("entries", entries)
                writer.member("after", orNull: after)
            case .removed(let ids, let reason):
                writer.member("change", "removed")
                writer.member("ids", ids)
                writer.member("reason", reason.rawValue)
            case .approved(let id):
                writer.member("change", "approved")
                writer.member("id", id)
            case .moved(let id, let after):
                writer.member("change", "moved")
                writer.member("id", id)
                writer.member("after", orNull: after)
            case .reordered(let ids):
                writer.member("change", "reordered")
                writer.member("ids", ids)
            case .votes(let id, let upvotes, let downvotes):
                writer.member("change", "votes")
                writer.member("id", id)
                writer.member("upvotes", upvotes)
                writer.member("downvotes", downvotes)
            case .rules(let rules):
                writer.member("change", "rules")
                writer.member("rules", rules)
            case .repeatMode(let mode):
                writer.member("change", "repeat")
                writer.member("repeat", mode.rawValue)
            case .now(let now):
                writer.member("change", "now")
                writer.member("now", orNull: now)
            case .skip(let votes, let needed):
                writer.member("change", "skip")
                writer.member("votes", votes)
                writer.member("needed", needed)
            case .order(let ids):
                writer.member("change", "order")
                writer.member("ids", ids)
            case .unknown: writer.member("change", "unknown")
            }
        }
    }
}

// MARK: - Forms

extension Spread where Value == QueuePosition {
    static var queuePosition: Spread {
        Spread(
            read: { fields throws(WireError) in
                let isFirst = try fields.boolIfPresent("first") ?? false
                let before = try fields.integerIfPresent("before", in: Limits.queueEntryID)
                let after = try fields.integerIfPresent("after", in: Limits.queueEntryID)
                switch (isFirst, before, after) {
                case (false, nil, nil): return .last
                case (true, nil, nil): return .first
                case (false, let before?, nil): return .before(before)
                case (false, nil, let after?): return .after(after)
                default: throw fields.invalid(after == nil ? "before" : "after", "names a second place")
                }
            },
            write: { position, writer in
                switch position {
                case .first: writer.member("first", true)
                case .last: break
                case .before(let id): writer.member("before", id)
                case .after(let id): writer.member("after", id)
                }
            },
            properties: [
                .init("first", Schema.bool.orNull, isRequired: false),
                .init("before", Form<Int64>.queueEntryID.schema.orNull, isRequired: false),
                .init("after", Form<Int64>.queueEntryID.schema.orNull, isRequired: false),
            ])
    }
}

extension Form where Value == Int64 {
    /// The revision of a queue.
    static var revision: Form { count.named("queue_revision") }
}
