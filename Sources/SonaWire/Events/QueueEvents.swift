/// `queue.changed`: what one request, or the passing of time, has changed about a room's queue.
///
/// Source: Protocol/spec/queue.md, "queue.changed".
public struct QueueChanged: WireEvent {
    public static let type = "queue.changed"

    /// One more than that of the change before.
    public var revision: Int64
    /// Who did it; `nil` where nobody asked for it.
    public var user: User?
    /// In this order.
    public var changes: [QueueChange]

    public init(revision: Int64, user: User?, changes: [QueueChange]) {
        self.revision = revision
        self.user = user
        self.changes = changes
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        revision = try fields.integer("revision", in: 0...Limits.integerMax)
        user = try fields.objectIfPresent("user", as: User.self)
        changes = try fields.array("changes", of: QueueChange.self, count: 1...Int.max)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("revision", revision)
            writer.member("user", orNull: user)
            writer.member("changes", changes)
        }
    }
}

/// One step of `queue.changed`. Whoever applies these in order to what `queue.get` told has the same queue again.
///
/// Source: Protocol/spec/queue.md, "queue.changed".
public enum QueueChange: WireObject, Hashable {
    public enum Removal: String, Sendable, CaseIterable {
        /// By whoever asked for it.
        case withdrawn
        /// By somebody who controls the queue.
        case removed
        case rejected
        case cleared
        /// The track was gone back to, so it does not come a second time.
        case recalled

        /// A word of a newer server is a removal like any.
        init(_ word: String) { self = Removal(rawValue: word) ?? .removed }
    }

    /// New entries in a row behind the one given, or at the head; those to be approved at the end of theirs.
    case added([QueuedTrack], after: Int64?)
    case removed([Int64], Removal)
    /// An entry was approved, and is the last of those that wait.
    case approved(Int64)
    /// An entry stands behind another now, or at the head.
    case moved(Int64, after: Int64?)
    /// All that wait, as they stand now.
    case reordered([Int64])
    case votes(Int64, upvotes: Int, downvotes: Int)
    case rules(QueueRules)
    case repeatMode(RepeatMode)
    /// This plays now, and waits no longer. Votes to skip begin anew.
    case now(QueueNow?)
    case skip(votes: Int, needed: Int)
    /// The order in which those that wait will play, where that is by votes.
    case order([Int64])
    /// Something that a newer server tells: the queue is to be asked for again.
    case unknown

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        let id = { () throws(WireError) in try fields.integer("id", in: Limits.queueEntryID) }
        let after = { () throws(WireError) in try fields.integerIfPresent("after", in: Limits.queueEntryID) }
        let count = { (key: String) throws(WireError) in Int(try fields.integer(key, in: 0...Limits.integerMax)) }
        switch try fields.string("change", bytes: Limits.reasonBytes) {
        case "added":
            self = .added(try fields.array("entries", of: QueuedTrack.self, count: 1...Int.max), after: try after())
        case "removed":
            self = .removed(try fields.entryIDs(), Removal(try fields.string("reason", bytes: Limits.reasonBytes)))
        case "approved": self = .approved(try id())
        case "moved": self = .moved(try id(), after: try after())
        case "reordered": self = .reordered(try fields.entryIDs())
        case "votes": self = .votes(try id(), upvotes: try count("upvotes"), downvotes: try count("downvotes"))
        case "rules": self = .rules(try fields.object("rules", as: QueueRules.self))
        case "repeat": self = .repeatMode(try fields.word("repeat", as: RepeatMode.self))
        case "now": self = .now(try fields.objectIfPresent("now", as: QueueNow.self))
        case "skip": self = .skip(votes: try count("votes"), needed: try count("needed"))
        case "order": self = .order(try fields.entryIDs())
        default: self = .unknown
        }
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

extension Fields {
    /// The entries of a queue named under `ids`.
    func entryIDs(_ key: String = "ids") throws(WireError) -> [Int64] {
        try integers(key, in: Limits.queueEntryID)
    }
}
