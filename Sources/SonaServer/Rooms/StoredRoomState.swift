internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// What is stored of a room, for it to wake with: who belongs to it and who may not, and what was said last.
struct StoredRoomState: Sendable {
    var roster = RoomRoster()
    var chat: [ChatMessage] = []
    var lastHeard: Track?
    /// Who played that.
    var lastHost: UserID?
    var queue = StoredQueue()
    /// When reading it began, µs; `nil` if it was not read: the room is awake.
    private(set) var readAt: Int64?

    init() {}

    /// - Throws: Those of the storage.
    init(_ id: RoomID, _ storage: RoomStorage) async throws(WireError) {
        readAt = MonotonicClock.nowMicroseconds()
        do throws(Refusal) {
            for member in try await storage.membership.members(of: id) {
                roster.entries[member.user.uid] = RoomRoster.Entry(member)
            }
            for ban in try await storage.membership.bans(in: id) {
                roster.bans[ban.user.uid] = ban.untilMilliseconds ?? .max
                roster.banReasons[ban.user.uid] = ban.reason
            }
            for mute in try await storage.membership.mutes(in: id) {
                roster.mutes[mute.uid] = mute.untilMilliseconds ?? .max
            }
            queue = try await StoredQueue(id, storage.queues)
            chat = try await storage.chat.page(of: id, limit: Limits.chatSnapshotCount).messages.map { ChatMessage($0) }
            let last = try await storage.history.last(of: id)
            (lastHeard, lastHost) = (last?.track, last?.host)
        } catch { throw WireError(error) }
    }
}

/// A queue as it was written down, and who suggested what is in it.
struct StoredQueue: Sendable {
    var queue = PartyQueue()
    var revision: Int64 = 0
    /// The rows it was read from.
    var ledger = PartyLedger()
    var people: [UserID: User] = [:]
    /// Why it cannot be read: nobody is to write over it then.
    var fault: String?

    init() {}

    init(_ room: RoomID, _ queues: QueueStore) async throws(Refusal) {
        guard let stored = try await queues.load(of: room) else { return }
        revision = stored.revision
        do throws(PartyStateError) {
            let rows = PartyRows(stored)
            queue = try PartyQueue(stored: rows)
            ledger = PartyLedger(rows, of: queue)
        } catch {
            fault = error.description
            return
        }
        for user in try await queues.people(Array(queue.suggesters)) { people[user.uid] = user }
    }
}

extension RoomRoster.Entry {
    init(_ member: MembershipStore.Member) {
        let extra = member.role.flatMap { InviteRole(rawValue: $0.rawValue) }?.capabilities ?? []
        // Guests are let in, and belong to nothing.
        let standing = member.user.isGuest ? Standing.listener : Standing(member.standing)
        self.init(standing: standing, extra: Set(extra), sinceMilliseconds: member.sinceMilliseconds)
    }
}

extension Standing {
    init(_ standing: MembershipStore.Standing) {
        switch standing {
        case .cohost: self = .cohost
        case .moderator: self = .moderator
        case .member: self = .member
        }
    }
}

extension ChatMessage {
    init(_ message: ChatStore.Message) {
        self.init(
            id: message.id, user: message.user, text: message.text, atMilliseconds: message.atMilliseconds,
            editedMilliseconds: message.editedMilliseconds, isDeleted: message.isDeleted, mentions: message.mentions,
            replyTo: message.replyTo)
    }
}
