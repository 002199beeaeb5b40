/// What somebody is in a room, the highest first.
///
/// Source: Protocol/spec/roles.md, "Standing".
public enum Standing: String, CaseIterable, Sendable {
    case owner
    /// Runs the room together with the owner.
    case cohost
    /// Keeps order.
    case moderator
    /// An account that was let in or came by an invite.
    case member
    /// Anybody else, guests included.
    case listener

    public var capabilities: Set<Capability> {
        switch self {
        case .owner: Set(Capability.allCases)
        case .cohost: Set(Capability.allCases).subtracting([.manage])
        case .moderator: [.listen, .suggest, .vote, .chat, .moderate]
        case .member, .listener: [.listen, .chat]
        }
    }
}

extension Capability {
    /// The words of a set as they stand in a message, in the order of the page.
    public static func words(_ capabilities: Set<Capability>) -> [String] {
        allCases.filter(capabilities.contains).map(\.rawValue)
    }
}

extension Standing: Comparable {
    /// Whoever may less is less: `.listener < .owner`.
    public static func < (left: Standing, right: Standing) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .listener: 0
        case .member: 1
        case .moderator: 2
        case .cohost: 3
        case .owner: 4
        }
    }
}

/// What one may do in a room, in a word that snapshots and `room.forbidden` name.
///
/// A newer server may name others: that is why `may` is an array of texts.
///
/// Source: Protocol/spec/roles.md, "Capabilities".
public enum Capability: String, CaseIterable, Sendable {
    case listen
    /// Propose what is to be played.
    case suggest
    case vote
    /// As far as the room's rule for chat and no mute stand in the way.
    case chat
    /// Play, pause and seek.
    case control
    /// Let in, kick, ban, mute, delete messages.
    case moderate
    /// Take the vacant seat, take the seat back, make invites, give standing below one's own.
    case host
    /// Change and delete the room, make cohosts.
    case manage
}

/// Who may write in a room's chat.
///
/// Source: Protocol/spec/chat.md, "Rules".
public enum ChatRule: String, CaseIterable, Sendable {
    case everyone
    case members
    case moderators
    /// Nobody, not even the owner.
    case off

    /// Whether somebody of this standing may write.
    public func admits(_ standing: Standing) -> Bool {
        switch self {
        case .everyone: true
        case .members: standing >= .member
        case .moderators: standing >= .moderator
        case .off: false
        }
    }
}
