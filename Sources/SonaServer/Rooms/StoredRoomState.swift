internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The stored state a room wakes with: its members and bans, its queue, the last messages and the last track.
struct StoredRoomState: Sendable {
    var roster = RoomRoster()
    var chat: [ChatMessage] = []
    var lastHeard: Track?
    /// The host who played that track.
    var lastHost: UserID?
    var queue = StoredQueue()
    var autoplay = Autoplay(isOn: false)
    var jingleProgress = JingleProgress()
    /// The broadcast that went on when the server ended, and who had listened.
    var audience: OpenAudience?
    /// When the reading began, µs; `nil` if nothing was read because the room is awake.
    private(set) var readAt: Int64?

    init() {}

    /// - Throws: The errors of the storage.
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
            autoplay = try await storage.autoplays.autoplay(of: id)
            if autoplay.jingles != nil { jingleProgress = try await storage.autoplays.jingleProgress(of: id) }
            audience = try await storage.audiences.open(of: id)
            chat = try await storage.chat.page(of: id, limit: Limits.chatSnapshotCount).messages
            let last = try await storage.history.last(of: id)
            (lastHeard, lastHost) = (last?.track, last?.host?.uid)
        } catch { throw WireError(error) }
    }
}

/// A queue as it was stored, and the people who suggested its entries.
struct StoredQueue: Sendable {
    var queue = PartyQueue()
    var revision: Int64 = 0
    /// The rows it was read from.
    var ledger = PartyLedger()
    var people: [UserID: User] = [:]
    /// Why the stored queue cannot be read; it must not be overwritten then.
    var fault: String?

    init() {}

    init(_ room: RoomID, _ queues: QueueStore) async throws(Refusal) {
        guard let rows = try await queues.load(of: room) else { return }
        revision = rows.revision
        do throws(PartyStateError) {
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
        // Guests are admitted, but have no standing.
        let standing = member.user.isGuest ? Standing.listener : member.standing
        self.init(
            standing: standing, extra: member.role?.capabilities ?? [], sinceMilliseconds: member.sinceMilliseconds)
    }
}
